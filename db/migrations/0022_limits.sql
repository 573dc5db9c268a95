-- What must hold while requests race beyond one user's lock: budgets of offers, codes that are handed out once; and the
-- facts by which a user's own limits are judged (docs/decisions/0015-limits.md).

-- What an offer may cost its advertiser in one period, over all publishers of an environment: sandboxes spend a budget of
-- their own, so that play money takes nothing from real users. It is spent from slots, so that purchases of
-- different users seldom wait for each other: the amount less what is unspent in the slots is what the reservations hold.
create table offer_budgets (
  offer_uid text not null,
  period text not null check (period in ('DAY', 'WEEK', 'MONTH', 'LIFETIME')),
  -- The first day of the period in UTC; of a lifetime 1970-01-01.
  starts_on date not null,
  environment text not null check (environment in ('sandbox', 'production')),
  amount bigint not null check (amount >= 0),
  -- The state of the offer that the amount was taken from; an older state changes nothing.
  offer_version integer not null,
  -- How many of the slots are in use. The fewer is left, the fewer, so that one holds what a purchase needs.
  slots integer not null check (slots > 0),
  primary key (offer_uid, period, starts_on, environment)
);

create table offer_budget_slots (
  offer_uid text not null,
  period text not null,
  starts_on date not null,
  environment text not null,
  slot smallint not null,
  -- Negative only while the budget was lowered below what it had spent.
  unspent bigint not null,
  -- More was spent than the budget is now: nothing is freed into one slot without a look at all of them.
  is_overspent boolean not null default false,
  primary key (offer_uid, period, starts_on, environment, slot),
  foreign key (offer_uid, period, starts_on, environment) references offer_budgets,
  check (unspent >= 0 or is_overspent)
) with (fillfactor = 50);

-- What a purchase holds of the budgets of its offer.
create table budget_reservations (
  user_id uuid not null,
  transaction_id uuid not null,
  period text not null,
  publisher_id uuid not null,
  offer_uid text not null,
  starts_on date not null,
  amount bigint not null check (amount > 0),
  primary key (user_id, transaction_id, period),
  -- No key refers to offer_budgets: each purchase would write to that one row of its budget.
  foreign key (user_id, publisher_id) references users (user_id, publisher_id)
);

-- Rewards that are less than the frozen terms would give, and what keeps them there.
create table reward_bounds (
  user_id uuid not null,
  transaction_id uuid not null,
  publisher_id uuid not null,
  gross bigint not null check (gross >= 0),
  reason text not null,
  primary key (user_id, transaction_id),
  foreign key (user_id, publisher_id) references users (user_id, publisher_id)
);

create table offer_activations (
  user_id uuid not null,
  offer_uid text not null,
  activated_at timestamptz not null,
  publisher_id uuid not null,
  deactivated_at timestamptz,
  primary key (user_id, offer_uid, activated_at),
  foreign key (user_id, publisher_id) references users (user_id, publisher_id)
);
create unique index offer_activations_open on offer_activations (user_id, offer_uid) where deactivated_at is null;

-- A pool belongs to an offer, whichever publisher's user a code is handed to; sandboxes have one of their own. A code is worth money before it is used: it
-- is found by its fingerprint and kept sealed.
create table voucher_codes (
  code_id uuid primary key,
  offer_uid text not null,
  environment text not null check (environment in ('sandbox', 'production')),
  fingerprint bytea not null,
  sealed_code bytea not null,
  -- The last day, in the publisher's time zone, on which it can be used.
  expires_on date not null default 'infinity',
  imported_at timestamptz not null,
  -- Whom it was handed to, and the purchase that used it up.
  publisher_id uuid references publishers,
  user_id uuid,
  handed_out_at timestamptz,
  transaction_id uuid,
  constraint voucher_codes_once unique (fingerprint, offer_uid, environment),
  check ((publisher_id is null) = (user_id is null) and (user_id is null) = (handed_out_at is null)),
  check (transaction_id is null or user_id is not null)
);
create index voucher_codes_pool on voucher_codes (offer_uid, environment, expires_on, code_id) where user_id is null;
create index voucher_codes_of_user on voucher_codes (user_id, offer_uid) where user_id is not null;
select guard_sealed_columns();
