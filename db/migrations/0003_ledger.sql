-- The single source of truth about money: immutable journals of signed postings (debit +, credit -) that sum to zero.
-- docs/ledger.md has an example of every kind.

-- The last cut of the books. A month's statement contains the journals booked before its cut. To be reproducible, no
-- journal may commit later with a time before it (docs/decisions/0051-closing-a-period.md).
create table ledger_cut (
  one boolean primary key default true check (one),
  cut_at timestamptz not null default '-infinity'
);
insert into ledger_cut default values;

-- The time of the booking statement, but after the last committed cut. That statement begins while the user's balance
-- is locked, so the times of a user's journals have the order of booking, by the database's clock. The transaction gets
-- its ID before the cut is read. So whoever waits for all transactions with IDs from before the cut's commit has
-- waited for everyone who may not have seen the cut.
create function booking_time() returns timestamptz language plpgsql volatile
security definer set search_path = public, pg_temp as $$
declare
  latest timestamptz;
begin
  perform pg_current_xact_id();
  select cut_at into latest from ledger_cut;
  return greatest(statement_timestamp(), latest + interval '1 microsecond');
end $$;

-- A journal and its postings are one row: less than half the bytes, and no journal without postings. All postings of a
-- journal are in one currency.
create table journals (
  user_id uuid not null,
  journal_id uuid not null,
  publisher_id uuid not null,
  kind text not null check (kind in (
    'accrual', 'reassignment', 'maturity', 'clawback', 'redemption_hold', 'redemption_paid', 'redemption_released',
    'redemption_returned', 'adjustment', 'write_off')),
  -- The transaction, redemption or adjustment that caused it, and the number of its settlement.
  cause_id uuid not null,
  cause_version integer not null,
  -- When it takes effect, which may be before it was booked, for example by a late worker.
  effective_at timestamptz not null,
  created_at timestamptz not null default booking_time(),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  accounts text[] not null check (accounts <@ array[
    'advertiser_receivable', 'user_pending', 'user_available', 'user_held', 'user_debt', 'publisher_pending',
    'publisher_payable', 'fee_pending', 'fee_earned', 'payout_clearing', 'clawback_loss', 'goodwill']),
  -- The brand of an advertiser_receivable, otherwise empty.
  owners text[] not null,
  amounts bigint[] not null,
  -- The natural key: nothing is booked twice for a cause, whatever is retried.
  constraint journals_once_per_cause primary key (user_id, cause_id, kind, cause_version),
  constraint journals_amounts_check check (
    cardinality(amounts) > 0 and cardinality(accounts) = cardinality(amounts)
    and cardinality(owners) = cardinality(amounts) and array_position(amounts, null) is null
    and array_position(owners, null) is null and 0 <> all (amounts)),
  foreign key (user_id, publisher_id) references users (user_id, publisher_id)
);
-- Closing a month reads the journals since the last close, which are adjacent at the end of the table. This index takes
-- a few bytes per megabyte of journals. Without autosummarize, it would not cover the newest pages, and reading what
-- was just booked would scan them.
create index journals_by_booking on journals using brin (created_at) with (autosummarize = on);

create function postings_must_balance() returns trigger language plpgsql as $$
begin
  -- A statement trigger with a transition table: one pass over the new rows.
  if exists (select 1 from inserted where (select sum(amount) from unnest(amounts) as amount) is distinct from 0) then
    raise exception 'the postings of a journal must sum to zero'
      using errcode = 'check_violation', constraint = 'postings_sum_to_zero';
  end if;
  return null;
end $$;
create trigger postings_sum_to_zero after insert on journals
  referencing new table as inserted for each statement execute function postings_must_balance();

create function ledger_is_append_only() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only: correct it with a new journal', tg_table_name
    using errcode = 'restrict_violation', constraint = 'ledger_is_append_only';
end $$;
create trigger journals_append_only before update or delete or truncate on journals
  for each statement execute function ledger_is_append_only();

create trigger publisher_stays after insert on journals
  referencing new table as inserted for each statement execute function publisher_stays();

-- Money received from advertisers, or paid to publishers, to those who pay users, and to the service.
create table payments (
  payment_id uuid primary key,
  publisher_id uuid not null references publishers,
  -- The payer's or the bank's name for the payment: the natural key, which prevents recording it twice.
  external_ref text not null,
  direction text not null check (direction in ('received', 'paid')),
  party text not null check (party in ('advertiser', 'publisher', 'payouts', 'service')),
  -- The brand of an advertiser, the method of payouts, otherwise empty.
  owner text not null check ((owner = '') = (party in ('publisher', 'service'))),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  amount bigint not null check (amount > 0),
  value_date date not null,
  note text,
  -- The payment that this one reverses.
  reverses uuid references payments,
  created_at timestamptz not null,
  created_by text not null,
  constraint payments_once_per_reference unique (publisher_id, external_ref),
  constraint payments_reversed_once unique (reverses)
);
create trigger payments_append_only before update or delete or truncate on payments
  for each statement execute function ledger_is_append_only();

-- Journals of payments. A payment concerns no user, and a journal belongs to one, so they have a table of their own
-- with the same columns.
create table payment_journals (
  publisher_id uuid not null references publishers,
  journal_id uuid not null,
  kind text not null check (kind = 'payment'),
  cause_id uuid not null,
  cause_version integer not null,
  effective_at timestamptz not null,
  created_at timestamptz not null default booking_time(),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  accounts text[] not null check (accounts <@ array[
    'bank', 'advertiser_receivable', 'publisher_payable', 'payout_clearing', 'fee_earned']),
  owners text[] not null,
  amounts bigint[] not null,
  constraint payment_journals_once_per_cause primary key (publisher_id, cause_id, kind, cause_version),
  constraint payment_journals_amounts_check check (
    cardinality(amounts) > 0 and cardinality(accounts) = cardinality(amounts)
    and cardinality(owners) = cardinality(amounts) and array_position(amounts, null) is null
    and array_position(owners, null) is null and 0 <> all (amounts))
);
create trigger payment_journals_append_only before update or delete or truncate on payment_journals
  for each statement execute function ledger_is_append_only();
create trigger postings_sum_to_zero after insert on payment_journals
  referencing new table as inserted for each statement execute function postings_must_balance();
create trigger publisher_stays after insert on payment_journals
  referencing new table as inserted for each statement execute function publisher_stays();

-- The postings of all journals, one per row. Those of payments have the publisher as their user.
create view postings as
select j.user_id, j.journal_id, p.line, j.publisher_id, p.account, p.owner, j.currency, p.amount, j.kind, j.cause_id,
  j.cause_version, j.effective_at, j.created_at
from journals j
  cross join lateral unnest(j.accounts, j.owners, j.amounts) with ordinality as p (account, owner, amount, line)
union all
select j.publisher_id as user_id, j.journal_id, p.line, j.publisher_id, p.account, p.owner, j.currency, p.amount,
  j.kind, j.cause_id, j.cause_version, j.effective_at, j.created_at
from payment_journals j
  cross join lateral unnest(j.accounts, j.owners, j.amounts) with ordinality as p (account, owner, amount, line);

-- Balances. Only a user's balance must be guarded, so only users have a row that every booking updates.

create table user_balances (
  user_id uuid not null,
  currency text not null,
  publisher_id uuid not null,
  pending bigint not null default 0 check (pending >= 0),
  available bigint not null default 0 check (available >= 0),
  held bigint not null default 0 check (held >= 0),
  debt bigint not null default 0 check (debt >= 0),
  earned_total bigint not null default 0 check (earned_total >= 0),
  redeemed_total bigint not null default 0 check (redeemed_total >= 0),
  primary key (user_id, currency),
  foreign key (user_id, publisher_id) references users (user_id, publisher_id)
) with (fillfactor = 70);

-- Shared accounts: writers append deltas, and one worker folds them into rollups within seconds. The exact balance is
-- the rollup plus the sum of its deltas.
create table ledger_deltas (
  publisher_id uuid not null,
  account text not null,
  owner text not null,
  currency text not null,
  amount bigint not null,
  -- For logical replication, like that of list_count_deltas.
  ordinal bigint generated always as identity primary key
);
create table ledger_rollups (
  publisher_id uuid not null,
  account text not null,
  owner text not null,
  currency text not null,
  balance bigint not null,
  primary key (publisher_id, account, owner, currency)
);

-- Sums for the overview, because summing a million journals takes seconds: by account, and by UTC day of effect.
-- Journals are added once, soon after they are booked.

create table ledger_totals (
  publisher_id uuid not null references publishers,
  currency text not null,
  kind text not null,
  account text not null,
  -- Sums in minor units, and the numbers of their postings.
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

-- The sums contain everything booked until then, and nothing later.
create table ledger_added_up (
  one boolean primary key default true check (one),
  booked_until timestamptz not null
);
insert into ledger_added_up (booked_until) values (now());

-- The hourly verification (docs/decisions/0039-verifying-by-the-hour.md).

-- A row for each journal that has not been verified. It is written in the journal's own commit, so a journal that
-- commits late is neither missed nor counted too early. For payments, user_id is the publisher.
create table unverified_journals (
  user_id uuid not null,
  cause_id uuid not null,
  kind text not null,
  cause_version integer not null,
  -- For logical replication, like that of list_count_deltas.
  ordinal bigint generated always as identity primary key
);

create function journals_await_verification() returns trigger language plpgsql
security definer set search_path = public, pg_temp as $$
begin
  insert into unverified_journals (user_id, cause_id, kind, cause_version)
  select user_id, cause_id, kind, cause_version from inserted;
  return null;
end $$;
create trigger journals_await_verification after insert on journals
  referencing new table as inserted for each statement execute function journals_await_verification();

create function payments_await_verification() returns trigger language plpgsql
security definer set search_path = public, pg_temp as $$
begin
  insert into unverified_journals (user_id, cause_id, kind, cause_version)
  select publisher_id, cause_id, kind, cause_version from inserted;
  return null;
end $$;
create trigger payments_await_verification after insert on payment_journals
  referencing new table as inserted for each statement execute function payments_await_verification();

-- The sums of a user's verified journals, and a digest of them that reveals a later change.
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

-- One row, locked by the verifying worker.
create table ledger_verification (
  one boolean primary key default true check (one),
  due_at timestamptz not null default '-infinity',
  -- Journals without an unverified_journals row are added up first, users in order. This is the last user so far; null
  -- when done.
  added_up_to uuid default '00000000-0000-0000-0000-000000000000',
  step smallint not null default 0,
  -- The slice of users whose old journals are reread next.
  next_slice smallint not null default 0,
  -- Differences found by the current run, and by the last one.
  found integer not null default 0,
  differences integer not null default 0,
  verified_at timestamptz not null default now()
);
insert into ledger_verification default values;
