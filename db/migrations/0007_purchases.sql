-- Purchases, as reported (source events, immutable) and as they stand (transactions, derived from them).

-- An external ID belongs to one user of the publisher, forever. Keyed by the ID instead of the user, the table reveals
-- that the same ID was sent for another user.
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
  -- The first half of the SHA-256 of the canonical input. The same ID with other content is a conflict, not a repeat.
  input_hash bytea not null,
  facts jsonb not null,
  -- The purchase that the event belongs to. An ID that events only refer to belongs to the purchase of those events.
  transaction_id uuid not null,
  constraint source_events_once primary key (user_id, source, external_id),
  foreign key (user_id, publisher_id) references users (user_id, publisher_id)
);
create index source_events_of_purchase on source_events (user_id, transaction_id);
create index source_events_referring on source_events (user_id, source, original_external_id)
  where original_external_id is not null;
-- A refund looks for other reports of it by amount. There are a hundred times as many purchases as refunds.
create index source_events_refunds on source_events (user_id, currency, amount)
  where kind = 'REFUND' and source = 'CARD';

-- Source events stay as received, with two exceptions: transaction_id changes when an event shows that two purchases
-- are one, and what identifies an erased user is removed.
create function source_events_are_kept() returns trigger language plpgsql as $$
begin
  if tg_level = 'ROW' and tg_op = 'UPDATE' then
    if (new.user_id, new.event_id, new.publisher_id, new.source, new.kind, new.amount, new.currency, new.occurred_at,
        new.received_at)
      = (old.user_id, old.event_id, old.publisher_id, old.source, old.kind, old.amount, old.currency, old.occurred_at,
        old.received_at)
      and new.external_id like '%erased-%'
      and (new.original_external_id is null) = (old.original_external_id is null)
      and coalesce(new.original_external_id like '%erased-%', true)
      and new.input_hash = '\x00000000000000000000000000000000'
      and new.facts @> '{"isErased": true}'
      and not new.facts ?| array[
        'merchantId', 'providerMerchantId', 'merchantDescriptor', 'merchantName', 'website', 'storeNumber', 'street', 'city',
        'state', 'zipCode', 'latitude', 'longitude', 'voucherCode'
      ]
      and exists (select from erasures where user_id = old.user_id and salt is not null)
    then
      return new;
    end if;
  end if;
  raise exception 'source events are kept as they came: report an amendment instead'
    using errcode = 'restrict_violation', constraint = 'source_events_are_kept';
end $$;
create trigger source_events_kept before delete or truncate on source_events
  for each statement execute function source_events_are_kept();
create trigger source_events_kept_rows
  before update of user_id, event_id, publisher_id, source, external_id, kind, original_external_id, amount, currency,
    occurred_at, received_at, input_hash, facts
  on source_events
  for each row execute function source_events_are_kept();
create trigger publisher_stays after insert on source_events
  referencing new table as inserted for each statement execute function publisher_stays();

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
  -- The amount of the purchase before refunds, and the refunds, in minor units.
  amount bigint not null,
  refunded bigint not null default 0,
  -- When the user bought (the authorization if known), and the day it cleared in the publisher's time zone.
  authorized_at timestamptz not null,
  cleared_on date,
  status text not null check (status in ('PENDING', 'EARNED', 'CANCELLED')),
  status_reason text,
  offer_uid text,
  offer_type text,
  reward_type text,
  -- Rates, share, fee and bounds as they were when the purchase was first decided.
  terms jsonb,
  -- The amounts posted for this row, in minor units. Negative in an adjustment that takes a reward back.
  gross bigint not null default 0,
  user_amount bigint not null default 0,
  publisher_amount bigint not null default 0,
  fee_amount bigint not null default 0,
  user_discount bigint not null default 0,
  available_on date,
  -- Set until the row matures: the first instant of available_on.
  matures_at timestamptz,
  earned_at timestamptz,
  -- The purchase that this row adjusts.
  adjusts uuid,
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- When a purchase that has not cleared lapses. A hold that earned nothing lapses as well: without a clearing, it does
  -- not make its user a customer.
  lapses_at timestamptz,
  -- The catalog version by which the purchase is judged. Null if it was decided before versions were stored.
  judged_in integer,
  primary key (user_id, transaction_id),
  foreign key (user_id, publisher_id) references users (user_id, publisher_id),
  constraint transactions_split_adds_up check (gross = user_amount + publisher_amount + fee_amount + user_discount)
);
create index transactions_by_id on transactions (publisher_id, transaction_id);
create index transactions_by_date on transactions (publisher_id, authorized_at, transaction_id);
create index transactions_by_creation on transactions (publisher_id, created_at, transaction_id);
create index transactions_of_brand on transactions (user_id, brand_uid, authorized_at);
create index transactions_adjusting on transactions (user_id, adjusts) where adjusts is not null;
create index transactions_ripening on transactions (publisher_id, matures_at)
  where status = 'PENDING' and matures_at is not null;
create index transactions_lapsing on transactions (publisher_id, lapses_at) where lapses_at is not null;
-- Each card purchase looks for affiliate sales of its user. Most users have none, and then it must cost nothing.
create index transactions_affiliate on transactions (user_id, brand_uid, authorized_at)
  where source = 'AFFILIATE' and adjusts is null;
-- For operators' lists, which span all publishers. Amounts are listed in one currency, because amounts in two cannot be
-- compared.
create index all_transactions_by_date on transactions (authorized_at, transaction_id);
create index all_transactions_by_amount on transactions (currency, amount, transaction_id);
create index all_transactions_of_brands on transactions (brand_uid, authorized_at, transaction_id)
  where brand_uid is not null;

-- Explains a transaction: one trace for each time it was decided.
create table decisions (
  user_id uuid not null,
  transaction_id uuid not null,
  version integer not null,
  publisher_id uuid not null,
  decided_at timestamptz not null,
  -- Without member names (src/platform/packed-json.ts).
  trace json not null,
  primary key (user_id, transaction_id, version)
);

-- Reports of one purchase by two sources, which are paid once (docs/decisions/0020-stacking.md). What was paired stays
-- paired. In each table, `stacked` is the side that earns nothing because the other does, or null if neither gives way,
-- and the two keys make pairs one-to-one, whoever writes.

-- A purchase reported by card and by affiliate link, and the policy that decided it.
create table purchase_pairs (
  user_id uuid not null,
  card_id uuid not null,
  affiliate_id uuid not null,
  publisher_id uuid not null,
  policy text not null check (policy in ('AFFILIATE', 'CARD', 'BOTH')),
  stacked text check (stacked in ('AFFILIATE', 'CARD')),
  since timestamptz not null,
  primary key (user_id, card_id),
  constraint purchase_pairs_one_to_one unique (user_id, affiliate_id),
  foreign key (user_id, publisher_id) references users (user_id, publisher_id)
);

-- A card purchase reported by the publisher and by the feed of the linked card.
create table card_pairs (
  user_id uuid not null,
  reported_id uuid not null,
  feed_id uuid not null,
  publisher_id uuid not null,
  stacked text check (stacked in ('REPORTED', 'FEED', 'BOTH')),
  since timestamptz not null,
  primary key (user_id, reported_id),
  constraint card_pairs_one_to_one unique (user_id, feed_id),
  foreign key (user_id, publisher_id) references users (user_id, publisher_id)
);

-- A purchase that the publisher clears in parts may be several rows of the feed. The first is in card_pairs, whose key
-- allows no more, and the others are here.
create table further_card_pairs (
  user_id uuid not null,
  feed_id uuid not null,
  reported_id uuid not null,
  publisher_id uuid not null,
  stacked text check (stacked in ('REPORTED', 'FEED', 'BOTH')),
  since timestamptz not null,
  primary key (user_id, feed_id),
  foreign key (user_id, publisher_id) references users (user_id, publisher_id)
);

-- A sale reported by a network for a click and by the publisher.
create table sale_pairs (
  user_id uuid not null,
  network_id uuid not null,
  reported_id uuid not null,
  publisher_id uuid not null,
  stacked text check (stacked in ('NETWORK', 'REPORTED', 'BOTH')),
  since timestamptz not null,
  primary key (user_id, network_id),
  constraint sale_pairs_one_to_one unique (user_id, reported_id),
  foreign key (user_id, publisher_id) references users (user_id, publisher_id)
);

-- A refund that publisher and feed attach to different purchases. It counts once, at the publisher's purchase.
create table refund_pairs (
  user_id uuid not null,
  -- The source events, by their external IDs.
  reported_refund text not null,
  feed_refund text not null,
  publisher_id uuid not null,
  since timestamptz not null,
  primary key (user_id, reported_refund),
  constraint refund_pairs_one_to_one unique (user_id, feed_refund),
  foreign key (user_id, publisher_id) references users (user_id, publisher_id)
);

-- Refunds that name no purchase and have found none. Each later event of the user searches for their purchases again,
-- and operators see them, so they must be found without a scan.
create table open_refunds (
  user_id uuid not null,
  transaction_id uuid not null,
  publisher_id uuid not null,
  since timestamptz not null,
  primary key (user_id, transaction_id),
  foreign key (user_id, publisher_id) references users (user_id, publisher_id)
);
create index open_refunds_by_age on open_refunds (since, transaction_id);

-- Rewards that must not mature, because the feed row they rest on is gone and may or may not come back.
create table withheld_rewards (
  user_id uuid not null,
  -- The feed row. A reward may rest on several, and each one releases only its own hold.
  row_id text not null,
  publisher_id uuid not null,
  transaction_id uuid not null,
  since timestamptz not null,
  primary key (user_id, row_id),
  foreign key (user_id, publisher_id) references users (user_id, publisher_id)
);
create index withheld_rewards_by_transaction on withheld_rewards (user_id, transaction_id);

-- Re-matches: purchases decided again after a correction, with who, when, why, and the result.
create table rematches (
  rematch_id uuid primary key,
  publisher_id uuid not null references publishers,
  -- The re-match that this one undoes, by restoring the former terms.
  undoes uuid references rematches,
  decided_by text not null check (decided_by <> ''),
  reason text not null check (reason <> ''),
  filter jsonb not null,
  started_at timestamptz not null,
  -- Null if it is running or was stopped early. rematch_changes has what it had changed by then.
  finished_at timestamptz,
  examined integer not null default 0,
  changed integer not null default 0,
  -- In an undo: purchases that somebody decided differently in between, which stay.
  kept integer not null default 0,
  -- The amounts of users, publisher and service in the changed purchases, before and after, in minor units as text.
  sums jsonb not null default '{}'
);
create index rematches_of_publisher on rematches (publisher_id, started_at);

create table rematch_changes (
  rematch_id uuid not null references rematches,
  publisher_id uuid not null,
  user_id uuid not null,
  transaction_id uuid not null,
  -- Brand, frozen terms, reason and amounts of the purchase, including its adjustments.
  before jsonb not null,
  after jsonb not null,
  primary key (rematch_id, user_id, transaction_id),
  foreign key (user_id, transaction_id) references transactions (user_id, transaction_id)
);

-- Claims: a publisher or its user reports that a purchase is missing, wrong or earned nothing. A person decides before
-- a deadline.
create table claims (
  user_id uuid not null,
  claim_id uuid not null,
  publisher_id uuid not null,
  external_ref text not null,
  input_hash bytea not null,
  kind text not null check (kind in ('missing', 'incorrect', 'declined', 'other')),
  opened_by text not null check (opened_by in ('publisher', 'user')),
  transaction_id uuid,
  brand_uid text,
  offer_uid text,
  purchase_date date,
  amount bigint check (amount > 0),
  currency text check (currency ~ '^[A-Z]{3}$'),
  order_id text,
  merchant text,
  status text not null check (status in ('open', 'granted', 'declined', 'withdrawn')),
  reason text,
  reason_text text,
  adjustment_id uuid,
  granted_transaction_id uuid,
  decided_by text,
  deadline timestamptz not null,
  version integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  decided_at timestamptz,
  -- Whoever granted the claim also reported the event that it was granted with. What such a purchase earns counts
  -- toward the amount that the person may grant without a second one; an event reported earlier earned on its own.
  granted_event_is_new boolean not null default false,
  primary key (user_id, claim_id),
  constraint claims_external_ref unique (user_id, external_ref),
  constraint claims_amount_has_currency check ((amount is null) = (currency is null)),
  constraint claims_name_a_transaction check (kind not in ('incorrect', 'declined') or transaction_id is not null),
  constraint claims_decided_by_somebody check (
    (status = 'open') = (decided_at is null) and (status = 'open') = (decided_by is null)
  ),
  constraint claims_declined_with_reason check ((status = 'declined') = (reason is not null)),
  constraint claims_granted_by_one_way check (
    case status
      when 'granted' then num_nonnulls(adjustment_id, granted_transaction_id) = 1
      when 'open' then granted_transaction_id is null
      else adjustment_id is null and granted_transaction_id is null
    end
  ),
  foreign key (user_id, publisher_id) references users (user_id, publisher_id),
  foreign key (user_id, adjustment_id) references adjustments (user_id, adjustment_id)
);
create index claims_by_id on claims (claim_id);
create index claims_by_time on claims (publisher_id, created_at, claim_id);
create index claims_open on claims (deadline, claim_id) where status = 'open';
create index claims_due on claims (publisher_id, deadline) where status = 'open' and adjustment_id is null;
create index claims_of_adjustment on claims (user_id, adjustment_id) where adjustment_id is not null;
-- Sums what a person granted today without a second one, over all users of the publisher.
create index claims_granted_alone on claims (publisher_id, decided_by, decided_at) where granted_event_is_new;

create table claim_notes (
  user_id uuid not null,
  note_id uuid not null,
  claim_id uuid not null,
  publisher_id uuid not null,
  author text not null,
  text text not null,
  at timestamptz not null,
  primary key (user_id, note_id),
  foreign key (user_id, claim_id) references claims (user_id, claim_id)
);
create index claim_notes_of_claim on claim_notes (user_id, claim_id, note_id);

-- Notes stay as written. Only those about an erased user lose their text.
create function claim_notes_are_kept() returns trigger language plpgsql as $$
begin
  if to_jsonb(new) - 'text' = to_jsonb(old) - 'text'
    and new.text = 'erased'
    and exists (select from erasures where user_id = old.user_id and salt is not null)
  then
    return new;
  end if;
  raise exception 'notes are kept as they were written'
    using errcode = 'restrict_violation', constraint = 'claim_notes_are_kept';
end $$;
create trigger claim_notes_kept before update on claim_notes
  for each row execute function claim_notes_are_kept();
