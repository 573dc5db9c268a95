-- Which source events the feed of a linked card has brought is asked whenever a purchase is decided.
create index concurrently feed_rows_by_event on feed_rows (user_id, external_id);
