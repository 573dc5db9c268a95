-- Users redeem available cashback: a redemption holds the money until it is paid out or released.

-- Where a user is paid. Details are sealed, and destroyed once the destination is replaced or removed and no payout to
-- it is in progress.
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

create table redemptions (
  user_id uuid not null,
  redemption_id uuid not null,
  publisher_id uuid not null,
  external_ref text,
  method text not null check (method in ('publisher', 'file', 'simulated', 'gift_card')),
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
  -- The gift card that the cashback buys.
  offer_uid text,
  primary key (user_id, redemption_id),
  constraint redemptions_external_ref unique (user_id, external_ref),
  constraint redemptions_offer_of_gift_card check ((method = 'gift_card') = (offer_uid is not null)),
  foreign key (user_id, publisher_id) references users (user_id, publisher_id),
  foreign key (user_id, destination_id) references payout_destinations (user_id, destination_id)
);
create index redemptions_by_time on redemptions (publisher_id, created_at desc, redemption_id desc);
create index redemptions_by_status on redemptions (publisher_id, status, created_at desc, redemption_id desc);
create index redemptions_by_id on redemptions (redemption_id);
create index redemptions_open on redemptions (publisher_id, status, created_at)
  where status in ('requested', 'approved', 'sent');
create index redemptions_by_file on redemptions (file_id) where file_id is not null;

-- Each state of a redemption, since when, and who caused it.
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

create table redemption_approvals (
  user_id uuid not null,
  redemption_id uuid not null,
  approver text not null,
  publisher_id uuid not null,
  at timestamptz not null,
  -- A person approves a redemption once.
  primary key (user_id, redemption_id, approver),
  foreign key (user_id, redemption_id) references redemptions (user_id, redemption_id)
);

-- The operating company as its bank knows it. Whoever creates a file locks the row, so that a day's files are numbered.
create table payout_payer (
  one boolean primary key default true check (one),
  details jsonb not null
);

-- Payout files that an operator sends to the bank. Each download builds the content from the redemptions, so that it
-- stores no account numbers. The hash proves that the content is the same.
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

-- Payouts to hand over to the bank, or to hand over again because its response was lost.
create table payout_queue (
  redemption_id uuid primary key,
  user_id uuid not null,
  publisher_id uuid not null,
  attempts integer not null default 0,
  due_at timestamptz not null,
  -- Reveals a payout that the bank never answers.
  queued_at timestamptz not null default now()
);
create index payout_queue_due on payout_queue (due_at);

-- The position in the bank's events about a publisher's payouts, and when they are polled next.
create table payout_cursors (
  publisher_id uuid primary key references publishers,
  after_sequence bigint not null default 0,
  due_at timestamptz not null
);
create index payout_cursors_due on payout_cursors (due_at);

-- Gift cards: an order of one or more cards of an offer, which a supplier delivers. Numbers and codes are sealed.
create table gift_card_orders (
  user_id uuid not null,
  order_id uuid not null,
  publisher_id uuid not null,
  external_ref text,
  offer_uid text not null,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  total bigint not null check (total > 0),
  status text not null check (status in ('ordered', 'delivered', 'partially_delivered', 'failed', 'refunded')),
  redemption_id uuid,
  supplier_order_id text,
  reason_code text,
  reason_text text,
  version integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (user_id, order_id),
  constraint gift_card_orders_external_ref unique (user_id, external_ref),
  constraint gift_card_orders_redemption unique (user_id, redemption_id),
  foreign key (user_id, publisher_id) references users (user_id, publisher_id)
);
create index gift_card_orders_by_time on gift_card_orders (publisher_id, created_at desc, order_id desc);
create index gift_card_orders_by_id on gift_card_orders (order_id);

create table gift_cards (
  user_id uuid not null,
  card_id uuid not null,
  publisher_id uuid not null,
  order_id uuid not null,
  ordinal smallint not null check (ordinal > 0),
  denomination bigint not null check (denomination > 0),
  status text not null check (status in ('ordered', 'delivered', 'undelivered', 'refunding', 'refunded')),
  transaction_id uuid,
  supplier_card_id text,
  mask text,
  sealed_details bytea,
  expires_on date,
  revealed_at timestamptz,
  may_reveal boolean not null default true,
  primary key (user_id, card_id),
  constraint gift_cards_ordinal unique (user_id, order_id, ordinal),
  constraint gift_cards_delivered check (
    (status in ('ordered', 'undelivered')) = (supplier_card_id is null and sealed_details is null)
  ),
  foreign key (user_id, order_id) references gift_card_orders (user_id, order_id)
);
create index gift_cards_by_id on gift_cards (card_id);

-- Calls that the supplier has yet to receive or answer: orders by their IDs, and refunds by those of their cards.
create table gift_card_queue (
  item_id uuid primary key,
  kind text not null check (kind in ('order', 'refund')),
  user_id uuid not null,
  publisher_id uuid not null,
  attempts integer not null default 0,
  due_at timestamptz not null,
  -- Reveals a call that the supplier never answers.
  queued_at timestamptz not null default now(),
  -- When an operator ended an order that the supplier did not decide. The supplier may have delivered it, so it is
  -- polled for a while longer.
  ended_at timestamptz
);
create index gift_card_queue_due on gift_card_queue (due_at);

-- Reports of suppliers and banks that contradict what is recorded, for people to resolve.
create table contradictions (
  user_id uuid not null,
  contradiction_id uuid not null,
  publisher_id uuid not null,
  subject text not null,
  known text not null,
  reported text not null,
  reported_by text not null,
  code text,
  text text,
  reference text,
  recorded_at timestamptz not null default now(),
  acknowledged_at timestamptz,
  acknowledged_by text,
  note text,
  primary key (user_id, contradiction_id),
  constraint contradictions_once unique (user_id, subject, known, reported),
  foreign key (user_id, publisher_id) references users (user_id, publisher_id)
);
create index contradictions_open on contradictions (recorded_at) where acknowledged_at is null;
create index contradictions_by_id on contradictions (contradiction_id);

select guard_sealed_columns();
