-- Facts are taken in turn by publisher, each publisher's in their order: the next one is found by this index.
create index concurrently facts_by_publisher on facts (publisher_id, due_at, ordinal);
