-- Money that is received from advertisers, or paid to publishers, users' payers and the service itself, is booked, too. Such a
-- payment is about no user, while a journal belongs to one: its journals are a table of their own, of the same shape, and the
-- view `postings` shows the postings of both.
create table payments (
  payment_id uuid primary key,
  publisher_id uuid not null references publishers,
  -- The payer's or the bank's own name of the payment: the natural key under which it is recorded once.
  external_ref text not null,
  direction text not null check (direction in ('received', 'paid')),
  party text not null check (party in ('advertiser', 'publisher', 'payouts', 'service')),
  -- The brand of an advertiser, the method of payouts, otherwise empty.
  owner text not null check ((owner = '') = (party in ('publisher', 'service'))),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  amount bigint not null check (amount > 0),
  value_date date not null,
  note text,
  -- The payment that this one takes back.
  reverses uuid references payments,
  created_at timestamptz not null,
  created_by text not null,
  constraint payments_once_per_reference unique (publisher_id, external_ref),
  constraint payments_reversed_once unique (reverses)
);
create trigger payments_append_only before update or delete or truncate on payments
  for each statement execute function ledger_is_append_only();

create table payment_journals (
  publisher_id uuid not null references publishers,
  journal_id uuid not null,
  kind text not null check (kind = 'payment'),
  cause_id uuid not null,
  cause_version integer not null,
  effective_at timestamptz not null,
  created_at timestamptz not null default statement_timestamp(),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  accounts text[] not null check (accounts <@ array[
    'bank', 'advertiser_receivable', 'publisher_payable', 'payout_clearing', 'fee_earned']),
  owners text[] not null,
  amounts bigint[] not null,
  -- The natural key: no cause is booked twice, whatever is retried.
  constraint payment_journals_once_per_cause primary key (publisher_id, cause_id, kind, cause_version),
  constraint payment_journals_amounts_check check (
    cardinality(amounts) > 0 and cardinality(accounts) = cardinality(amounts) and cardinality(owners) = cardinality(amounts)
    and array_position(amounts, null) is null and array_position(owners, null) is null and 0 <> all (amounts))
);
create trigger payment_journals_append_only before update or delete or truncate on payment_journals
  for each statement execute function ledger_is_append_only();
create trigger postings_sum_to_zero after insert on payment_journals
  referencing new table as inserted for each statement execute function postings_must_balance();

-- The hourly verification takes the publisher for the user of these journals.
create function payments_await_verification() returns trigger language plpgsql
security definer set search_path = public, pg_temp as $$
begin
  insert into unverified_journals (user_id, cause_id, kind, cause_version)
  select publisher_id, cause_id, kind, cause_version from inserted;
  return null;
end $$;
create trigger payments_await_verification after insert on payment_journals
  referencing new table as inserted for each statement execute function payments_await_verification();

create or replace view postings as
select j.user_id, j.journal_id, p.line, j.publisher_id, p.account, p.owner, j.currency, p.amount, j.kind, j.cause_id,
  j.cause_version, j.effective_at, j.created_at
from journals j cross join lateral unnest(j.accounts, j.owners, j.amounts) with ordinality as p (account, owner, amount, line)
union all
select j.publisher_id as user_id, j.journal_id, p.line, j.publisher_id, p.account, p.owner, j.currency, p.amount, j.kind, j.cause_id,
  j.cause_version, j.effective_at, j.created_at
from payment_journals j cross join lateral unnest(j.accounts, j.owners, j.amounts) with ordinality as p (account, owner, amount, line);
