-- What users can earn with: brands, their offers and where these hold. Reference data, the same for every publisher;
-- what a publisher's terms make of it is computed. Retired rows stay, for old rewards name them.

create table categories (
  category_id integer primary key check (category_id > 0),
  category text not null
);

create table brands (
  brand_uid text primary key,
  -- The order of the catalog; an older brand keeps its place.
  ordinal bigint generated always as identity,
  category_id integer not null references categories,
  name text not null,
  website text,
  aliases text[] not null,
  domains text[] not null,
  merchant_ids text[] not null,
  mccs text[] not null,
  -- Null where Laurel makes them.
  description text,
  logo_img_url text,
  large_img_url text,
  small_img_url text,
  offer_description text,
  reward_type text check (reward_type in ('DISCOUNT_DOLLAR', 'DISCOUNT_PERCENTAGE', 'CASHBACK_DOLLAR', 'CASHBACK_PERCENTAGE')),
  global_terms_and_conditions text,
  retired_at timestamptz,
  -- SHA-256 of what the file said: an import writes only what changed.
  content_sha256 text not null
);
create index brands_by_name on brands (lower(name));

create table offers (
  offer_uid text primary key,
  -- Of two equal offers the older one wins.
  ordinal bigint generated always as identity,
  brand_uid text not null references brands,
  offer_type text not null check (offer_type in ('CARD_LINKED', 'AFFILIATE', 'GIFT_CARD', 'VOUCHER_CODE')),
  reward_type text not null check (reward_type in ('DISCOUNT_DOLLAR', 'DISCOUNT_PERCENTAGE', 'CASHBACK_DOLLAR', 'CASHBACK_PERCENTAGE')),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  name text not null,
  description text,
  formatted_description text,
  banner_url text,
  -- At least one: {name, rate_ppm | amount, product_groups, customer, min_amount, max_amount}; amounts are texts of minor units.
  commission_groups jsonb not null check (jsonb_array_length(commission_groups) > 0),
  refund_period_days integer not null check (refund_period_days >= 0),
  voucher_code text,
  location text,
  -- Null: follows from the offer's type, stores and location.
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
  constraint offers_spend_bounds check (max_spend >= min_spend),
  constraint offers_dates check (end_date >= start_date),
  constraint offers_voucher_code check (voucher_code is null or offer_type = 'VOUCHER_CODE'),
  constraint offers_denominations check (denominations = '{}' or offer_type = 'GIFT_CARD')
);
create index offers_of_brand on offers (brand_uid, ordinal);

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

-- One row: processes that hold the catalog in memory ask it whether theirs is the newest. Locked by each import.
create table catalog_version (
  only_one boolean primary key default true check (only_one),
  version integer not null
);
insert into catalog_version (version) values (0);
