-- A statement of a month has the journals that were booked until a cut. For it to be the same whenever it is drawn up again, no
-- journal may commit after the cut with a time before it (docs/decisions/0051-closing-a-period.md).
create table ledger_cut (
  one boolean primary key default true check (one),
  cut_at timestamptz not null default '-infinity'
);
insert into ledger_cut default values;

-- When a journal is booked: the time of the statement, but after the last cut that is committed. The transaction gets its number
-- before the cut is read, so whoever waits for all transactions with numbers from before the cut's commit has waited for
-- everyone who may not have seen it. With the rights of the owner: the version before runs on, and its account has none to the
-- new table.
create function booking_time() returns timestamptz language plpgsql volatile
security definer set search_path = public, pg_temp as $$
declare
  latest timestamptz;
begin
  perform pg_current_xact_id();
  select cut_at into latest from ledger_cut;
  return greatest(statement_timestamp(), latest + interval '1 microsecond');
end $$;

alter table journals alter column created_at set default booking_time();
alter table payment_journals alter column created_at set default booking_time();
