-- For logical replication, as 0062. Its unique key has members that may be null, so it cannot be the primary key.
alter table announced_duplicates
  add column announced_duplicate_id uuid not null default gen_random_uuid(),
  add primary key (user_id, announced_duplicate_id);
