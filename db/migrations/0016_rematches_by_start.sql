-- Operators page through the re-matches of all publishers by when they were ordered.
create index concurrently rematches_by_start on rematches (started_at, rematch_id);
