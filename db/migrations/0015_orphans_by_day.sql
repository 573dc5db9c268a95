-- Operators page through the refunds in cards' feeds that have no purchase, longest waiting first.
create index concurrently feed_rows_orphans_by_day on feed_rows ((bought_on::timestamp at time zone 'UTC')) where is_orphan;
