-- The overview shows money by state and over time. Adding up journals takes seconds for each million, so they are added up
-- once, soon after they are booked: by account, and by the UTC day of their effect.

create table ledger_totals (
  publisher_id uuid not null references publishers,
  currency text not null,
  kind text not null,
  account text not null,
  -- In minor units, and how many postings they are the sums of.
  debits bigint not null,
  credits bigint not null,
  debited bigint not null,
  credited bigint not null,
  primary key (publisher_id, currency, kind, account)
);

create table ledger_days (
  publisher_id uuid not null references publishers,
  day date not null,
  currency text not null,
  kind text not null,
  account text not null,
  debits bigint not null,
  credits bigint not null,
  debited bigint not null,
  credited bigint not null,
  primary key (publisher_id, day, currency, kind, account)
);
create index ledger_days_by_day on ledger_days (day);

-- What was booked until then is added up, and nothing later. Older journals are added up from the first migration on.
create table ledger_added_up (
  one boolean primary key default true check (one),
  booked_until timestamptz not null
);
insert into ledger_added_up (booked_until)
select coalesce((select min(applied_at) from schema_migrations), now());

-- Whoever reads what was just booked reads all pages that the index does not cover yet.
alter index journals_by_booking set (autosummarize = on);
