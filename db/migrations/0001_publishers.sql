-- Tenants, the credentials they come with, and what the operator allows them.
-- Every later table hangs on publishers: a row that names no publisher cannot be a tenant's.

-- One row: which master key the secrets of this database are sealed under, by a fingerprint that tells nothing of it.
create table installation (
  only_row boolean primary key default true check (only_row),
  master_key_fingerprint bytea not null
);

create table publishers (
  publisher_id uuid primary key,
  name text not null check (length(name) between 1 and 255),
  environment text not null check (environment in ('sandbox', 'production')),
  currency text not null default 'USD' check (currency ~ '^[A-Z]{3}$'),
  time_zone text not null default 'UTC',
  timestamp_format text not null default 'interface' check (timestamp_format in ('interface', 'rfc3339')),
  own_card_feed boolean not null default false,
  -- Parts per million of the gross commission; the user gets what these two leave.
  fee_ppm integer not null default 0 check (fee_ppm between 0 and 1000000),
  share_ppm integer not null default 0 check (share_ppm between 0 and 1000000),
  reads_per_second integer not null default 200 check (reads_per_second > 0),
  writes_per_second integer not null default 100 check (writes_per_second > 0),
  -- How far a sandbox's clock stands ahead of the real one. Production time is never moved.
  clock_offset_ms bigint not null default 0 check (clock_offset_ms >= 0),
  created_at timestamptz not null,
  constraint publishers_split_leaves_the_user_something check (fee_ppm + share_ppm <= 1000000),
  constraint publishers_production_clock_is_real check (environment = 'sandbox' or clock_offset_ms = 0)
);

create table api_keys (
  publisher_id uuid not null references publishers,
  key_id uuid not null,
  -- Keys carry 256 random bits, so a plain SHA-256 keeps them safe and can be looked up.
  sha256 bytea not null,
  prefix text not null,
  last_four text not null,
  scopes text[] not null,
  interface_version date not null default '2024-12-12',
  created_at timestamptz not null,
  revoked_at timestamptz,
  primary key (publisher_id, key_id),
  constraint api_keys_sha256_unique unique (sha256)
);

create table allowed_redirect_uris (
  publisher_id uuid not null references publishers,
  redirect_uri text not null,
  created_at timestamptz not null,
  primary key (publisher_id, redirect_uri)
);

create table allowed_android_packages (
  publisher_id uuid not null references publishers,
  android_package_name text not null,
  created_at timestamptz not null,
  primary key (publisher_id, android_package_name)
);

-- The answer to a write, kept in the commit of that write, so that a repeat can be answered the same.
create table idempotency_keys (
  publisher_id uuid not null references publishers,
  idempotency_key text not null,
  route text not null,
  input_hash bytea not null,
  -- Sealed under the master key, for answers may carry secrets that are shown once.
  sealed_answer bytea,
  created_at timestamptz not null default now(),
  primary key (publisher_id, idempotency_key, route)
);
create index idempotency_keys_by_age on idempotency_keys (created_at);

-- Sizes of long lists. Writers only append deltas, so no row is hot; one worker folds them (see the ledger's deltas).
create table tally_deltas (
  publisher_id uuid not null,
  list text not null,
  delta integer not null
);
create table tallies (
  publisher_id uuid not null,
  list text not null,
  total bigint not null,
  primary key (publisher_id, list)
);

-- What a lower room tells a higher one, in the commit that caused it; a worker starts the jobs that src/facts.ts names.
create table facts (
  ordinal bigint generated always as identity primary key,
  publisher_id uuid not null references publishers,
  name text not null,
  payload jsonb not null,
  recorded_at timestamptz not null default now(),
  -- Work that failed is tried again later, so that it does not stand in the way of the rest.
  attempts integer not null default 0,
  due_at timestamptz not null default now()
);
create index facts_due on facts (due_at, ordinal);
