-- Each hour the worker verifies what was booked since, so it needs to know what that is and what it has verified before
-- (docs/decisions/0039-verifying-by-the-hour.md).

-- A row for each journal that has not been verified. It is written in the journal's own commit, so a journal that
-- commits late is neither missed nor counted too early.
create table unverified_journals (
  user_id uuid not null,
  cause_id uuid not null,
  kind text not null,
  cause_version integer not null
);

-- What the verified journals of a user add up to, and a digest of them, by which a later change is found.
create table verified_balances (
  user_id uuid not null,
  currency text not null,
  pending bigint not null,
  available bigint not null,
  held bigint not null,
  debt bigint not null,
  earned_total bigint not null,
  redeemed_total bigint not null,
  digest bigint not null,
  primary key (user_id, currency)
);

create table verified_rollups (
  publisher_id uuid not null,
  account text not null,
  owner text not null,
  currency text not null,
  balance bigint not null,
  primary key (publisher_id, account, owner, currency)
);

-- One row, which the worker that verifies holds locked.
create table ledger_verification (
  one boolean primary key default true check (one),
  due_at timestamptz not null default '-infinity',
  -- Up to which user the journals from before this migration were added up; null when all were.
  added_up_to uuid default '00000000-0000-0000-0000-000000000000',
  step smallint not null default 0,
  -- Which users' old journals are read again next.
  next_slice smallint not null default 0,
  -- Differences in the run under way, and in the last one.
  found integer not null default 0,
  differences integer not null default 0,
  verified_at timestamptz not null default now()
);
insert into ledger_verification default values;

-- With the rights of the owner: the version before runs on, and its account has none to the new table.
create function journals_await_verification() returns trigger language plpgsql
security definer set search_path = public, pg_temp as $$
begin
  insert into unverified_journals (user_id, cause_id, kind, cause_version)
  select user_id, cause_id, kind, cause_version from inserted;
  return null;
end $$;
create trigger journals_await_verification after insert on journals
  referencing new table as inserted for each statement execute function journals_await_verification();
