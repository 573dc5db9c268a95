-- The first of the baseline's migrations, which create the schema floor by floor: the installation and its secrets,
-- publishers and what they are allowed, operators, and the people who sign in.

-- Master keys, which can be replaced while the service runs (docs/decisions/0009-master-keys.md). The database says
-- which key seals, so that all processes agree.

create table installation (
  only_row boolean primary key default true check (only_row),
  -- Set only in an installation that has not been started since derived secrets got a secret of their own.
  master_key_fingerprint bytea,
  -- Fingerprints and signatures derive from this secret, which outlives every master key.
  sealed_derivation_secret bytea
);

create table master_keys (
  -- The four bytes that each sealed record carries.
  key_id text primary key check (key_id ~ '^[0-9a-f]{8}$'),
  -- announced: all processes must hold it before anything is sealed under it. sealing: new records are sealed under it.
  -- opening: the previous key; a process that has not noticed the change still seals under it. closing: new records
  -- under it are refused, and the remaining ones are rewrapped. retired: none is left.
  state text not null check (state in ('announced', 'sealing', 'opening', 'closing', 'retired')),
  -- Identifies the key without revealing anything about it.
  fingerprint bytea not null,
  changed_at timestamptz not null default now()
);
create unique index master_keys_one_of_each on master_keys (state) where state in ('announced', 'sealing');

-- Processes that have this database open, and the keys they hold. One that has not been seen for a while has ended.
create table key_holders (
  holder_id uuid primary key,
  name text not null,
  held text[] not null,
  sealing text not null,
  seen_at timestamptz not null
);

-- Refuses records under a closed key, so that a key that was counted as unused stays unused. Closing a key takes the
-- same lock exclusively, so it waits for the commits that still seal under it. The error is one after which a
-- transaction is retried; by then its process knows which key seals.
create function refuse_closed_key() returns trigger language plpgsql as $$
declare
  sealed bytea;
  id text;
begin
  execute format('select substring(($1).%I from 1 for 5)', tg_argv[0]) into sealed using new;
  if octet_length(sealed) = 5 then
    id := encode(substring(sealed from 2), 'hex');
    perform pg_advisory_xact_lock_shared(7265004, ('x' || id)::bit(32)::int);
    if exists (select 1 from master_keys where key_id = id and state in ('closing', 'retired')) then
      raise exception 'a record for % was sealed under the master key %, which is closed', tg_table_name, id
        using errcode = 'serialization_failure', constraint = 'master_key_closed';
    end if;
  end if;
  return new;
end $$;

-- Sealed values are in columns named sealed_…. A migration that adds one ends with `select guard_sealed_columns()`.
create function guard_sealed_columns() returns void language plpgsql as $$
declare
  one record;
begin
  for one in
    select c.oid::regclass as place, a.attname as name
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.atttypid = 'bytea'::regtype
      and a.attname like 'sealed\_%' and not a.attisdropped
      and not exists (select 1 from pg_trigger t where t.tgrelid = c.oid and t.tgname = 'closed_key_of_' || a.attname)
    order by c.relname, a.attname
  loop
    execute format(
      'create trigger %I before insert or update of %I on %s for each row execute function refuse_closed_key(%L)',
      'closed_key_of_' || one.name, one.name, one.place, one.name
    );
  end loop;
end $$;

-- Publishers, the tenants. A row without a publisher_id belongs to no tenant.

create table publishers (
  publisher_id uuid primary key,
  name text not null check (length(name) between 1 and 255),
  environment text not null check (environment in ('sandbox', 'production')),
  -- Used where a request names no currency; publisher_currencies has all of them.
  currency text not null default 'USD' check (currency ~ '^[A-Z]{3}$'),
  time_zone text not null default 'UTC',
  timestamp_format text not null default 'interface' check (timestamp_format in ('interface', 'rfc3339')),
  -- The publisher has a card feed of its own, so its card purchases count without linked cards.
  own_card_feed boolean not null default false,
  -- Parts per million of the gross commission. The user gets the remainder.
  fee_ppm integer not null default 0 check (fee_ppm between 0 and 1000000),
  share_ppm integer not null default 0 check (share_ppm between 0 and 1000000),
  reads_per_second integer not null default 200 check (reads_per_second > 0),
  writes_per_second integer not null default 100 check (writes_per_second > 0),
  -- A sandbox's clock may be ahead of real time. Production time never moves.
  clock_offset_ms bigint not null default 0 check (clock_offset_ms >= 0),
  created_at timestamptz not null,
  -- Who gets the reward for a purchase that is reported both by card and by affiliate link.
  stacking_policy text not null default 'AFFILIATE' check (stacking_policy in ('AFFILIATE', 'CARD', 'BOTH')),
  -- Whose offer applies if a marketplace was paid and names the merchant, and both have offers.
  marketplace_policy text not null default 'MARKETPLACE' check (marketplace_policy in ('MARKETPLACE', 'MERCHANT')),
  -- Batches also count by their events. Otherwise one key could report more than a deployment can take in.
  events_per_second integer not null default 500 check (events_per_second > 0),
  -- False for a publisher with only affiliate links, gift cards or vouchers: the service then starts without a linking
  -- provider for its environment.
  links_cards boolean not null default true,
  -- The name, language, countries and accounts that users see when they link.
  link_name text,
  link_language text not null default 'en',
  link_countries text[] not null default '{US}',
  link_products text[] not null default '{transactions}',
  link_account_subtypes text[] not null default '{credit card,checking,savings}',
  redemption_methods text[] not null default '{publisher}',
  -- The limits that are amounts are those that a new publisher's first currency starts with (see
  -- limits_of_the_first_currency). From then on publisher_currencies counts.
  redemption_minimum bigint not null default 1,
  redemption_user_day_max bigint,
  redemption_user_day_count integer,
  redemption_review_above bigint,
  redemption_two_people_above bigint,
  destination_cool_down_hours integer not null default 24,
  adjustment_alone_max bigint not null default 2500,
  -- Days until a claim is decided by default, and how.
  claim_days integer not null default 30,
  claim_default text not null default 'decline',
  -- From then on nothing more is recorded for the publisher, because it moves to another installation.
  moves_at timestamptz,
  -- When the publisher arrived from another installation.
  imported_at timestamptz,
  constraint publishers_split_leaves_the_user_something check (fee_ppm + share_ppm <= 1000000),
  constraint publishers_production_clock_is_real check (environment = 'sandbox' or clock_offset_ms = 0)
);
-- Almost always empty, so checking every booking and announcement for a move costs next to nothing.
create index publishers_moving on publishers (publisher_id) where moves_at is not null;

-- A publisher that has moved must not change here any more, so that its last archive is complete
-- (docs/decisions/0056-moving-a-publisher.md): a late call or worker fails instead of being lost. Everything that
-- changes money, purchases or announcements inserts into one of the tables with this trigger in the same commit. As a
-- statement trigger, it looks once for all rows of a statement.
create function publisher_stays() returns trigger language plpgsql as $$
begin
  if exists (
    select from publishers p
    where p.moves_at <= clock_timestamp() and p.publisher_id in (select publisher_id from inserted)
  ) then
    raise exception 'This publisher has moved to another installation.'
      using errcode = 'restrict_violation', constraint = 'publisher_moved';
  end if;
  return null;
end $$;

-- A publisher keeps books in one or more currencies, and nothing is converted between them. Limits are amounts, so each
-- currency has its own.
create table publisher_currencies (
  publisher_id uuid not null references publishers,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  redemption_minimum bigint not null check (redemption_minimum > 0),
  redemption_user_day_max bigint check (redemption_user_day_max >= 0),
  redemption_review_above bigint check (redemption_review_above >= 0),
  redemption_two_people_above bigint check (redemption_two_people_above >= 0),
  adjustment_alone_max bigint not null check (adjustment_alone_max >= 0),
  created_at timestamptz not null,
  primary key (publisher_id, currency)
);

create function limits_of_the_first_currency() returns trigger language plpgsql as $$
begin
  -- One that comes from another installation brings its limits along.
  if tg_op = 'INSERT' and new.imported_at is not null then return null; end if;
  insert into publisher_currencies (publisher_id, currency, redemption_minimum, redemption_user_day_max,
    redemption_review_above, redemption_two_people_above, adjustment_alone_max, created_at)
  values (new.publisher_id, new.currency, new.redemption_minimum, new.redemption_user_day_max,
    new.redemption_review_above, new.redemption_two_people_above, new.adjustment_alone_max, new.created_at)
  on conflict (publisher_id, currency) do update set redemption_minimum = excluded.redemption_minimum,
    redemption_user_day_max = excluded.redemption_user_day_max,
    redemption_review_above = excluded.redemption_review_above,
    redemption_two_people_above = excluded.redemption_two_people_above,
    adjustment_alone_max = excluded.adjustment_alone_max;
  return null;
end $$;
create trigger limits_of_the_first_currency after insert or update of redemption_minimum, redemption_user_day_max,
  redemption_review_above, redemption_two_people_above, adjustment_alone_max on publishers
  for each row execute function limits_of_the_first_currency();

create table api_keys (
  publisher_id uuid not null references publishers,
  key_id uuid not null,
  -- Keys have 256 random bits, so a plain SHA-256 is safe and can be looked up.
  sha256 bytea not null,
  prefix text not null,
  last_four text not null,
  scopes text[] not null,
  interface_version date not null default '2024-12-12',
  created_at timestamptz not null,
  revoked_at timestamptz,
  -- A key that expires and only works from some addresses is worth less to whoever steals it.
  expires_at timestamptz,
  address_ranges text[] not null default '{}',
  -- Shows which keys can be revoked.
  last_used_on date,
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

-- The response to a write, stored in its commit, so that a repeated request gets the same response.
create table idempotency_keys (
  publisher_id uuid not null references publishers,
  idempotency_key text not null,
  route text not null,
  input_hash bytea not null,
  -- Sealed, because a response can contain a secret that is shown only once.
  sealed_answer bytea,
  created_at timestamptz not null default now(),
  primary key (publisher_id, idempotency_key, route)
);
create index idempotency_keys_by_age on idempotency_keys (created_at);

-- The outbox: facts that a lower room records for higher rooms, in the commit that caused them. A worker then starts
-- the work that src/facts.ts names.
create table facts (
  ordinal bigint generated always as identity primary key,
  publisher_id uuid not null references publishers,
  name text not null,
  payload jsonb not null,
  recorded_at timestamptz not null default now(),
  -- Failed work is retried later, so that it does not block the rest. A fact that keeps failing is due at infinity
  -- until a person has it retried.
  attempts integer not null default 0,
  due_at timestamptz not null default now(),
  error text,
  failed_at timestamptz
);
create index facts_due on facts (due_at, ordinal);
-- Publishers take turns, and each one's facts are handled in order.
create index facts_by_publisher on facts (publisher_id, due_at, ordinal);

-- Sizes of long lists. Writers only append deltas, so no row is hot, and one worker folds them. Transactions are
-- counted by UTC day and status, because counting some days of ten million rows takes seconds.
create table list_count_deltas (
  publisher_id uuid not null,
  list text not null,
  delta integer not null,
  -- Logical replication deletes only from tables with a primary key. Managed servers upgrade by it.
  ordinal bigint generated always as identity primary key
);
create table list_counts (
  publisher_id uuid not null,
  list text not null,
  total bigint not null,
  primary key (publisher_id, list)
);

-- People who sign in: staff of the operating company and of publishers in the console, users in their publisher's
-- portal.

create table accounts (
  account_id uuid primary key,
  kind text not null check (kind in ('operator', 'publisher', 'user')),
  -- Null for staff of the operating company.
  publisher_id uuid references publishers,
  user_id uuid,
  -- Set for staff. The code defines what a role may do.
  role text check (role in ('admin', 'catalog', 'finance', 'support', 'read-only')),
  email text not null,
  name text not null,
  -- The argon2id hash with its parameters; null until one is set.
  password text,
  -- The authenticator app's secret, and when its first code was entered. Before that, the secret does not count.
  sealed_totp bytea,
  totp_since timestamptz,
  -- The step of the latest accepted code, so that none is accepted twice.
  totp_step bigint,
  created_at timestamptz not null,
  -- When a mail to the address was answered.
  verified_at timestamptz,
  disabled_at timestamptz,
  check ((kind = 'operator') = (publisher_id is null)),
  check ((kind = 'user') = (user_id is not null)),
  check ((kind = 'user') = (role is null))
);
-- An unaccepted invitation must not take an address, nor tell another company that somebody has it. So the console's
-- address belongs to the account that was accepted with it, the one with a password, and each company can invite it
-- once.
create unique index accounts_with_password on accounts (lower(email)) where kind <> 'user' and password is not null;
create unique index accounts_of_companies on accounts (publisher_id, lower(email)) nulls not distinct
  where kind <> 'user';
create unique index accounts_at_portal on accounts (publisher_id, lower(email)) where kind = 'user';
create unique index accounts_of_users on accounts (publisher_id, user_id) where kind = 'user';

-- A session replaces an API key: the proof that somebody signed in.
create table sessions (
  session_id uuid primary key,
  kind text not null check (kind in ('operator', 'publisher', 'user')),
  -- Null for a user who came by a link of the publisher.
  account_id uuid references accounts on delete cascade,
  publisher_id uuid references publishers,
  user_id uuid,
  -- The token itself is only in the cookie.
  sha256 bytea not null unique check (length(sha256) = 32),
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  -- Use does not extend it.
  expires_at timestamptz not null,
  address text not null,
  user_agent text not null,
  -- True in a frame of the publisher's own page.
  is_embedded boolean not null,
  check ((kind = 'operator') = (publisher_id is null)),
  check ((kind = 'user') = (user_id is not null)),
  check (kind = 'user' or account_id is not null)
);
create index sessions_of_accounts on sessions (account_id) where account_id is not null;
create index sessions_of_users on sessions (user_id) where user_id is not null;
create index sessions_by_expiry on sessions (expires_at);

-- Single-use links that were mailed or printed, and sign-ins that wait for a second factor.
create table account_tokens (
  sha256 bytea primary key check (length(sha256) = 32),
  account_id uuid not null references accounts on delete cascade,
  purpose text not null check (purpose in ('enter', 'invitation', 'reset', 'second_factor')),
  expires_at timestamptz not null
);
create index account_tokens_of_accounts on account_tokens (account_id);
create index account_tokens_by_expiry on account_tokens (expires_at);

-- They replace a lost authenticator app. A code is deleted when it is used.
create table backup_codes (
  account_id uuid not null references accounts on delete cascade,
  sha256 bytea not null check (length(sha256) = 32),
  primary key (account_id, sha256)
);

-- Passkeys: key pairs of a device, which requires a finger or a PIN before it signs.
create table passkeys (
  passkey_id uuid primary key,
  account_id uuid not null references accounts on delete cascade,
  -- The device's ID of the passkey, and the public key (COSE), both in base64url.
  credential_id text not null unique,
  public_key text not null,
  -- The device's signature counter, or zero. A copied key would lag behind.
  sign_count bigint not null,
  transports text[] not null,
  name text not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index passkeys_of_accounts on passkeys (account_id);

-- Single-use challenges for a device to sign. Without an account, the passkey itself says who signs in.
create table passkey_challenges (
  challenge_hash bytea primary key check (length(challenge_hash) = 32),
  account_id uuid references accounts on delete cascade,
  expires_at timestamptz not null
);
create index passkey_challenges_of_accounts on passkey_challenges (account_id) where account_id is not null;
create index passkey_challenges_by_expiry on passkey_challenges (expires_at);

-- Failed sign-ins, counted by a hash of the e-mail address and by the network they came from.
create table sign_in_attempts (
  bucket_hash bytea primary key,
  count int not null,
  began_at timestamptz not null
);
create index sign_in_attempts_by_age on sign_in_attempts (began_at);

-- Mails to staff. The link in a mail is created when it is sent, so that no token is stored. The account of an address
-- is looked up only then, so that requesting a reset takes equally long for every address.
create table mails (
  mail_id uuid primary key,
  kind text not null check (kind in (
    'invitation', 'reset', 'changed', 'totp_added', 'totp_removed', 'passkey_added', 'passkey_removed')),
  email text not null,
  queued_at timestamptz not null,
  due_at timestamptz not null,
  attempts int not null default 0
);
create unique index mails_once on mails (kind, lower(email));
create index mails_due on mails (due_at);

-- Operators: API keys of the operating company, and the audit log.

create table operators (
  operator_id uuid primary key,
  name text not null,
  role text not null check (role in ('admin', 'catalog', 'finance', 'support', 'read-only')),
  -- The key itself is shown once and never stored.
  sha256 bytea not null unique check (length(sha256) = 32),
  prefix text not null,
  last_four text not null,
  created_at timestamptz not null,
  revoked_at timestamptz,
  expires_at timestamptz,
  address_ranges text[] not null default '{}',
  last_used_on date,
  -- A personal key counts as that person where two people must agree. Null for a tool's key.
  account_id uuid references accounts
);

-- Like idempotency_keys. The operator is a key or an account.
create table operator_answers (
  operator_id uuid not null,
  idempotency_key text not null,
  route text not null,
  input_hash bytea not null,
  answer jsonb,
  created_at timestamptz not null default now(),
  primary key (operator_id, idempotency_key, route)
);
create index operator_answers_by_age on operator_answers (created_at);

create table audit_log (
  audit_id uuid primary key,
  at timestamptz not null,
  -- An operator's ID, or `local:` and the account that ran the command.
  actor text not null,
  actor_name text not null,
  action text not null,
  subject text not null,
  -- The state before and after, without secrets.
  before jsonb,
  after jsonb
);
create index audit_log_by_subject on audit_log (subject, audit_id);
-- An erasure looks for the entries about its user.
create index audit_log_of_users on audit_log ((after ->> 'svc_user_id')) where after ? 'svc_user_id';

-- Entries keep who did what and when. Only texts about an erased user are removed.
create function audit_is_append_only() returns trigger language plpgsql as $$
begin
  if tg_level = 'ROW' and tg_op = 'UPDATE' then
    if to_jsonb(new) - array['before', 'after'] = to_jsonb(old) - array['before', 'after']
      and new.before is null
      and new.after @> '{"erased": true}'
      and coalesce(old.after, '{}') @> (new.after - 'erased')
      and not new.after ?| array['reason', 'publisher_user_id', 'text', 'external_id']
    then
      return new;
    end if;
  end if;
  raise exception 'what was done is not changed: add a new entry'
    using errcode = 'restrict_violation', constraint = 'audit_is_append_only';
end $$;
create trigger audit_append_only before delete or truncate on audit_log
  for each statement execute function audit_is_append_only();
create trigger audit_append_only_rows before update on audit_log
  for each row execute function audit_is_append_only();

select guard_sealed_columns();
