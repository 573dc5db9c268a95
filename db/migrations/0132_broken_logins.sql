-- Operators list the linked logins of all publishers that do not work.
create index concurrently links_broken on links (linked_at, link_id) where error is not null and unlinked_at is null;
