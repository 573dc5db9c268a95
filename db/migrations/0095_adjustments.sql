-- People correct balances by hand: goodwill, a correction, a debt that is given up. Above a limit another person decides.
alter table journals drop constraint journals_kind_check;
alter table journals add constraint journals_kind_check check (
  kind in (
    'accrual', 'reassignment', 'maturity', 'clawback', 'redemption_hold', 'redemption_paid', 'redemption_released',
    'redemption_returned', 'adjustment', 'write_off'
  )
) not valid;
alter table journals drop constraint journals_accounts_check;
alter table journals add constraint journals_accounts_check check (accounts <@ array[
  'advertiser_receivable', 'user_pending', 'user_available', 'user_held', 'user_debt', 'publisher_pending',
  'publisher_payable', 'fee_pending', 'fee_earned', 'payout_clearing', 'clawback_loss', 'goodwill'
]) not valid;

alter table publishers add column adjustment_alone_max bigint not null default 2500;

create table adjustments (
  user_id uuid not null,
  adjustment_id uuid not null,
  publisher_id uuid not null,
  external_ref text,
  kind text not null check (kind in ('goodwill', 'correction', 'write_off')),
  paid_by text not null check (paid_by in ('service', 'publisher')),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  amount bigint not null check (amount <> 0),
  reason text not null,
  status text not null check (status in ('proposed', 'booked', 'declined')),
  proposed_by text not null,
  decided_by text,
  created_at timestamptz not null,
  decided_at timestamptz,
  primary key (user_id, adjustment_id),
  constraint adjustments_external_ref unique (user_id, external_ref),
  foreign key (user_id, publisher_id) references users (user_id, publisher_id)
);

create index adjustments_by_id on adjustments (adjustment_id);
create index adjustments_proposed on adjustments (publisher_id, created_at) where status = 'proposed';
create index adjustments_by_time on adjustments (publisher_id, created_at);
