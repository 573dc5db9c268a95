-- Events are numbered some of each publisher at a time, so that one publisher's flood does not delay the others'.
create unique index concurrently event_queue_publishers on event_queue (publisher_id, ordinal);
