-- What was bought, as it was reported (source events, immutable) and as it stands (transactions, derived).

-- An external id belongs to one user of the publisher, for ever. This table is about the publisher's ids, not about a
-- user: it is how the same id sent for another user is noticed.
create table source_claims (
  publisher_id uuid not null references publishers,
  source text not null,
  external_id text not null,
  user_id uuid not null,
  primary key (publisher_id, source, external_id)
);

create table source_events (
  user_id uuid not null,
  event_id uuid not null,
  publisher_id uuid not null,
  source text not null check (source in ('CARD', 'AFFILIATE', 'GIFT_CARD', 'VOUCHER', 'OTHER')),
  external_id text not null,
  kind text not null check (kind in ('AUTHORIZATION', 'CLEARING', 'REFUND', 'REVERSAL', 'DECLINE', 'AMENDMENT')),
  original_external_id text,
  amount bigint not null check (amount >= 0),
  currency text not null,
  occurred_at timestamptz not null,
  received_at timestamptz not null,
  -- SHA-256 of the canonical input: the same id with other content is a conflict, not a repeat.
  input_hash bytea not null,
  facts jsonb not null,
  primary key (user_id, event_id),
  constraint source_events_once unique (user_id, source, external_id),
  foreign key (user_id, publisher_id) references users (user_id, publisher_id)
);

create function source_events_are_kept() returns trigger language plpgsql as $$
begin
  raise exception 'source events are kept as they came: report an amendment instead'
    using errcode = 'restrict_violation', constraint = 'source_events_are_kept';
end $$;
create trigger source_events_kept before update or delete or truncate on source_events
  for each statement execute function source_events_are_kept();

-- Every external id that is known to belong to a purchase, also ids that were only referred to so far.
create table transaction_keys (
  user_id uuid not null,
  source text not null,
  external_id text not null,
  publisher_id uuid not null,
  transaction_id uuid not null,
  primary key (user_id, source, external_id)
);
create index transaction_keys_by_transaction on transaction_keys (user_id, transaction_id);

create table transactions (
  user_id uuid not null,
  transaction_id uuid not null,
  publisher_id uuid not null,
  source text not null,
  external_id text not null,
  brand_uid text,
  match_method text not null default 'none',
  merchant_name text,
  merchant_descriptor text,
  order_id text,
  account_id text,
  currency text not null,
  -- The purchase before and what was taken back of it, in minor units.
  amount bigint not null,
  refunded bigint not null default 0,
  -- When the user bought (authorization where known) and the day it cleared in the publisher's time zone.
  authorized_at timestamptz not null,
  cleared_on date,
  status text not null check (status in ('PENDING', 'EARNED', 'CANCELLED')),
  status_reason text,
  offer_uid text,
  offer_type text,
  reward_type text,
  -- Rates, share, fee and bounds as they were when the purchase was first decided.
  terms jsonb,
  -- What is posted for this row, in minor units; signed, negative on an adjustment that takes back.
  gross bigint not null default 0,
  user_amount bigint not null default 0,
  publisher_amount bigint not null default 0,
  fee_amount bigint not null default 0,
  user_discount bigint not null default 0,
  available_on date,
  -- Set while the row waits for maturity: the first instant of available_on.
  matures_at timestamptz,
  earned_at timestamptz,
  adjusts uuid,
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (user_id, transaction_id),
  foreign key (user_id, publisher_id) references users (user_id, publisher_id),
  constraint transactions_split_adds_up check (gross = user_amount + publisher_amount + fee_amount + user_discount)
);
create index transactions_by_id on transactions (publisher_id, transaction_id);
create index transactions_by_date on transactions (publisher_id, authorized_at, transaction_id);
create index transactions_by_creation on transactions (publisher_id, created_at, transaction_id);
create index transactions_of_brand on transactions (user_id, brand_uid, authorized_at);
create index transactions_adjusting on transactions (user_id, adjusts) where adjusts is not null;
create index transactions_ripening on transactions (publisher_id, matures_at) where status = 'PENDING' and matures_at is not null;
create index transactions_uncleared on transactions (publisher_id, authorized_at) where status = 'PENDING' and cleared_on is null;

-- Why: one trace for each time a purchase was decided.
create table decisions (
  user_id uuid not null,
  transaction_id uuid not null,
  version integer not null,
  publisher_id uuid not null,
  decided_at timestamptz not null,
  trace jsonb not null,
  primary key (user_id, transaction_id, version)
);

-- A one-time offer is used by one purchase of a user at a time; a full reversal deletes the row and frees it.
create table offer_uses (
  user_id uuid not null,
  offer_uid text not null,
  publisher_id uuid not null,
  transaction_id uuid not null,
  used_at timestamptz not null,
  primary key (user_id, offer_uid)
);
