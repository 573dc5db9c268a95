-- Users redeem what is available: a redemption holds the money until it is paid out or released. No version before this
-- one started a redemption, so no journal of the former kind redemption_failed exists.
alter table journals drop constraint journals_kind_check;
alter table journals add constraint journals_kind_check check (
  kind in (
    'accrual', 'reassignment', 'maturity', 'clawback', 'redemption_hold', 'redemption_paid', 'redemption_released',
    'redemption_returned', 'write_off'
  )
) not valid;

alter table publishers
  add column redemption_methods text[] not null default '{publisher}',
  add column redemption_minimum bigint not null default 1,
  add column redemption_user_day_max bigint,
  add column redemption_user_day_count integer,
  add column redemption_review_above bigint,
  add column redemption_two_people_above bigint,
  add column destination_cool_down_hours integer not null default 24;
update publishers set redemption_methods = '{publisher,file,simulated}' where environment = 'sandbox';

alter table operators drop constraint operators_role_check;
alter table operators add constraint operators_role_check check (role in ('admin', 'catalog', 'finance', 'support')) not valid;

-- Where a user is paid. Details are sealed; they are destroyed when the destination is replaced or removed and no payout to
-- it is under way.
create table payout_destinations (
  user_id uuid not null,
  destination_id uuid not null,
  publisher_id uuid not null,
  kind text not null check (kind in ('us_bank_account', 'iban', 'email')),
  mask text not null,
  fingerprint bytea not null,
  sealed_details bytea,
  usable_from timestamptz not null,
  created_at timestamptz not null,
  removed_at timestamptz,
  primary key (user_id, destination_id),
  foreign key (user_id, publisher_id) references users (user_id, publisher_id)
);

create unique index payout_destinations_one_current on payout_destinations (user_id) where removed_at is null;

create trigger closed_key_of_sealed_details before insert or update of sealed_details on payout_destinations
  for each row execute function refuse_closed_key('sealed_details');

-- What the operating company is to its bank. Whoever makes a file locks it, so that files of a day are numbered.
create table payout_payer (
  one boolean primary key default true check (one),
  details jsonb not null
);

-- Files of payouts that an operator sends to the bank. The content is made anew from the redemptions at each download, so
-- that no account number is stored in it; the hash shows that it is the same.
create table payout_files (
  file_id uuid primary key,
  publisher_id uuid not null references publishers,
  format text not null check (format in ('nacha', 'pain.001', 'csv')),
  currency text not null,
  pay_on date not null,
  number_of_day smallint not null,
  payer jsonb not null,
  entries integer not null check (entries > 0),
  total bigint not null check (total > 0),
  sha256 bytea not null,
  created_by text not null,
  created_at timestamptz not null
);

create index payout_files_by_publisher on payout_files (publisher_id, created_at);

create table redemptions (
  user_id uuid not null,
  redemption_id uuid not null,
  publisher_id uuid not null,
  external_ref text,
  method text not null check (method in ('publisher', 'file', 'simulated')),
  destination_id uuid,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  amount bigint not null check (amount > 0),
  status text not null check (status in ('requested', 'approved', 'sent', 'paid', 'failed', 'returned', 'cancelled')),
  approvals_needed smallint not null,
  reason text,
  reason_code text,
  reason_text text,
  payout_reference text,
  file_id uuid,
  version integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (user_id, redemption_id),
  constraint redemptions_external_ref unique (user_id, external_ref),
  foreign key (user_id, publisher_id) references users (user_id, publisher_id),
  foreign key (user_id, destination_id) references payout_destinations (user_id, destination_id)
);

create index redemptions_by_time on redemptions (publisher_id, created_at desc, redemption_id desc);
create index redemptions_by_status on redemptions (publisher_id, status, created_at desc, redemption_id desc);
create index redemptions_by_id on redemptions (redemption_id);
create index redemptions_open on redemptions (publisher_id, status, created_at)
  where status in ('requested', 'approved', 'sent');
create index redemptions_by_file on redemptions (file_id) where file_id is not null;

-- Each state that a redemption was in: since when, and who brought it there.
create table redemption_steps (
  user_id uuid not null,
  redemption_id uuid not null,
  version integer not null,
  publisher_id uuid not null,
  status text not null,
  actor text not null,
  at timestamptz not null,
  primary key (user_id, redemption_id, version),
  foreign key (user_id, redemption_id) references redemptions (user_id, redemption_id)
);

-- The key lets a person approve a redemption once.
create table redemption_approvals (
  user_id uuid not null,
  redemption_id uuid not null,
  approver text not null,
  publisher_id uuid not null,
  at timestamptz not null,
  primary key (user_id, redemption_id, approver),
  foreign key (user_id, redemption_id) references redemptions (user_id, redemption_id)
);

-- Payouts that wait to be handed over to the bank, or to be handed over again because its answer was lost.
create table payout_queue (
  redemption_id uuid primary key,
  user_id uuid not null,
  publisher_id uuid not null,
  attempts integer not null default 0,
  due_at timestamptz not null
);

create index payout_queue_due on payout_queue (due_at);

-- Up to which of the bank's events about a publisher's payouts have been taken up, and when they are asked for next.
create table payout_cursors (
  publisher_id uuid primary key references publishers,
  after_sequence bigint not null default 0,
  due_at timestamptz not null
);

create index payout_cursors_due on payout_cursors (due_at);
