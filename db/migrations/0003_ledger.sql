-- The only truth about money: immutable journals of signed postings (debit +, credit -) that sum to zero.
-- A balance row exists only for what must be guarded, the user; shared accounts are folds over postings.

create table journals (
  user_id uuid not null,
  journal_id uuid not null,
  publisher_id uuid not null,
  kind text not null check (kind in ('accrual', 'maturity', 'clawback', 'redemption_hold', 'redemption_paid', 'redemption_failed', 'write_off')),
  -- What caused it: a transaction (or a redemption) and which of its settlements this is.
  cause_id uuid not null,
  cause_version integer not null,
  -- When it counts, which may lie before the moment it was written (a late worker).
  effective_at timestamptz not null,
  created_at timestamptz not null default now(),
  primary key (user_id, journal_id),
  -- The natural key: no cause is booked twice, whatever is retried.
  constraint journals_once_per_cause unique (user_id, cause_id, kind, cause_version),
  foreign key (user_id, publisher_id) references users (user_id, publisher_id)
);

create table postings (
  user_id uuid not null,
  journal_id uuid not null,
  line smallint not null,
  publisher_id uuid not null,
  account text not null check (account in (
    'advertiser_receivable', 'user_pending', 'user_available', 'user_held', 'user_debt', 'publisher_pending',
    'publisher_payable', 'fee_pending', 'fee_earned', 'payout_clearing', 'clawback_loss')),
  -- The brand for advertiser_receivable, otherwise empty.
  owner text not null default '',
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  amount bigint not null check (amount <> 0),
  primary key (user_id, journal_id, line),
  foreign key (user_id, journal_id) references journals (user_id, journal_id)
);

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

-- Shared accounts: writers append here, one worker folds rows into rollups. Exact now = rollup + sum of deltas.
create table ledger_deltas (
  publisher_id uuid not null,
  account text not null,
  owner text not null,
  currency text not null,
  amount bigint not null
);
create table ledger_rollups (
  publisher_id uuid not null,
  account text not null,
  owner text not null,
  currency text not null,
  balance bigint not null,
  primary key (publisher_id, account, owner, currency)
);

create function postings_must_balance() returns trigger language plpgsql as $$
begin
  -- A statement trigger with a transition table: one pass over the new rows, no plan that goes stale on an empty table.
  if exists (select 1 from inserted group by user_id, journal_id, currency having sum(amount) <> 0) then
    raise exception 'the postings of a journal must sum to zero in each currency'
      using errcode = 'check_violation', constraint = 'postings_sum_to_zero';
  end if;
  return null;
end $$;
create trigger postings_sum_to_zero after insert on postings
  referencing new table as inserted for each statement execute function postings_must_balance();

create function ledger_is_append_only() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only: correct it with a new journal', tg_table_name
    using errcode = 'restrict_violation', constraint = 'ledger_is_append_only';
end $$;
create trigger journals_append_only before update or delete or truncate on journals
  for each statement execute function ledger_is_append_only();
create trigger postings_append_only before update or delete or truncate on postings
  for each statement execute function ledger_is_append_only();
