-- For logical replication, as 0062. The journals of up to an hour are written anew, some hundred thousand a second.
alter table unverified_journals add column ordinal bigint generated always as identity primary key;
