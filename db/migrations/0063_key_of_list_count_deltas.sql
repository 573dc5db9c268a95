-- For logical replication, as 0062.
alter table list_count_deltas add column ordinal bigint generated always as identity primary key;
