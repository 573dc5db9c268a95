-- Brands and their offers, which are reference data and the same for every publisher; each publisher's assortment of
-- them; the answers by which merchants are recognized as brands; and the allowances of offers.

-- One row: processes that hold the catalog in memory compare it with their version. Each import locks it.
create table catalog_version (
  only_one boolean primary key default true check (only_one),
  version integer not null
);
insert into catalog_version (version) values (0);

-- A catalog of half a million offers cannot be reloaded for every change. Rows therefore have the catalog version of
-- their last change, and whoever holds an earlier version reads only those. Triggers set it, so that no writer forgets.
--
-- Whoever changes the catalog holds its version until the commit, so no row is stamped with a version that others have
-- already seen. The importer raises the version before or after it writes rows; either way, the next version is not
-- too low.
create function catalog_is_changing() returns trigger language plpgsql as $$
declare
  current integer;
begin
  select version into current from catalog_version for update;
  perform set_config('laurel.catalog_changes_in', (coalesce(current, 0) + 1)::text, true);
  return null;
end
$$;

create function stamp_catalog_row() returns trigger language plpgsql as $$
begin
  new.changed_in := current_setting('laurel.catalog_changes_in')::integer;
  return new;
end
$$;

create table categories (
  category_id integer primary key check (category_id > 0),
  category text not null
);

-- Retired brands and offers stay, because old rewards refer to them.
create table brands (
  brand_uid text primary key,
  -- The order of the catalog. New brands go last.
  ordinal bigint generated always as identity,
  category_id integer not null references categories,
  name text not null,
  website text,
  aliases text[] not null,
  domains text[] not null,
  merchant_ids text[] not null,
  mccs text[] not null,
  -- Nullable texts are generated if the file has none.
  description text,
  logo_img_url text,
  large_img_url text,
  small_img_url text,
  offer_description text,
  reward_type text
    check (reward_type in ('DISCOUNT_DOLLAR', 'DISCOUNT_PERCENTAGE', 'CASHBACK_DOLLAR', 'CASHBACK_PERCENTAGE')),
  global_terms_and_conditions text,
  retired_at timestamptz,
  -- SHA-256 of the file's entry. An import writes only what changed.
  content_sha256 text not null,
  -- Two-letter codes in lower case. Empty means everywhere.
  countries text[] not null default '{}',
  changed_in integer not null default 0,
  -- The file's entry in its normal form, which an export returns. json keeps the order and the digits, and is written
  -- in half the time of jsonb.
  content json
);
create index brands_by_name on brands (lower(name));
create index brands_changed_in on brands (changed_in);
create trigger brands_are_changing before insert or update on brands
  for each statement execute function catalog_is_changing();
create trigger brands_stamped before insert or update on brands
  for each row execute function stamp_catalog_row();

create table offers (
  offer_uid text primary key,
  -- Of two equal offers, the older one wins.
  ordinal bigint generated always as identity,
  brand_uid text not null references brands,
  offer_type text not null check (offer_type in ('CARD_LINKED', 'AFFILIATE', 'GIFT_CARD', 'VOUCHER_CODE')),
  reward_type text not null
    check (reward_type in ('DISCOUNT_DOLLAR', 'DISCOUNT_PERCENTAGE', 'CASHBACK_DOLLAR', 'CASHBACK_PERCENTAGE')),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  name text not null,
  description text,
  formatted_description text,
  banner_url text,
  -- {name, rate_ppm | amount, product_groups, customer, min_amount, max_amount}; amounts are minor units as text.
  commission_groups jsonb not null check (jsonb_array_length(commission_groups) > 0),
  refund_period_days integer not null check (refund_period_days >= 0),
  voucher_code text,
  location text,
  -- Null means derived from the offer's type, stores and location.
  channels text[],
  one_time_use boolean not null,
  new_customer_only boolean not null,
  new_customer_days integer not null check (new_customer_days > 0),
  min_spend bigint check (min_spend >= 0),
  max_spend bigint check (max_spend > 0),
  denominations bigint[] not null,
  start_date date,
  end_date date,
  terms_and_conditions text,
  retired_at timestamptz,
  content_sha256 text not null,
  -- Numbers the offer's states. The terms of a purchase name the one they were taken from.
  version integer not null default 1 check (version > 0),
  -- Days, hours, activation, limits, budgets: always read as a whole and never searched. Absent members impose nothing.
  conditions jsonb not null default '{}' check (jsonb_typeof(conditions) = 'object'),
  changed_in integer not null default 0,
  constraint offers_spend_bounds check (max_spend >= min_spend),
  constraint offers_dates check (end_date >= start_date),
  constraint offers_voucher_code check (voucher_code is null or offer_type = 'VOUCHER_CODE'),
  constraint offers_denominations check (denominations = '{}' or offer_type = 'GIFT_CARD')
);
create index offers_of_brand on offers (brand_uid, ordinal);
create index offers_changed_in on offers (changed_in);
create unique index offers_in_order on offers (ordinal);
-- Operators list them. Few offers have a budget.
create index offers_with_budgets on offers (ordinal)
  where retired_at is null and conditions -> 'budgets' is not null;
create trigger offers_are_changing before insert or update on offers
  for each statement execute function catalog_is_changing();
create trigger offers_stamped before insert or update on offers
  for each row execute function stamp_catalog_row();

create table stores (
  offer_uid text not null references offers,
  position integer not null,
  location_name text,
  store_number text,
  street_address1 text,
  street_address2 text,
  city text,
  state text,
  zip_code text,
  latitude double precision check (latitude between -90 and 90),
  longitude double precision check (longitude between -180 and 180),
  phone text,
  complete_address text,
  country text,
  primary key (offer_uid, position)
);

-- Every state of an offer as people see it.
create table offer_versions (
  offer_uid text not null references offers,
  -- As in offers. The latest is the current state.
  version integer not null,
  -- The file's entry in its normal form.
  content json not null,
  valid_from timestamptz not null,
  -- An operator's ID, or `local:` and the account that ran the command.
  changed_by text not null,
  primary key (offer_uid, version)
);

-- Every past state of an offer as the rules read it. A purchase is judged by the offers as they were when it became
-- known (docs/decisions/0022-replay.md).
create table former_offers (
  like offers,
  stores jsonb not null,
  -- The catalog version that ended this state. changed_in began it.
  replaced_in integer not null,
  primary key (offer_uid, version)
);
create index former_offers_of_brand on former_offers (brand_uid, replaced_in);

-- Assortments: the brands and offers that a publisher carries, the share of an offer's commission that it keeps, its
-- own wording, and the order of its categories. A publisher without rows carries everything, under its agreement.
create table assortment_entries (
  publisher_id uuid not null references publishers,
  entry_id uuid not null,
  -- The subject. Without one, the entry applies to the whole assortment.
  category_id integer references categories,
  brand_uid text references brands,
  offer_uid text references offers,
  says text not null check (says in ('carriage', 'split', 'wording', 'category_order')),
  -- Without a subject: whether anything that no other entry mentions is carried.
  carried boolean,
  fee_ppm integer check (fee_ppm >= 0),
  share_ppm integer check (share_ppm >= 0),
  wording text check (wording <> ''),
  category_order integer[],
  -- An operator's ID, or `local:` and the account that ran the command.
  said_by text not null check (said_by <> ''),
  said_at timestamptz not null,
  -- An entry never changes. A later one ends it.
  ended_by text,
  ended_at timestamptz,
  primary key (publisher_id, entry_id),
  constraint assortment_entries_one_subject check (num_nonnulls(category_id, brand_uid, offer_uid) <= 1),
  constraint assortment_entries_one_thing check (
    num_nonnulls(carried, fee_ppm, wording, category_order) = 1 and (fee_ppm is null) = (share_ppm is null)
    and case says
      when 'carriage' then carried is not null
      when 'split' then fee_ppm is not null and num_nonnulls(brand_uid, offer_uid) = 1
      when 'wording' then wording is not null and offer_uid is not null
      else category_order is not null and num_nonnulls(category_id, brand_uid, offer_uid) = 0
    end),
  constraint assortment_entries_leave_the_user_something check (fee_ppm + share_ppm <= 1000000),
  constraint assortment_entries_ended_by_somebody check ((ended_at is null) = (ended_by is null))
);
create unique index assortment_entries_live
  on assortment_entries (publisher_id, says, category_id, brand_uid, offer_uid)
  nulls not distinct where ended_at is null;

-- Separate from the catalog's version, so that a changed assortment reloads no catalog. Each change locks it.
create table assortment_version (
  only_one boolean primary key default true check (only_one),
  version integer not null
);
insert into assortment_version (version) values (0);

-- A person's answer about a merchant, or something learned from purchases, under the key that matching looks up. Rows
-- never change: a new answer revokes the previous one.
create table match_aliases (
  alias_uid uuid primary key,
  -- Null means all publishers.
  publisher_id uuid references publishers,
  -- A template of descriptors, or `provider:` and the linking provider's ID of the merchant.
  key text not null check (key <> ''),
  -- Null means no brand of this catalog.
  brand_uid text references brands,
  -- A person's name, or `learnt`.
  decided_by text not null check (decided_by <> ''),
  decided_at timestamptz not null,
  note text,
  revoked_at timestamptz,
  revoked_by text,
  constraint match_aliases_revoked_by_somebody check ((revoked_at is null) = (revoked_by is null))
);
create unique index match_aliases_live on match_aliases (publisher_id, key) nulls not distinct where revoked_at is null;
create index match_aliases_of_key on match_aliases (key);

-- Separate from the catalog's version, so that a new alias reloads no catalog.
create table alias_version (
  only_one boolean primary key default true check (only_one),
  version integer not null
);
insert into alias_version (version) values (0);

-- Purchases whose website and name both indicate a brand, under the provider's ID of their merchant. Aliases are
-- learned from them, after which they are deleted.
create table merchant_sightings (
  publisher_id uuid not null references publishers,
  provider_merchant_id text not null,
  brand_uid text not null,
  transaction_id uuid not null,
  seen_at timestamptz not null,
  primary key (publisher_id, provider_merchant_id, brand_uid, transaction_id)
);

-- Merchants that are probably a brand, waiting for a person's answer: one open item per publisher and template.
create table review_items (
  review_id uuid primary key,
  publisher_id uuid not null references publishers,
  template text not null,
  proposed_uid text not null,
  score double precision not null,
  method text not null,
  evidence jsonb not null,
  runner_up jsonb,
  purchases integer not null check (purchases > 0),
  -- A few of their transactions, for whoever investigates.
  samples uuid[] not null,
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null,
  decided_at timestamptz,
  decided_by text,
  -- The answer. In a decided item, null means no brand of this catalog.
  brand_uid text,
  alias_uid uuid references match_aliases,
  constraint review_items_decided_by_somebody check (
    (decided_at is null) = (decided_by is null) and (decided_at is null) = (alias_uid is null))
);
create unique index review_items_open on review_items (publisher_id, template) where decided_at is null;
create index review_items_of_publisher on review_items (publisher_id, last_seen_at, review_id);
create index review_items_of_template on review_items (template) where decided_at is null;

-- Allowances: what must hold while requests race, beyond one user's lock (docs/decisions/0015-limits.md).

-- The most that an offer may cost its advertiser in a period, across all publishers of an environment. Sandboxes have
-- their own budgets, so that play money takes nothing from real users. A budget is spent from slots, so that purchases
-- of different users rarely wait for each other. The amount less the unspent parts of the slots is what purchases hold.
create table offer_budgets (
  offer_uid text not null,
  period text not null check (period in ('DAY', 'WEEK', 'MONTH', 'LIFETIME')),
  -- The first day of the period in UTC. A lifetime starts on 1970-01-01.
  starts_on date not null,
  environment text not null check (environment in ('sandbox', 'production')),
  amount bigint not null check (amount >= 0),
  -- The state of the offer that set the amount. An older state changes nothing.
  offer_version integer not null,
  -- The number of slots in use. It falls with the remaining amount, so that one slot holds enough for a purchase.
  slots integer not null check (slots > 0),
  primary key (offer_uid, period, starts_on, environment)
);
-- Exhausted offers are looked up every second, by the budgets of one day. Without the index, that reads a year of them.
create index offer_budgets_of_a_day on offer_budgets (starts_on, period);

create table offer_budget_slots (
  offer_uid text not null,
  period text not null,
  starts_on date not null,
  environment text not null,
  slot smallint not null,
  -- Negative only while the budget is lower than what was already spent.
  unspent bigint not null,
  -- More was spent than the budget is now: nothing is released into one slot without looking at all of them.
  is_overspent boolean not null default false,
  primary key (offer_uid, period, starts_on, environment, slot),
  foreign key (offer_uid, period, starts_on, environment) references offer_budgets,
  check (unspent >= 0 or is_overspent)
) with (fillfactor = 50);

-- Budgets that were announced as spent, or nearly so. Every worker looks, and one of them announces it, once per
-- amount: a raised budget can be exhausted again.
create table budget_warnings (
  offer_uid text not null,
  period text not null,
  starts_on date not null,
  environment text not null,
  amount bigint not null,
  percent integer not null check (percent between 1 and 100),
  warned_at timestamptz not null,
  primary key (offer_uid, period, starts_on, environment, amount, percent),
  foreign key (offer_uid, period, starts_on, environment) references offer_budgets
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

-- An offer's pool of codes is shared by all publishers of an environment. An unused code is worth money, so it is
-- sealed and found by its fingerprint.
create table voucher_codes (
  code_id uuid primary key,
  offer_uid text not null,
  environment text not null check (environment in ('sandbox', 'production')),
  fingerprint bytea not null,
  sealed_code bytea not null,
  -- The last day on which it can be used, in the publisher's time zone.
  expires_on date not null default 'infinity',
  imported_at timestamptz not null,
  -- Who received it.
  publisher_id uuid references publishers,
  user_id uuid,
  handed_out_at timestamptz,
  constraint voucher_codes_once unique (fingerprint, offer_uid, environment),
  check ((publisher_id is null) = (user_id is null) and (user_id is null) = (handed_out_at is null))
);
create index voucher_codes_pool on voucher_codes (offer_uid, environment, expires_on, code_id) where user_id is null;
create index voucher_codes_of_user on voucher_codes (user_id, offer_uid) where user_id is not null;

-- The part of an offer's limited uses or money that a purchase takes (docs/decisions/0022-replay.md). No foreign key
-- refers to offer_budgets, because every purchase would then write to the one row of its budget.
create table allowance_holds (
  user_id uuid not null,
  transaction_id uuid not null,
  publisher_id uuid not null,
  offer_uid text not null,
  kind text not null check (kind in ('use', 'user_limit', 'budget', 'code')),
  -- use and code: a lifetime. user_limit: the day of the purchase. budget: a period of the UTC calendar.
  period text not null check (period in ('DAY', 'WEEK', 'MONTH', 'LIFETIME')),
  starts_on date not null,
  -- use and code: 1. user_limit: the user's part of the reward. budget: the commission. In minor units.
  amount bigint not null check (amount > 0),
  -- The commission that this allowance left for the purchase, if its terms would have given more.
  most_gross bigint check (most_gross > 0),
  code_id uuid references voucher_codes (code_id),
  check ((code_id is not null) = (kind = 'code')),
  primary key (user_id, transaction_id, kind, period),
  foreign key (user_id, publisher_id) references users (user_id, publisher_id)
);
-- A user uses a one-time offer once, whatever races.
create unique index allowance_holds_one_use on allowance_holds (user_id, offer_uid) where kind = 'use';
create unique index allowance_holds_one_code on allowance_holds (user_id, code_id) where kind = 'code';
create index allowance_holds_of_offer on allowance_holds (user_id, offer_uid);

select guard_sealed_columns();
