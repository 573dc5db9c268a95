-- The whole schema as the migrations leave it, to be read in review.
-- Written by `node scripts/dump-schema.ts`; a test keeps it current. To change it, add a migration.

CREATE OR REPLACE FUNCTION public.audit_is_append_only()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION public.booking_time()
 RETURNS timestamp with time zone
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  latest timestamptz;
begin
  perform pg_current_xact_id();
  select cut_at into latest from ledger_cut;
  return greatest(statement_timestamp(), latest + interval '1 microsecond');
end $function$;

CREATE OR REPLACE FUNCTION public.catalog_is_changing()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  current integer;
begin
  select version into current from catalog_version for update;
  perform set_config('laurel.catalog_changes_in', (coalesce(current, 0) + 1)::text, true);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.claim_notes_are_kept()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if to_jsonb(new) - 'text' = to_jsonb(old) - 'text'
    and new.text = 'erased'
    and exists (select from erasures where user_id = old.user_id and salt is not null)
  then
    return new;
  end if;
  raise exception 'notes are kept as they were written'
    using errcode = 'restrict_violation', constraint = 'claim_notes_are_kept';
end $function$;

CREATE OR REPLACE FUNCTION public.erased_reference(salt bytea, reference text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select case
    when reference like 'erased-%' then reference
    else 'erased-' || substr(encode(sha256(salt || convert_to(reference, 'UTF8')), 'hex'), 1, 32)
  end
$function$;

CREATE OR REPLACE FUNCTION public.guard_sealed_columns()
 RETURNS void
 LANGUAGE plpgsql
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION public.journals_await_verification()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into unverified_journals (user_id, cause_id, kind, cause_version)
  select user_id, cause_id, kind, cause_version from inserted;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.ledger_is_append_only()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception '% is append-only: correct it with a new journal', tg_table_name
    using errcode = 'restrict_violation', constraint = 'ledger_is_append_only';
end $function$;

CREATE OR REPLACE FUNCTION public.limits_of_the_first_currency()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION public.marketing_choices_are_kept()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'UPDATE'
    and to_jsonb(new) - 'wording' = to_jsonb(old) - 'wording'
    and new.wording = 'erased'
    and exists (select from erasures where user_id = old.user_id and salt is not null)
  then
    return new;
  end if;
  raise exception 'choices are kept as they were made'
    using errcode = 'restrict_violation', constraint = 'marketing_choices_are_kept';
end $function$;

CREATE OR REPLACE FUNCTION public.payments_await_verification()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into unverified_journals (user_id, cause_id, kind, cause_version)
  select publisher_id, cause_id, kind, cause_version from inserted;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.postbacks_are_immutable()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_level = 'ROW' and tg_op = 'UPDATE' then
    if to_jsonb(new) - array['content', 'order_id', 'transaction_id', 'report_id']
      = to_jsonb(old) - array['content', 'order_id', 'transaction_id', 'report_id']
      and new.content = '{}'
      and (select every(reference is null or reference like 'erased-%')
        from unnest(array[new.order_id, new.transaction_id, new.report_id]) as reference)
      and exists (
        select from erasures e
        where e.salt is not null
          and (e.user_id = old.user_id
            or e.user_id = (select s.user_id from sub_ids s where s.sub_id = lower(old.sub_id))
            or e.user_id in (
              select s.user_id from postback_answers a join sub_ids s on s.sub_id = a.click_sub_id
              where a.postback_id = old.postback_id
            ))
      )
    then
      return new;
    end if;
  end if;
  raise exception 'postbacks are kept as they came'
    using errcode = 'restrict_violation', constraint = 'postbacks_are_immutable';
end $function$;

CREATE OR REPLACE FUNCTION public.postings_must_balance()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  -- A statement trigger with a transition table: one pass over the new rows.
  if exists (select 1 from inserted where (select sum(amount) from unnest(amounts) as amount) is distinct from 0) then
    raise exception 'the postings of a journal must sum to zero'
      using errcode = 'check_violation', constraint = 'postings_sum_to_zero';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.publisher_stays()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if exists (
    select from publishers p
    where p.moves_at <= clock_timestamp() and p.publisher_id in (select publisher_id from inserted)
  ) then
    raise exception 'This publisher has moved to another installation.'
      using errcode = 'restrict_violation', constraint = 'publisher_moved';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.refuse_closed_key()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION public.source_events_are_kept()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION public.stamp_catalog_row()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.changed_in := current_setting('laurel.catalog_changes_in')::integer;
  return new;
end
$function$;

create table account_tokens (
  sha256 bytea not null,
  account_id uuid not null,
  purpose text not null,
  expires_at timestamp with time zone not null,
  constraint account_tokens_pkey PRIMARY KEY (sha256),
  constraint account_tokens_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id) ON DELETE CASCADE,
  constraint account_tokens_purpose_check CHECK ((purpose = ANY (ARRAY['enter'::text, 'invitation'::text, 'reset'::text, 'second_factor'::text]))),
  constraint account_tokens_sha256_check CHECK ((length(sha256) = 32))
);
CREATE INDEX account_tokens_by_expiry ON account_tokens USING btree (expires_at);
CREATE INDEX account_tokens_of_accounts ON account_tokens USING btree (account_id);

create table accounts (
  account_id uuid not null,
  kind text not null,
  publisher_id uuid,
  user_id uuid,
  role text,
  email text not null,
  name text not null,
  password text,
  sealed_totp bytea,
  totp_since timestamp with time zone,
  totp_step bigint,
  created_at timestamp with time zone not null,
  verified_at timestamp with time zone,
  disabled_at timestamp with time zone,
  constraint accounts_pkey PRIMARY KEY (account_id),
  constraint accounts_publisher_id_fkey FOREIGN KEY (publisher_id) REFERENCES publishers(publisher_id),
  constraint accounts_check CHECK (((kind = 'operator'::text) = (publisher_id IS NULL))),
  constraint accounts_check1 CHECK (((kind = 'user'::text) = (user_id IS NOT NULL))),
  constraint accounts_check2 CHECK (((kind = 'user'::text) = (role IS NULL))),
  constraint accounts_kind_check CHECK ((kind = ANY (ARRAY['operator'::text, 'publisher'::text, 'user'::text]))),
  constraint accounts_role_check CHECK ((role = ANY (ARRAY['admin'::text, 'catalog'::text, 'finance'::text, 'support'::text, 'read-only'::text])))
);
CREATE UNIQUE INDEX accounts_at_portal ON accounts USING btree (publisher_id, lower(email)) WHERE (kind = 'user'::text);
CREATE UNIQUE INDEX accounts_of_companies ON accounts USING btree (publisher_id, lower(email)) NULLS NOT DISTINCT WHERE (kind <> 'user'::text);
CREATE UNIQUE INDEX accounts_of_users ON accounts USING btree (publisher_id, user_id) WHERE (kind = 'user'::text);
CREATE UNIQUE INDEX accounts_with_password ON accounts USING btree (lower(email)) WHERE ((kind <> 'user'::text) AND (password IS NOT NULL));
CREATE TRIGGER closed_key_of_sealed_totp BEFORE INSERT OR UPDATE OF sealed_totp ON accounts FOR EACH ROW EXECUTE FUNCTION refuse_closed_key('sealed_totp');

create table adjustments (
  user_id uuid not null,
  adjustment_id uuid not null,
  publisher_id uuid not null,
  external_ref text,
  kind text not null,
  paid_by text not null,
  currency text not null,
  amount bigint not null,
  reason text not null,
  status text not null,
  proposed_by text not null,
  decided_by text,
  created_at timestamp with time zone not null,
  decided_at timestamp with time zone,
  constraint adjustments_pkey PRIMARY KEY (user_id, adjustment_id),
  constraint adjustments_external_ref UNIQUE (user_id, external_ref),
  constraint adjustments_user_id_publisher_id_fkey FOREIGN KEY (user_id, publisher_id) REFERENCES users(user_id, publisher_id),
  constraint adjustments_amount_check CHECK ((amount <> 0)),
  constraint adjustments_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint adjustments_kind_check CHECK ((kind = ANY (ARRAY['goodwill'::text, 'correction'::text, 'write_off'::text]))),
  constraint adjustments_paid_by_check CHECK ((paid_by = ANY (ARRAY['service'::text, 'publisher'::text]))),
  constraint adjustments_status_check CHECK ((status = ANY (ARRAY['proposed'::text, 'booked'::text, 'declined'::text])))
);
CREATE INDEX adjustments_by_id ON adjustments USING btree (adjustment_id);
CREATE INDEX adjustments_by_status ON adjustments USING btree (publisher_id, status, created_at, adjustment_id);
CREATE INDEX adjustments_by_time ON adjustments USING btree (publisher_id, created_at);
CREATE INDEX all_adjustments_by_creation ON adjustments USING btree (created_at, adjustment_id);
CREATE INDEX all_adjustments_by_status ON adjustments USING btree (status, created_at, adjustment_id);

create table alias_version (
  only_one boolean not null default true,
  version integer not null,
  constraint alias_version_pkey PRIMARY KEY (only_one),
  constraint alias_version_only_one_check CHECK (only_one)
);

create table allowance_holds (
  user_id uuid not null,
  transaction_id uuid not null,
  publisher_id uuid not null,
  offer_uid text not null,
  kind text not null,
  period text not null,
  starts_on date not null,
  amount bigint not null,
  most_gross bigint,
  code_id uuid,
  constraint allowance_holds_pkey PRIMARY KEY (user_id, transaction_id, kind, period),
  constraint allowance_holds_code_id_fkey FOREIGN KEY (code_id) REFERENCES voucher_codes(code_id),
  constraint allowance_holds_user_id_publisher_id_fkey FOREIGN KEY (user_id, publisher_id) REFERENCES users(user_id, publisher_id),
  constraint allowance_holds_amount_check CHECK ((amount > 0)),
  constraint allowance_holds_check CHECK (((code_id IS NOT NULL) = (kind = 'code'::text))),
  constraint allowance_holds_kind_check CHECK ((kind = ANY (ARRAY['use'::text, 'user_limit'::text, 'budget'::text, 'code'::text]))),
  constraint allowance_holds_most_gross_check CHECK ((most_gross > 0)),
  constraint allowance_holds_period_check CHECK ((period = ANY (ARRAY['DAY'::text, 'WEEK'::text, 'MONTH'::text, 'LIFETIME'::text])))
);
CREATE INDEX allowance_holds_of_offer ON allowance_holds USING btree (user_id, offer_uid);
CREATE UNIQUE INDEX allowance_holds_one_code ON allowance_holds USING btree (user_id, code_id) WHERE (kind = 'code'::text);
CREATE UNIQUE INDEX allowance_holds_one_use ON allowance_holds USING btree (user_id, offer_uid) WHERE (kind = 'use'::text);

create table allowed_android_packages (
  publisher_id uuid not null,
  android_package_name text not null,
  created_at timestamp with time zone not null,
  constraint allowed_android_packages_pkey PRIMARY KEY (publisher_id, android_package_name),
  constraint allowed_android_packages_publisher_id_fkey FOREIGN KEY (publisher_id) REFERENCES publishers(publisher_id)
);

create table allowed_redirect_uris (
  publisher_id uuid not null,
  redirect_uri text not null,
  created_at timestamp with time zone not null,
  constraint allowed_redirect_uris_pkey PRIMARY KEY (publisher_id, redirect_uri),
  constraint allowed_redirect_uris_publisher_id_fkey FOREIGN KEY (publisher_id) REFERENCES publishers(publisher_id)
);

create table announced_duplicates (
  user_id uuid not null,
  publisher_id uuid not null,
  institution_id text not null,
  name text,
  mask text,
  subtype text,
  announced_on date not null,
  announced_duplicate_id uuid not null default gen_random_uuid(),
  constraint announced_duplicates_pkey PRIMARY KEY (user_id, announced_duplicate_id),
  constraint announced_duplicates_key UNIQUE NULLS NOT DISTINCT (user_id, institution_id, name, mask, subtype),
  constraint announced_duplicates_user_id_publisher_id_fkey FOREIGN KEY (user_id, publisher_id) REFERENCES users(user_id, publisher_id)
);

create table api_keys (
  publisher_id uuid not null,
  key_id uuid not null,
  sha256 bytea not null,
  prefix text not null,
  last_four text not null,
  scopes text[] not null,
  interface_version date not null default '2024-12-12'::date,
  created_at timestamp with time zone not null,
  revoked_at timestamp with time zone,
  expires_at timestamp with time zone,
  address_ranges text[] not null default '{}'::text[],
  last_used_on date,
  constraint api_keys_pkey PRIMARY KEY (publisher_id, key_id),
  constraint api_keys_sha256_unique UNIQUE (sha256),
  constraint api_keys_publisher_id_fkey FOREIGN KEY (publisher_id) REFERENCES publishers(publisher_id)
);

create table assortment_entries (
  publisher_id uuid not null,
  entry_id uuid not null,
  category_id integer,
  brand_uid text,
  offer_uid text,
  says text not null,
  carried boolean,
  fee_ppm integer,
  share_ppm integer,
  wording text,
  category_order integer[],
  said_by text not null,
  said_at timestamp with time zone not null,
  ended_by text,
  ended_at timestamp with time zone,
  constraint assortment_entries_pkey PRIMARY KEY (publisher_id, entry_id),
  constraint assortment_entries_brand_uid_fkey FOREIGN KEY (brand_uid) REFERENCES brands(brand_uid),
  constraint assortment_entries_category_id_fkey FOREIGN KEY (category_id) REFERENCES categories(category_id),
  constraint assortment_entries_offer_uid_fkey FOREIGN KEY (offer_uid) REFERENCES offers(offer_uid),
  constraint assortment_entries_publisher_id_fkey FOREIGN KEY (publisher_id) REFERENCES publishers(publisher_id),
  constraint assortment_entries_ended_by_somebody CHECK (((ended_at IS NULL) = (ended_by IS NULL))),
  constraint assortment_entries_fee_ppm_check CHECK ((fee_ppm >= 0)),
  constraint assortment_entries_leave_the_user_something CHECK (((fee_ppm + share_ppm) <= 1000000)),
  constraint assortment_entries_one_subject CHECK ((num_nonnulls(category_id, brand_uid, offer_uid) <= 1)),
  constraint assortment_entries_one_thing CHECK (((num_nonnulls(carried, fee_ppm, wording, category_order) = 1) AND ((fee_ppm IS NULL) = (share_ppm IS NULL)) AND
CASE says
    WHEN 'carriage'::text THEN (carried IS NOT NULL)
    WHEN 'split'::text THEN ((fee_ppm IS NOT NULL) AND (num_nonnulls(brand_uid, offer_uid) = 1))
    WHEN 'wording'::text THEN ((wording IS NOT NULL) AND (offer_uid IS NOT NULL))
    ELSE ((category_order IS NOT NULL) AND (num_nonnulls(category_id, brand_uid, offer_uid) = 0))
END)),
  constraint assortment_entries_said_by_check CHECK ((said_by <> ''::text)),
  constraint assortment_entries_says_check CHECK ((says = ANY (ARRAY['carriage'::text, 'split'::text, 'wording'::text, 'category_order'::text]))),
  constraint assortment_entries_share_ppm_check CHECK ((share_ppm >= 0)),
  constraint assortment_entries_wording_check CHECK ((wording <> ''::text))
);
CREATE UNIQUE INDEX assortment_entries_live ON assortment_entries USING btree (publisher_id, says, category_id, brand_uid, offer_uid) NULLS NOT DISTINCT WHERE (ended_at IS NULL);

create table assortment_version (
  only_one boolean not null default true,
  version integer not null,
  constraint assortment_version_pkey PRIMARY KEY (only_one),
  constraint assortment_version_only_one_check CHECK (only_one)
);

create table audit_log (
  audit_id uuid not null,
  at timestamp with time zone not null,
  actor text not null,
  actor_name text not null,
  action text not null,
  subject text not null,
  before jsonb,
  after jsonb,
  constraint audit_log_pkey PRIMARY KEY (audit_id)
);
CREATE INDEX audit_log_by_subject ON audit_log USING btree (subject, audit_id);
CREATE INDEX audit_log_of_users ON audit_log USING btree (((after ->> 'svc_user_id'::text))) WHERE (after ? 'svc_user_id'::text);
CREATE TRIGGER audit_append_only BEFORE DELETE OR TRUNCATE ON audit_log FOR EACH STATEMENT EXECUTE FUNCTION audit_is_append_only();
CREATE TRIGGER audit_append_only_rows BEFORE UPDATE ON audit_log FOR EACH ROW EXECUTE FUNCTION audit_is_append_only();

create table backup_codes (
  account_id uuid not null,
  sha256 bytea not null,
  constraint backup_codes_pkey PRIMARY KEY (account_id, sha256),
  constraint backup_codes_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id) ON DELETE CASCADE,
  constraint backup_codes_sha256_check CHECK ((length(sha256) = 32))
);

create table brands (
  brand_uid text not null,
  ordinal bigint not null generated always as identity,
  category_id integer not null,
  name text not null,
  website text,
  aliases text[] not null,
  domains text[] not null,
  merchant_ids text[] not null,
  mccs text[] not null,
  description text,
  logo_img_url text,
  large_img_url text,
  small_img_url text,
  offer_description text,
  reward_type text,
  global_terms_and_conditions text,
  retired_at timestamp with time zone,
  content_sha256 text not null,
  countries text[] not null default '{}'::text[],
  changed_in integer not null default 0,
  content json,
  constraint brands_pkey PRIMARY KEY (brand_uid),
  constraint brands_category_id_fkey FOREIGN KEY (category_id) REFERENCES categories(category_id),
  constraint brands_reward_type_check CHECK ((reward_type = ANY (ARRAY['DISCOUNT_DOLLAR'::text, 'DISCOUNT_PERCENTAGE'::text, 'CASHBACK_DOLLAR'::text, 'CASHBACK_PERCENTAGE'::text])))
);
CREATE INDEX brands_by_name ON brands USING btree (lower(name));
CREATE INDEX brands_changed_in ON brands USING btree (changed_in);
CREATE UNIQUE INDEX brands_in_order ON brands USING btree (ordinal);
CREATE TRIGGER brands_are_changing BEFORE INSERT OR UPDATE ON brands FOR EACH STATEMENT EXECUTE FUNCTION catalog_is_changing();
CREATE TRIGGER brands_stamped BEFORE INSERT OR UPDATE ON brands FOR EACH ROW EXECUTE FUNCTION stamp_catalog_row();

create table budget_warnings (
  offer_uid text not null,
  period text not null,
  starts_on date not null,
  environment text not null,
  amount bigint not null,
  percent integer not null,
  warned_at timestamp with time zone not null,
  constraint budget_warnings_pkey PRIMARY KEY (offer_uid, period, starts_on, environment, amount, percent),
  constraint budget_warnings_offer_uid_period_starts_on_environment_fkey FOREIGN KEY (offer_uid, period, starts_on, environment) REFERENCES offer_budgets(offer_uid, period, starts_on, environment),
  constraint budget_warnings_percent_check CHECK (((percent >= 1) AND (percent <= 100)))
);

create table card_accounts (
  user_id uuid not null,
  card_id uuid not null,
  account_id text not null,
  publisher_id uuid not null,
  constraint card_accounts_pkey PRIMARY KEY (user_id, card_id, account_id),
  constraint card_accounts_user_id_card_id_fkey FOREIGN KEY (user_id, card_id) REFERENCES cards(user_id, card_id)
);

create table card_pairs (
  user_id uuid not null,
  reported_id uuid not null,
  feed_id uuid not null,
  publisher_id uuid not null,
  stacked text,
  since timestamp with time zone not null,
  constraint card_pairs_pkey PRIMARY KEY (user_id, reported_id),
  constraint card_pairs_one_to_one UNIQUE (user_id, feed_id),
  constraint card_pairs_user_id_publisher_id_fkey FOREIGN KEY (user_id, publisher_id) REFERENCES users(user_id, publisher_id),
  constraint card_pairs_stacked_check CHECK ((stacked = ANY (ARRAY['REPORTED'::text, 'FEED'::text, 'BOTH'::text])))
);

create table cards (
  user_id uuid not null,
  card_id uuid not null,
  publisher_id uuid not null,
  link_id uuid not null,
  account_id text not null,
  persistent_account_id text,
  name text not null,
  mask text,
  subtype text,
  version integer not null default 1,
  linked_at timestamp with time zone not null,
  unlinked_at timestamp with time zone,
  taken_over boolean not null default false,
  constraint cards_pkey PRIMARY KEY (user_id, card_id),
  constraint cards_user_id_link_id_fkey FOREIGN KEY (user_id, link_id) REFERENCES links(user_id, link_id)
);
CREATE INDEX cards_by_id ON cards USING btree (card_id);
CREATE INDEX cards_by_link ON cards USING btree (user_id, link_id);
CREATE INDEX cards_live_by_account ON cards USING btree (publisher_id, account_id) WHERE (unlinked_at IS NULL);
CREATE INDEX cards_live_by_likeness ON cards USING btree (publisher_id, mask, name) WHERE ((unlinked_at IS NULL) AND (mask IS NOT NULL));
CREATE INDEX cards_live_by_persistent_account ON cards USING btree (publisher_id, persistent_account_id) WHERE ((unlinked_at IS NULL) AND (persistent_account_id IS NOT NULL));
CREATE INDEX cards_unlinked ON cards USING btree (publisher_id, unlinked_at) WHERE (unlinked_at IS NOT NULL);
CREATE UNIQUE INDEX cards_one_live_account ON cards USING btree (user_id, account_id) WHERE (unlinked_at IS NULL);

create table catalog_version (
  only_one boolean not null default true,
  version integer not null,
  constraint catalog_version_pkey PRIMARY KEY (only_one),
  constraint catalog_version_only_one_check CHECK (only_one)
);

create table categories (
  category_id integer not null,
  category text not null,
  constraint categories_pkey PRIMARY KEY (category_id),
  constraint categories_category_id_check CHECK ((category_id > 0))
);

create table claim_notes (
  user_id uuid not null,
  note_id uuid not null,
  claim_id uuid not null,
  publisher_id uuid not null,
  author text not null,
  text text not null,
  at timestamp with time zone not null,
  constraint claim_notes_pkey PRIMARY KEY (user_id, note_id),
  constraint claim_notes_user_id_claim_id_fkey FOREIGN KEY (user_id, claim_id) REFERENCES claims(user_id, claim_id)
);
CREATE INDEX claim_notes_of_claim ON claim_notes USING btree (user_id, claim_id, note_id);
CREATE TRIGGER claim_notes_kept BEFORE UPDATE ON claim_notes FOR EACH ROW EXECUTE FUNCTION claim_notes_are_kept();

create table claims (
  user_id uuid not null,
  claim_id uuid not null,
  publisher_id uuid not null,
  external_ref text not null,
  input_hash bytea not null,
  kind text not null,
  opened_by text not null,
  transaction_id uuid,
  brand_uid text,
  offer_uid text,
  purchase_date date,
  amount bigint,
  currency text,
  order_id text,
  merchant text,
  status text not null,
  reason text,
  reason_text text,
  adjustment_id uuid,
  granted_transaction_id uuid,
  decided_by text,
  deadline timestamp with time zone not null,
  version integer not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  decided_at timestamp with time zone,
  granted_event_is_new boolean not null default false,
  constraint claims_pkey PRIMARY KEY (user_id, claim_id),
  constraint claims_external_ref UNIQUE (user_id, external_ref),
  constraint claims_user_id_adjustment_id_fkey FOREIGN KEY (user_id, adjustment_id) REFERENCES adjustments(user_id, adjustment_id),
  constraint claims_user_id_publisher_id_fkey FOREIGN KEY (user_id, publisher_id) REFERENCES users(user_id, publisher_id),
  constraint claims_amount_check CHECK ((amount > 0)),
  constraint claims_amount_has_currency CHECK (((amount IS NULL) = (currency IS NULL))),
  constraint claims_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint claims_decided_by_somebody CHECK ((((status = 'open'::text) = (decided_at IS NULL)) AND ((status = 'open'::text) = (decided_by IS NULL)))),
  constraint claims_declined_with_reason CHECK (((status = 'declined'::text) = (reason IS NOT NULL))),
  constraint claims_granted_by_one_way CHECK (
CASE status
    WHEN 'granted'::text THEN (num_nonnulls(adjustment_id, granted_transaction_id) = 1)
    WHEN 'open'::text THEN (granted_transaction_id IS NULL)
    ELSE ((adjustment_id IS NULL) AND (granted_transaction_id IS NULL))
END),
  constraint claims_kind_check CHECK ((kind = ANY (ARRAY['missing'::text, 'incorrect'::text, 'declined'::text, 'other'::text]))),
  constraint claims_name_a_transaction CHECK (((kind <> ALL (ARRAY['incorrect'::text, 'declined'::text])) OR (transaction_id IS NOT NULL))),
  constraint claims_opened_by_check CHECK ((opened_by = ANY (ARRAY['publisher'::text, 'user'::text]))),
  constraint claims_status_check CHECK ((status = ANY (ARRAY['open'::text, 'granted'::text, 'declined'::text, 'withdrawn'::text])))
);
CREATE INDEX all_claims_by_creation ON claims USING btree (status, created_at, claim_id);
CREATE INDEX all_claims_by_deadline ON claims USING btree (status, deadline, claim_id);
CREATE INDEX claims_by_deadline ON claims USING btree (publisher_id, status, deadline, claim_id);
CREATE INDEX claims_by_id ON claims USING btree (claim_id);
CREATE INDEX claims_by_status ON claims USING btree (publisher_id, status, created_at, claim_id);
CREATE INDEX claims_by_time ON claims USING btree (publisher_id, created_at, claim_id);
CREATE INDEX claims_due ON claims USING btree (publisher_id, deadline) WHERE ((status = 'open'::text) AND (adjustment_id IS NULL));
CREATE INDEX claims_granted_alone ON claims USING btree (publisher_id, decided_by, decided_at) WHERE granted_event_is_new;
CREATE INDEX claims_of_adjustment ON claims USING btree (user_id, adjustment_id) WHERE (adjustment_id IS NOT NULL);

create table clicks (
  user_id uuid not null,
  click_id uuid not null,
  publisher_id uuid not null,
  offer_uid text not null,
  clicked_at timestamp with time zone not null,
  constraint clicks_pkey PRIMARY KEY (user_id, click_id),
  constraint clicks_user_id_publisher_id_fkey FOREIGN KEY (user_id, publisher_id) REFERENCES users(user_id, publisher_id)
);
CREATE INDEX clicks_by_time ON clicks USING btree (user_id, clicked_at);
CREATE TRIGGER publisher_stays AFTER INSERT ON clicks REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION publisher_stays();

create table closings (
  books text not null,
  month text not null,
  ends_at timestamp with time zone not null,
  cut_at timestamp with time zone not null,
  booked_from timestamp with time zone not null,
  created_at timestamp with time zone not null,
  closed_by text not null,
  constraint closings_pkey PRIMARY KEY (books, month),
  constraint closings_month_check CHECK ((month ~ '^\d{4}-\d{2}$'::text))
);
CREATE TRIGGER closings_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON closings FOR EACH STATEMENT EXECUTE FUNCTION ledger_is_append_only();

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
  recorded_at timestamp with time zone not null default now(),
  acknowledged_at timestamp with time zone,
  acknowledged_by text,
  note text,
  constraint contradictions_pkey PRIMARY KEY (user_id, contradiction_id),
  constraint contradictions_once UNIQUE (user_id, subject, known, reported),
  constraint contradictions_user_id_publisher_id_fkey FOREIGN KEY (user_id, publisher_id) REFERENCES users(user_id, publisher_id)
);
CREATE INDEX contradictions_by_id ON contradictions USING btree (contradiction_id);
CREATE INDEX contradictions_open ON contradictions USING btree (recorded_at) WHERE (acknowledged_at IS NULL);

create table decisions (
  user_id uuid not null,
  transaction_id uuid not null,
  version integer not null,
  publisher_id uuid not null,
  decided_at timestamp with time zone not null,
  trace json not null,
  constraint decisions_pkey PRIMARY KEY (user_id, transaction_id, version)
);

create table erasures (
  user_id uuid not null,
  erasure_id uuid not null,
  publisher_id uuid not null,
  pseudonym text not null,
  requested_at timestamp with time zone not null,
  requested_by text not null,
  recorded_at timestamp with time zone not null default now(),
  due_at timestamp with time zone not null default now(),
  salt bytea,
  counts jsonb not null default '{}'::jsonb,
  done_at timestamp with time zone,
  sha256 bytea,
  constraint erasures_pkey PRIMARY KEY (user_id),
  constraint erasures_user_id_publisher_id_fkey FOREIGN KEY (user_id, publisher_id) REFERENCES users(user_id, publisher_id),
  constraint erasures_check CHECK (((done_at IS NULL) = (sha256 IS NULL)))
);
CREATE INDEX erasures_by_id ON erasures USING btree (erasure_id);
CREATE INDEX erasures_due ON erasures USING btree (due_at) WHERE (done_at IS NULL);

create table event_feed (
  publisher_id uuid not null,
  sequence bigint not null,
  user_id uuid not null,
  event_id uuid not null,
  type text not null,
  constraint event_feed_pkey PRIMARY KEY (publisher_id, sequence)
) with (autovacuum_vacuum_scale_factor=0.02);

create table event_queue (
  ordinal bigint not null generated always as identity,
  publisher_id uuid not null,
  user_id uuid not null,
  event_id uuid not null,
  type text not null,
  endpoint_id uuid,
  constraint event_queue_pkey PRIMARY KEY (ordinal)
);
CREATE UNIQUE INDEX event_queue_publishers ON event_queue USING btree (publisher_id, ordinal);

create table event_sequences (
  publisher_id uuid not null,
  last_sequence bigint not null,
  dropped_until bigint not null default 0,
  constraint event_sequences_pkey PRIMARY KEY (publisher_id),
  constraint event_sequences_publisher_id_fkey FOREIGN KEY (publisher_id) REFERENCES publishers(publisher_id)
);

create table events (
  user_id uuid not null,
  event_id uuid not null,
  publisher_id uuid not null,
  type text not null,
  stored_data json not null,
  previous json,
  created_at timestamp with time zone not null,
  constraint events_pkey PRIMARY KEY (user_id, event_id),
  constraint events_publisher_id_fkey FOREIGN KEY (publisher_id) REFERENCES publishers(publisher_id)
) with (autovacuum_vacuum_scale_factor=0.02);
CREATE TRIGGER publisher_stays AFTER INSERT ON events REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION publisher_stays();

create table facts (
  ordinal bigint not null generated always as identity,
  publisher_id uuid not null,
  name text not null,
  payload jsonb not null,
  recorded_at timestamp with time zone not null default now(),
  attempts integer not null default 0,
  due_at timestamp with time zone not null default now(),
  error text,
  failed_at timestamp with time zone,
  constraint facts_pkey PRIMARY KEY (ordinal),
  constraint facts_publisher_id_fkey FOREIGN KEY (publisher_id) REFERENCES publishers(publisher_id)
);
CREATE INDEX facts_by_publisher ON facts USING btree (publisher_id, due_at, ordinal);
CREATE INDEX facts_due ON facts USING btree (due_at, ordinal);

create table feed_epochs (
  publisher_id uuid not null,
  epoch bigint not null,
  begins_after bigint not null,
  constraint feed_epochs_pkey PRIMARY KEY (publisher_id, epoch),
  constraint feed_epochs_publisher_id_fkey FOREIGN KEY (publisher_id) REFERENCES publishers(publisher_id)
);

create table feed_rows (
  user_id uuid not null,
  row_id text not null,
  publisher_id uuid not null,
  link_id uuid not null,
  generation integer not null,
  card_id uuid,
  external_id text not null,
  handed_as text,
  refund_of text,
  amount bigint not null,
  peak_amount bigint not null,
  currency text not null,
  bought_on date not null,
  occurred_at timestamp with time zone not null,
  content_hash bytea not null,
  revision integer not null default 0,
  removed boolean not null default false,
  account_id text,
  replaced_by text,
  waits_until timestamp with time zone,
  merchant_keys text[] not null default '{}'::text[],
  is_orphan boolean not null default false,
  constraint feed_rows_pkey PRIMARY KEY (user_id, row_id),
  constraint feed_rows_user_id_link_id_fkey FOREIGN KEY (user_id, link_id) REFERENCES links(user_id, link_id),
  constraint feed_rows_handed_as_check CHECK ((handed_as = ANY (ARRAY['AUTHORIZATION'::text, 'CLEARING'::text, 'REFUND'::text])))
);
CREATE INDEX feed_rows_by_day ON feed_rows USING btree (user_id, link_id, bought_on);
CREATE INDEX feed_rows_by_event ON feed_rows USING btree (user_id, external_id);
CREATE INDEX feed_rows_orphans ON feed_rows USING btree (publisher_id, user_id) WHERE is_orphan;
CREATE INDEX feed_rows_orphans_by_day ON feed_rows USING btree (((bought_on)::timestamp without time zone AT TIME ZONE 'UTC'::text)) WHERE is_orphan;
CREATE INDEX feed_rows_waiting ON feed_rows USING btree (publisher_id, waits_until) WHERE (waits_until IS NOT NULL);

create table former_offers (
  offer_uid text not null,
  ordinal bigint not null,
  brand_uid text not null,
  offer_type text not null,
  reward_type text not null,
  currency text not null,
  name text not null,
  description text,
  formatted_description text,
  banner_url text,
  commission_groups jsonb not null,
  refund_period_days integer not null,
  voucher_code text,
  location text,
  channels text[],
  one_time_use boolean not null,
  new_customer_only boolean not null,
  new_customer_days integer not null,
  min_spend bigint,
  max_spend bigint,
  denominations bigint[] not null,
  start_date date,
  end_date date,
  terms_and_conditions text,
  retired_at timestamp with time zone,
  content_sha256 text not null,
  version integer not null,
  conditions jsonb not null,
  changed_in integer not null,
  stores jsonb not null,
  replaced_in integer not null,
  constraint former_offers_pkey PRIMARY KEY (offer_uid, version)
);
CREATE INDEX former_offers_of_brand ON former_offers USING btree (brand_uid, replaced_in);

create table further_card_pairs (
  user_id uuid not null,
  feed_id uuid not null,
  reported_id uuid not null,
  publisher_id uuid not null,
  stacked text,
  since timestamp with time zone not null,
  constraint further_card_pairs_pkey PRIMARY KEY (user_id, feed_id),
  constraint further_card_pairs_user_id_publisher_id_fkey FOREIGN KEY (user_id, publisher_id) REFERENCES users(user_id, publisher_id),
  constraint further_card_pairs_stacked_check CHECK ((stacked = ANY (ARRAY['REPORTED'::text, 'FEED'::text, 'BOTH'::text])))
);

create table gift_card_orders (
  user_id uuid not null,
  order_id uuid not null,
  publisher_id uuid not null,
  external_ref text,
  offer_uid text not null,
  currency text not null,
  total bigint not null,
  status text not null,
  redemption_id uuid,
  supplier_order_id text,
  reason_code text,
  reason_text text,
  version integer not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint gift_card_orders_pkey PRIMARY KEY (user_id, order_id),
  constraint gift_card_orders_external_ref UNIQUE (user_id, external_ref),
  constraint gift_card_orders_redemption UNIQUE (user_id, redemption_id),
  constraint gift_card_orders_user_id_publisher_id_fkey FOREIGN KEY (user_id, publisher_id) REFERENCES users(user_id, publisher_id),
  constraint gift_card_orders_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint gift_card_orders_status_check CHECK ((status = ANY (ARRAY['ordered'::text, 'delivered'::text, 'partially_delivered'::text, 'failed'::text, 'refunded'::text]))),
  constraint gift_card_orders_total_check CHECK ((total > 0))
);
CREATE INDEX gift_card_orders_by_id ON gift_card_orders USING btree (order_id);
CREATE INDEX gift_card_orders_by_time ON gift_card_orders USING btree (publisher_id, created_at DESC, order_id DESC);

create table gift_card_queue (
  item_id uuid not null,
  kind text not null,
  user_id uuid not null,
  publisher_id uuid not null,
  attempts integer not null default 0,
  due_at timestamp with time zone not null,
  queued_at timestamp with time zone not null default now(),
  ended_at timestamp with time zone,
  constraint gift_card_queue_pkey PRIMARY KEY (item_id),
  constraint gift_card_queue_kind_check CHECK ((kind = ANY (ARRAY['order'::text, 'refund'::text])))
);
CREATE INDEX gift_card_queue_due ON gift_card_queue USING btree (due_at);

create table gift_cards (
  user_id uuid not null,
  card_id uuid not null,
  publisher_id uuid not null,
  order_id uuid not null,
  ordinal smallint not null,
  denomination bigint not null,
  status text not null,
  transaction_id uuid,
  supplier_card_id text,
  mask text,
  sealed_details bytea,
  expires_on date,
  revealed_at timestamp with time zone,
  may_reveal boolean not null default true,
  constraint gift_cards_pkey PRIMARY KEY (user_id, card_id),
  constraint gift_cards_ordinal UNIQUE (user_id, order_id, ordinal),
  constraint gift_cards_user_id_order_id_fkey FOREIGN KEY (user_id, order_id) REFERENCES gift_card_orders(user_id, order_id),
  constraint gift_cards_delivered CHECK (((status = ANY (ARRAY['ordered'::text, 'undelivered'::text])) = ((supplier_card_id IS NULL) AND (sealed_details IS NULL)))),
  constraint gift_cards_denomination_check CHECK ((denomination > 0)),
  constraint gift_cards_ordinal_check CHECK ((ordinal > 0)),
  constraint gift_cards_status_check CHECK ((status = ANY (ARRAY['ordered'::text, 'delivered'::text, 'undelivered'::text, 'refunding'::text, 'refunded'::text])))
);
CREATE INDEX gift_cards_by_id ON gift_cards USING btree (card_id);
CREATE TRIGGER closed_key_of_sealed_details BEFORE INSERT OR UPDATE OF sealed_details ON gift_cards FOR EACH ROW EXECUTE FUNCTION refuse_closed_key('sealed_details');

create table handed_over_items (
  publisher_id uuid not null,
  item_fingerprint bytea not null,
  constraint handed_over_items_pkey PRIMARY KEY (publisher_id, item_fingerprint),
  constraint handed_over_items_publisher_id_fkey FOREIGN KEY (publisher_id) REFERENCES publishers(publisher_id)
);

create table hosted_links (
  user_id uuid not null,
  hosted_id uuid not null,
  publisher_id uuid not null,
  owner text not null,
  sealed_token bytea not null,
  token_fingerprint bytea not null,
  expires_at timestamp with time zone not null,
  due_at timestamp with time zone not null,
  failures integer not null default 0,
  lease uuid,
  lease_until timestamp with time zone,
  constraint hosted_links_pkey PRIMARY KEY (user_id, hosted_id),
  constraint hosted_links_user_id_publisher_id_fkey FOREIGN KEY (user_id, publisher_id) REFERENCES users(user_id, publisher_id),
  constraint hosted_links_owner_check CHECK ((owner = ANY (ARRAY['service'::text, 'publisher'::text])))
);
CREATE INDEX hosted_links_by_token ON hosted_links USING btree (token_fingerprint);
CREATE INDEX hosted_links_due ON hosted_links USING btree (due_at);
CREATE TRIGGER closed_key_of_sealed_token BEFORE INSERT OR UPDATE OF sealed_token ON hosted_links FOR EACH ROW EXECUTE FUNCTION refuse_closed_key('sealed_token');

create table idempotency_keys (
  publisher_id uuid not null,
  idempotency_key text not null,
  route text not null,
  input_hash bytea not null,
  sealed_answer bytea,
  created_at timestamp with time zone not null default now(),
  constraint idempotency_keys_pkey PRIMARY KEY (publisher_id, idempotency_key, route),
  constraint idempotency_keys_publisher_id_fkey FOREIGN KEY (publisher_id) REFERENCES publishers(publisher_id)
);
CREATE INDEX idempotency_keys_by_age ON idempotency_keys USING btree (created_at);
CREATE TRIGGER closed_key_of_sealed_answer BEFORE INSERT OR UPDATE OF sealed_answer ON idempotency_keys FOR EACH ROW EXECUTE FUNCTION refuse_closed_key('sealed_answer');

create table installation (
  only_row boolean not null default true,
  master_key_fingerprint bytea,
  sealed_derivation_secret bytea,
  constraint installation_pkey PRIMARY KEY (only_row),
  constraint installation_only_row_check CHECK (only_row)
);
CREATE TRIGGER closed_key_of_sealed_derivation_secret BEFORE INSERT OR UPDATE OF sealed_derivation_secret ON installation FOR EACH ROW EXECUTE FUNCTION refuse_closed_key('sealed_derivation_secret');

create table institutions (
  institution_id text not null,
  name text not null,
  logo text,
  color text,
  fetched_at timestamp with time zone not null,
  constraint institutions_pkey PRIMARY KEY (institution_id)
);

create table item_removals (
  user_id uuid not null,
  removal_id uuid not null,
  publisher_id uuid not null,
  link_id uuid not null,
  sealed_token bytea not null,
  item_fingerprint bytea not null,
  due_at timestamp with time zone not null,
  lease_until timestamp with time zone,
  failures integer not null default 0,
  owner text not null default 'service'::text,
  lease uuid,
  constraint item_removals_pkey PRIMARY KEY (user_id, removal_id),
  constraint item_removals_user_id_publisher_id_fkey FOREIGN KEY (user_id, publisher_id) REFERENCES users(user_id, publisher_id),
  constraint item_removals_owner_check CHECK ((owner = ANY (ARRAY['service'::text, 'publisher'::text])))
);
CREATE INDEX item_removals_due ON item_removals USING btree (due_at);
CREATE TRIGGER closed_key_of_sealed_token BEFORE INSERT OR UPDATE OF sealed_token ON item_removals FOR EACH ROW EXECUTE FUNCTION refuse_closed_key('sealed_token');

create table journals (
  user_id uuid not null,
  journal_id uuid not null,
  publisher_id uuid not null,
  kind text not null,
  cause_id uuid not null,
  cause_version integer not null,
  effective_at timestamp with time zone not null,
  created_at timestamp with time zone not null default booking_time(),
  currency text not null,
  accounts text[] not null,
  owners text[] not null,
  amounts bigint[] not null,
  constraint journals_once_per_cause PRIMARY KEY (user_id, cause_id, kind, cause_version),
  constraint journals_user_id_publisher_id_fkey FOREIGN KEY (user_id, publisher_id) REFERENCES users(user_id, publisher_id),
  constraint journals_accounts_check CHECK ((accounts <@ ARRAY['advertiser_receivable'::text, 'user_pending'::text, 'user_available'::text, 'user_held'::text, 'user_debt'::text, 'publisher_pending'::text, 'publisher_payable'::text, 'fee_pending'::text, 'fee_earned'::text, 'payout_clearing'::text, 'clawback_loss'::text, 'goodwill'::text])),
  constraint journals_amounts_check CHECK (((cardinality(amounts) > 0) AND (cardinality(accounts) = cardinality(amounts)) AND (cardinality(owners) = cardinality(amounts)) AND (array_position(amounts, NULL::bigint) IS NULL) AND (array_position(owners, NULL::text) IS NULL) AND (0 <> ALL (amounts)))),
  constraint journals_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint journals_kind_check CHECK ((kind = ANY (ARRAY['accrual'::text, 'reassignment'::text, 'maturity'::text, 'clawback'::text, 'redemption_hold'::text, 'redemption_paid'::text, 'redemption_released'::text, 'redemption_returned'::text, 'adjustment'::text, 'write_off'::text])))
);
CREATE INDEX journals_by_booking ON journals USING brin (created_at) WITH (autosummarize='on');
CREATE TRIGGER journals_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON journals FOR EACH STATEMENT EXECUTE FUNCTION ledger_is_append_only();
CREATE TRIGGER journals_await_verification AFTER INSERT ON journals REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION journals_await_verification();
CREATE TRIGGER postings_sum_to_zero AFTER INSERT ON journals REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION postings_must_balance();
CREATE TRIGGER publisher_stays AFTER INSERT ON journals REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION publisher_stays();

create table key_holders (
  holder_id uuid not null,
  name text not null,
  held text[] not null,
  sealing text not null,
  seen_at timestamp with time zone not null,
  constraint key_holders_pkey PRIMARY KEY (holder_id)
);

create table ledger_added_up (
  one boolean not null default true,
  booked_until timestamp with time zone not null,
  constraint ledger_added_up_pkey PRIMARY KEY (one),
  constraint ledger_added_up_one_check CHECK (one)
);

create table ledger_cut (
  one boolean not null default true,
  cut_at timestamp with time zone not null default '-infinity'::timestamp with time zone,
  constraint ledger_cut_pkey PRIMARY KEY (one),
  constraint ledger_cut_one_check CHECK (one)
);

create table ledger_days (
  publisher_id uuid not null,
  day date not null,
  currency text not null,
  kind text not null,
  account text not null,
  debits bigint not null,
  credits bigint not null,
  debited bigint not null,
  credited bigint not null,
  constraint ledger_days_pkey PRIMARY KEY (publisher_id, day, currency, kind, account),
  constraint ledger_days_publisher_id_fkey FOREIGN KEY (publisher_id) REFERENCES publishers(publisher_id)
);
CREATE INDEX ledger_days_by_day ON ledger_days USING btree (day);

create table ledger_deltas (
  publisher_id uuid not null,
  account text not null,
  owner text not null,
  currency text not null,
  amount bigint not null,
  ordinal bigint not null generated always as identity,
  constraint ledger_deltas_pkey PRIMARY KEY (ordinal)
);

create table ledger_rollups (
  publisher_id uuid not null,
  account text not null,
  owner text not null,
  currency text not null,
  balance bigint not null,
  constraint ledger_rollups_pkey PRIMARY KEY (publisher_id, account, owner, currency)
);

create table ledger_totals (
  publisher_id uuid not null,
  currency text not null,
  kind text not null,
  account text not null,
  debits bigint not null,
  credits bigint not null,
  debited bigint not null,
  credited bigint not null,
  constraint ledger_totals_pkey PRIMARY KEY (publisher_id, currency, kind, account),
  constraint ledger_totals_publisher_id_fkey FOREIGN KEY (publisher_id) REFERENCES publishers(publisher_id)
);

create table ledger_verification (
  one boolean not null default true,
  due_at timestamp with time zone not null default '-infinity'::timestamp with time zone,
  added_up_to uuid default '00000000-0000-0000-0000-000000000000'::uuid,
  step smallint not null default 0,
  next_slice smallint not null default 0,
  found integer not null default 0,
  differences integer not null default 0,
  verified_at timestamp with time zone not null default now(),
  constraint ledger_verification_pkey PRIMARY KEY (one),
  constraint ledger_verification_one_check CHECK (one)
);

create table linker_items (
  user_id uuid not null,
  link_id uuid not null,
  publisher_id uuid not null,
  owner text not null,
  sealed_token bytea not null,
  item_fingerprint bytea not null,
  generation integer not null default 1,
  cursor text,
  sync_requests integer not null default 1,
  sync_due_at timestamp with time zone not null,
  sync_lease uuid,
  sync_lease_until timestamp with time zone,
  sync_failures integer not null default 0,
  synced_at timestamp with time zone,
  check_requests integer not null default 0,
  check_due_at timestamp with time zone,
  check_lease_until timestamp with time zone,
  check_failures integer not null default 0,
  sync_asked boolean not null default false,
  sync_paced_until timestamp with time zone,
  check_paced_until timestamp with time zone,
  checked_at timestamp with time zone,
  hinted_at timestamp with time zone,
  heard_at timestamp with time zone,
  last_updated_at timestamp with time zone,
  consent_ends_at timestamp with time zone,
  disconnects_at timestamp with time zone,
  disconnect_settled_at timestamp with time zone,
  fault text,
  fault_since timestamp with time zone,
  new_accounts_hinted boolean not null default false,
  check_lease uuid,
  revoked_accounts text[] not null default '{}'::text[],
  constraint linker_items_pkey PRIMARY KEY (user_id, link_id),
  constraint linker_items_user_id_link_id_fkey FOREIGN KEY (user_id, link_id) REFERENCES links(user_id, link_id),
  constraint linker_items_owner_check CHECK ((owner = ANY (ARRAY['service'::text, 'publisher'::text])))
);
CREATE INDEX linker_items_at_fault ON linker_items USING btree (fault) WHERE (fault IS NOT NULL);
CREATE INDEX linker_items_by_fingerprint ON linker_items USING btree (item_fingerprint);
CREATE INDEX linker_items_by_publisher ON linker_items USING btree (publisher_id, synced_at);
CREATE INDEX linker_items_in_turn ON linker_items USING btree (publisher_id, sync_asked, sync_due_at);
CREATE INDEX linker_items_to_check ON linker_items USING btree (check_due_at) WHERE (check_due_at IS NOT NULL);
CREATE INDEX linker_items_to_sync ON linker_items USING btree (sync_due_at);
CREATE TRIGGER closed_key_of_sealed_token BEFORE INSERT OR UPDATE OF sealed_token ON linker_items FOR EACH ROW EXECUTE FUNCTION refuse_closed_key('sealed_token');

create table links (
  user_id uuid not null,
  link_id uuid not null,
  publisher_id uuid not null,
  institution_id text not null,
  institution_name text not null,
  error text,
  linked_at timestamp with time zone not null,
  unlinked_at timestamp with time zone,
  reauthentication_deadline timestamp with time zone,
  break_told_at timestamp with time zone,
  observed_at timestamp with time zone,
  left_out text[] not null default '{}'::text[],
  new_accounts_available boolean not null default false,
  constraint links_pkey PRIMARY KEY (user_id, link_id),
  constraint links_user_id_publisher_id_fkey FOREIGN KEY (user_id, publisher_id) REFERENCES users(user_id, publisher_id),
  constraint links_error_check CHECK ((error = ANY (ARRAY['NEED_AUTHENTICATION'::text, 'UNKNOWN'::text])))
);
CREATE INDEX links_broken ON links USING btree (linked_at, link_id) WHERE ((error IS NOT NULL) AND (unlinked_at IS NULL));
CREATE INDEX links_by_error ON links USING btree (error) WHERE ((error IS NOT NULL) AND (unlinked_at IS NULL));

create table list_count_deltas (
  publisher_id uuid not null,
  list text not null,
  delta integer not null,
  ordinal bigint not null generated always as identity,
  constraint list_count_deltas_pkey PRIMARY KEY (ordinal)
);

create table list_counts (
  publisher_id uuid not null,
  list text not null,
  total bigint not null,
  constraint list_counts_pkey PRIMARY KEY (publisher_id, list)
);

create table mails (
  mail_id uuid not null,
  kind text not null,
  email text not null,
  queued_at timestamp with time zone not null,
  due_at timestamp with time zone not null,
  attempts integer not null default 0,
  constraint mails_pkey PRIMARY KEY (mail_id),
  constraint mails_kind_check CHECK ((kind = ANY (ARRAY['invitation'::text, 'reset'::text, 'changed'::text, 'totp_added'::text, 'totp_removed'::text, 'passkey_added'::text, 'passkey_removed'::text])))
);
CREATE INDEX mails_due ON mails USING btree (due_at);
CREATE UNIQUE INDEX mails_once ON mails USING btree (kind, lower(email));

create table marketing_choices (
  user_id uuid not null,
  version integer not null,
  publisher_id uuid not null,
  agreed boolean not null,
  wording text not null,
  language text not null,
  via text not null,
  chosen_at timestamp with time zone not null,
  constraint marketing_choices_pkey PRIMARY KEY (user_id, version),
  constraint marketing_choices_user_id_publisher_id_fkey FOREIGN KEY (user_id, publisher_id) REFERENCES users(user_id, publisher_id),
  constraint marketing_choices_via_check CHECK ((via = ANY (ARRAY['portal'::text, 'api'::text])))
);
CREATE TRIGGER marketing_choices_kept BEFORE DELETE OR UPDATE ON marketing_choices FOR EACH ROW EXECUTE FUNCTION marketing_choices_are_kept();

create table master_keys (
  key_id text not null,
  state text not null,
  fingerprint bytea not null,
  changed_at timestamp with time zone not null default now(),
  constraint master_keys_pkey PRIMARY KEY (key_id),
  constraint master_keys_key_id_check CHECK ((key_id ~ '^[0-9a-f]{8}$'::text)),
  constraint master_keys_state_check CHECK ((state = ANY (ARRAY['announced'::text, 'sealing'::text, 'opening'::text, 'closing'::text, 'retired'::text])))
);
CREATE UNIQUE INDEX master_keys_one_of_each ON master_keys USING btree (state) WHERE (state = ANY (ARRAY['announced'::text, 'sealing'::text]));

create table match_aliases (
  alias_uid uuid not null,
  publisher_id uuid,
  key text not null,
  brand_uid text,
  decided_by text not null,
  decided_at timestamp with time zone not null,
  note text,
  revoked_at timestamp with time zone,
  revoked_by text,
  constraint match_aliases_pkey PRIMARY KEY (alias_uid),
  constraint match_aliases_brand_uid_fkey FOREIGN KEY (brand_uid) REFERENCES brands(brand_uid),
  constraint match_aliases_publisher_id_fkey FOREIGN KEY (publisher_id) REFERENCES publishers(publisher_id),
  constraint match_aliases_decided_by_check CHECK ((decided_by <> ''::text)),
  constraint match_aliases_key_check CHECK ((key <> ''::text)),
  constraint match_aliases_revoked_by_somebody CHECK (((revoked_at IS NULL) = (revoked_by IS NULL)))
);
CREATE INDEX match_aliases_of_key ON match_aliases USING btree (key);
CREATE UNIQUE INDEX match_aliases_live ON match_aliases USING btree (publisher_id, key) NULLS NOT DISTINCT WHERE (revoked_at IS NULL);

create table merchant_sightings (
  publisher_id uuid not null,
  provider_merchant_id text not null,
  brand_uid text not null,
  transaction_id uuid not null,
  seen_at timestamp with time zone not null,
  constraint merchant_sightings_pkey PRIMARY KEY (publisher_id, provider_merchant_id, brand_uid, transaction_id),
  constraint merchant_sightings_publisher_id_fkey FOREIGN KEY (publisher_id) REFERENCES publishers(publisher_id)
);

create table network_reports (
  network text not null,
  url text not null,
  body text,
  header text not null,
  sealed_header bytea,
  every_minutes integer not null,
  days integer not null,
  page_days integer not null,
  next_at timestamp with time zone not null,
  failures integer not null default 0,
  last_success_at timestamp with time zone,
  last_error text,
  last_error_at timestamp with time zone,
  constraint network_reports_pkey PRIMARY KEY (network),
  constraint network_reports_network_fkey FOREIGN KEY (network) REFERENCES networks(network),
  constraint network_reports_days_check CHECK (((days >= 1) AND (days <= 365))),
  constraint network_reports_every_minutes_check CHECK (((every_minutes >= 5) AND (every_minutes <= 10080))),
  constraint network_reports_page_days_check CHECK (((page_days >= 1) AND (page_days <= 92)))
);
CREATE INDEX network_reports_due ON network_reports USING btree (next_at);
CREATE TRIGGER closed_key_of_sealed_header BEFORE INSERT OR UPDATE OF sealed_header ON network_reports FOR EACH ROW EXECUTE FUNCTION refuse_closed_key('sealed_header');

create table networks (
  network text not null,
  secret_fingerprint bytea not null,
  updated_at timestamp with time zone not null,
  lock_days integer not null default 90,
  format text not null default 'generic'::text,
  fields jsonb not null default '{}'::jsonb,
  window_days integer not null default 30,
  constraint networks_pkey PRIMARY KEY (network),
  constraint networks_lock_days CHECK (((lock_days >= 1) AND (lock_days <= 365))),
  constraint networks_network_check CHECK ((network ~ '^[a-z0-9][a-z0-9_-]{0,63}$'::text))
);

create table offer_activations (
  user_id uuid not null,
  offer_uid text not null,
  activated_at timestamp with time zone not null,
  publisher_id uuid not null,
  deactivated_at timestamp with time zone,
  constraint offer_activations_pkey PRIMARY KEY (user_id, offer_uid, activated_at),
  constraint offer_activations_user_id_publisher_id_fkey FOREIGN KEY (user_id, publisher_id) REFERENCES users(user_id, publisher_id)
);
CREATE UNIQUE INDEX offer_activations_open ON offer_activations USING btree (user_id, offer_uid) WHERE (deactivated_at IS NULL);

create table offer_budget_slots (
  offer_uid text not null,
  period text not null,
  starts_on date not null,
  environment text not null,
  slot smallint not null,
  unspent bigint not null,
  is_overspent boolean not null default false,
  constraint offer_budget_slots_pkey PRIMARY KEY (offer_uid, period, starts_on, environment, slot),
  constraint offer_budget_slots_offer_uid_period_starts_on_environment_fkey FOREIGN KEY (offer_uid, period, starts_on, environment) REFERENCES offer_budgets(offer_uid, period, starts_on, environment),
  constraint offer_budget_slots_check CHECK (((unspent >= 0) OR is_overspent))
) with (fillfactor=50);

create table offer_budgets (
  offer_uid text not null,
  period text not null,
  starts_on date not null,
  environment text not null,
  amount bigint not null,
  offer_version integer not null,
  slots integer not null,
  constraint offer_budgets_pkey PRIMARY KEY (offer_uid, period, starts_on, environment),
  constraint offer_budgets_amount_check CHECK ((amount >= 0)),
  constraint offer_budgets_environment_check CHECK ((environment = ANY (ARRAY['sandbox'::text, 'production'::text]))),
  constraint offer_budgets_period_check CHECK ((period = ANY (ARRAY['DAY'::text, 'WEEK'::text, 'MONTH'::text, 'LIFETIME'::text]))),
  constraint offer_budgets_slots_check CHECK ((slots > 0))
);
CREATE INDEX offer_budgets_of_a_day ON offer_budgets USING btree (starts_on, period);

create table offer_versions (
  offer_uid text not null,
  version integer not null,
  content json not null,
  valid_from timestamp with time zone not null,
  changed_by text not null,
  constraint offer_versions_pkey PRIMARY KEY (offer_uid, version),
  constraint offer_versions_offer_uid_fkey FOREIGN KEY (offer_uid) REFERENCES offers(offer_uid)
);

create table offers (
  offer_uid text not null,
  ordinal bigint not null generated always as identity,
  brand_uid text not null,
  offer_type text not null,
  reward_type text not null,
  currency text not null,
  name text not null,
  description text,
  formatted_description text,
  banner_url text,
  commission_groups jsonb not null,
  refund_period_days integer not null,
  voucher_code text,
  location text,
  channels text[],
  one_time_use boolean not null,
  new_customer_only boolean not null,
  new_customer_days integer not null,
  min_spend bigint,
  max_spend bigint,
  denominations bigint[] not null,
  start_date date,
  end_date date,
  terms_and_conditions text,
  retired_at timestamp with time zone,
  content_sha256 text not null,
  version integer not null default 1,
  conditions jsonb not null default '{}'::jsonb,
  changed_in integer not null default 0,
  constraint offers_pkey PRIMARY KEY (offer_uid),
  constraint offers_brand_uid_fkey FOREIGN KEY (brand_uid) REFERENCES brands(brand_uid),
  constraint offers_commission_groups_check CHECK ((jsonb_array_length(commission_groups) > 0)),
  constraint offers_conditions_check CHECK ((jsonb_typeof(conditions) = 'object'::text)),
  constraint offers_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint offers_dates CHECK ((end_date >= start_date)),
  constraint offers_denominations CHECK (((denominations = '{}'::bigint[]) OR (offer_type = 'GIFT_CARD'::text))),
  constraint offers_max_spend_check CHECK ((max_spend > 0)),
  constraint offers_min_spend_check CHECK ((min_spend >= 0)),
  constraint offers_new_customer_days_check CHECK ((new_customer_days > 0)),
  constraint offers_offer_type_check CHECK ((offer_type = ANY (ARRAY['CARD_LINKED'::text, 'AFFILIATE'::text, 'GIFT_CARD'::text, 'VOUCHER_CODE'::text]))),
  constraint offers_refund_period_days_check CHECK ((refund_period_days >= 0)),
  constraint offers_reward_type_check CHECK ((reward_type = ANY (ARRAY['DISCOUNT_DOLLAR'::text, 'DISCOUNT_PERCENTAGE'::text, 'CASHBACK_DOLLAR'::text, 'CASHBACK_PERCENTAGE'::text]))),
  constraint offers_spend_bounds CHECK ((max_spend >= min_spend)),
  constraint offers_version_check CHECK ((version > 0)),
  constraint offers_voucher_code CHECK (((voucher_code IS NULL) OR (offer_type = 'VOUCHER_CODE'::text)))
);
CREATE INDEX offers_changed_in ON offers USING btree (changed_in);
CREATE INDEX offers_of_brand ON offers USING btree (brand_uid, ordinal);
CREATE INDEX offers_with_budgets ON offers USING btree (ordinal) WHERE ((retired_at IS NULL) AND ((conditions -> 'budgets'::text) IS NOT NULL));
CREATE UNIQUE INDEX offers_in_order ON offers USING btree (ordinal);
CREATE TRIGGER offers_are_changing BEFORE INSERT OR UPDATE ON offers FOR EACH STATEMENT EXECUTE FUNCTION catalog_is_changing();
CREATE TRIGGER offers_stamped BEFORE INSERT OR UPDATE ON offers FOR EACH ROW EXECUTE FUNCTION stamp_catalog_row();

create table open_refunds (
  user_id uuid not null,
  transaction_id uuid not null,
  publisher_id uuid not null,
  since timestamp with time zone not null,
  constraint open_refunds_pkey PRIMARY KEY (user_id, transaction_id),
  constraint open_refunds_user_id_publisher_id_fkey FOREIGN KEY (user_id, publisher_id) REFERENCES users(user_id, publisher_id)
);
CREATE INDEX open_refunds_by_age ON open_refunds USING btree (since, transaction_id);

create table operator_answers (
  operator_id uuid not null,
  idempotency_key text not null,
  route text not null,
  input_hash bytea not null,
  answer jsonb,
  created_at timestamp with time zone not null default now(),
  constraint operator_answers_pkey PRIMARY KEY (operator_id, idempotency_key, route)
);
CREATE INDEX operator_answers_by_age ON operator_answers USING btree (created_at);

create table operators (
  operator_id uuid not null,
  name text not null,
  role text not null,
  sha256 bytea not null,
  prefix text not null,
  last_four text not null,
  created_at timestamp with time zone not null,
  revoked_at timestamp with time zone,
  expires_at timestamp with time zone,
  address_ranges text[] not null default '{}'::text[],
  last_used_on date,
  account_id uuid,
  constraint operators_pkey PRIMARY KEY (operator_id),
  constraint operators_sha256_key UNIQUE (sha256),
  constraint operators_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id),
  constraint operators_role_check CHECK ((role = ANY (ARRAY['admin'::text, 'catalog'::text, 'finance'::text, 'support'::text, 'read-only'::text]))),
  constraint operators_sha256_check CHECK ((length(sha256) = 32))
);

create table orphan_decisions (
  user_id uuid not null,
  row_id text not null,
  publisher_id uuid not null,
  transaction_id uuid,
  decided_by text not null,
  reason text,
  decided_at timestamp with time zone not null,
  constraint orphan_decisions_pkey PRIMARY KEY (user_id, row_id),
  constraint orphan_decisions_user_id_publisher_id_fkey FOREIGN KEY (user_id, publisher_id) REFERENCES users(user_id, publisher_id),
  constraint orphan_decisions_decided_by_check CHECK ((decided_by <> ''::text))
);

create table passkey_challenges (
  challenge_hash bytea not null,
  account_id uuid,
  expires_at timestamp with time zone not null,
  constraint passkey_challenges_pkey PRIMARY KEY (challenge_hash),
  constraint passkey_challenges_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id) ON DELETE CASCADE,
  constraint passkey_challenges_challenge_hash_check CHECK ((length(challenge_hash) = 32))
);
CREATE INDEX passkey_challenges_by_expiry ON passkey_challenges USING btree (expires_at);
CREATE INDEX passkey_challenges_of_accounts ON passkey_challenges USING btree (account_id) WHERE (account_id IS NOT NULL);

create table passkeys (
  passkey_id uuid not null,
  account_id uuid not null,
  credential_id text not null,
  public_key text not null,
  sign_count bigint not null,
  transports text[] not null,
  name text not null,
  created_at timestamp with time zone not null,
  last_used_at timestamp with time zone,
  constraint passkeys_pkey PRIMARY KEY (passkey_id),
  constraint passkeys_credential_id_key UNIQUE (credential_id),
  constraint passkeys_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id) ON DELETE CASCADE
);
CREATE INDEX passkeys_of_accounts ON passkeys USING btree (account_id);

create table payment_journals (
  publisher_id uuid not null,
  journal_id uuid not null,
  kind text not null,
  cause_id uuid not null,
  cause_version integer not null,
  effective_at timestamp with time zone not null,
  created_at timestamp with time zone not null default booking_time(),
  currency text not null,
  accounts text[] not null,
  owners text[] not null,
  amounts bigint[] not null,
  constraint payment_journals_once_per_cause PRIMARY KEY (publisher_id, cause_id, kind, cause_version),
  constraint payment_journals_publisher_id_fkey FOREIGN KEY (publisher_id) REFERENCES publishers(publisher_id),
  constraint payment_journals_accounts_check CHECK ((accounts <@ ARRAY['bank'::text, 'advertiser_receivable'::text, 'publisher_payable'::text, 'payout_clearing'::text, 'fee_earned'::text])),
  constraint payment_journals_amounts_check CHECK (((cardinality(amounts) > 0) AND (cardinality(accounts) = cardinality(amounts)) AND (cardinality(owners) = cardinality(amounts)) AND (array_position(amounts, NULL::bigint) IS NULL) AND (array_position(owners, NULL::text) IS NULL) AND (0 <> ALL (amounts)))),
  constraint payment_journals_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint payment_journals_kind_check CHECK ((kind = 'payment'::text))
);
CREATE TRIGGER payment_journals_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON payment_journals FOR EACH STATEMENT EXECUTE FUNCTION ledger_is_append_only();
CREATE TRIGGER payments_await_verification AFTER INSERT ON payment_journals REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION payments_await_verification();
CREATE TRIGGER postings_sum_to_zero AFTER INSERT ON payment_journals REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION postings_must_balance();
CREATE TRIGGER publisher_stays AFTER INSERT ON payment_journals REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION publisher_stays();

create table payments (
  payment_id uuid not null,
  publisher_id uuid not null,
  external_ref text not null,
  direction text not null,
  party text not null,
  owner text not null,
  currency text not null,
  amount bigint not null,
  value_date date not null,
  note text,
  reverses uuid,
  created_at timestamp with time zone not null,
  created_by text not null,
  constraint payments_pkey PRIMARY KEY (payment_id),
  constraint payments_once_per_reference UNIQUE (publisher_id, external_ref),
  constraint payments_reversed_once UNIQUE (reverses),
  constraint payments_publisher_id_fkey FOREIGN KEY (publisher_id) REFERENCES publishers(publisher_id),
  constraint payments_reverses_fkey FOREIGN KEY (reverses) REFERENCES payments(payment_id),
  constraint payments_amount_check CHECK ((amount > 0)),
  constraint payments_check CHECK (((owner = ''::text) = (party = ANY (ARRAY['publisher'::text, 'service'::text])))),
  constraint payments_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint payments_direction_check CHECK ((direction = ANY (ARRAY['received'::text, 'paid'::text]))),
  constraint payments_party_check CHECK ((party = ANY (ARRAY['advertiser'::text, 'publisher'::text, 'payouts'::text, 'service'::text])))
);
CREATE INDEX all_payments_by_amount ON payments USING btree (amount, payment_id);
CREATE INDEX all_payments_by_creation ON payments USING btree (created_at, payment_id);
CREATE INDEX all_payments_by_reference ON payments USING btree (external_ref);
CREATE INDEX all_payments_by_value_date ON payments USING btree (value_date, payment_id);
CREATE INDEX payments_by_creation ON payments USING btree (publisher_id, created_at, payment_id);
CREATE TRIGGER payments_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON payments FOR EACH STATEMENT EXECUTE FUNCTION ledger_is_append_only();

create table payout_cursors (
  publisher_id uuid not null,
  after_sequence bigint not null default 0,
  due_at timestamp with time zone not null,
  constraint payout_cursors_pkey PRIMARY KEY (publisher_id),
  constraint payout_cursors_publisher_id_fkey FOREIGN KEY (publisher_id) REFERENCES publishers(publisher_id)
);
CREATE INDEX payout_cursors_due ON payout_cursors USING btree (due_at);

create table payout_destinations (
  user_id uuid not null,
  destination_id uuid not null,
  publisher_id uuid not null,
  kind text not null,
  mask text not null,
  fingerprint bytea not null,
  sealed_details bytea,
  usable_from timestamp with time zone not null,
  created_at timestamp with time zone not null,
  removed_at timestamp with time zone,
  constraint payout_destinations_pkey PRIMARY KEY (user_id, destination_id),
  constraint payout_destinations_user_id_publisher_id_fkey FOREIGN KEY (user_id, publisher_id) REFERENCES users(user_id, publisher_id),
  constraint payout_destinations_kind_check CHECK ((kind = ANY (ARRAY['us_bank_account'::text, 'iban'::text, 'email'::text])))
);
CREATE UNIQUE INDEX payout_destinations_one_current ON payout_destinations USING btree (user_id) WHERE (removed_at IS NULL);
CREATE TRIGGER closed_key_of_sealed_details BEFORE INSERT OR UPDATE OF sealed_details ON payout_destinations FOR EACH ROW EXECUTE FUNCTION refuse_closed_key('sealed_details');

create table payout_files (
  file_id uuid not null,
  publisher_id uuid not null,
  format text not null,
  currency text not null,
  pay_on date not null,
  number_of_day smallint not null,
  payer jsonb not null,
  entries integer not null,
  total bigint not null,
  sha256 bytea not null,
  created_by text not null,
  created_at timestamp with time zone not null,
  constraint payout_files_pkey PRIMARY KEY (file_id),
  constraint payout_files_publisher_id_fkey FOREIGN KEY (publisher_id) REFERENCES publishers(publisher_id),
  constraint payout_files_entries_check CHECK ((entries > 0)),
  constraint payout_files_format_check CHECK ((format = ANY (ARRAY['nacha'::text, 'pain.001'::text, 'csv'::text]))),
  constraint payout_files_total_check CHECK ((total > 0))
);
CREATE INDEX all_payout_files_by_creation ON payout_files USING btree (created_at, file_id);
CREATE INDEX payout_files_by_publisher ON payout_files USING btree (publisher_id, created_at);

create table payout_payer (
  one boolean not null default true,
  details jsonb not null,
  constraint payout_payer_pkey PRIMARY KEY (one),
  constraint payout_payer_one_check CHECK (one)
);

create table payout_queue (
  redemption_id uuid not null,
  user_id uuid not null,
  publisher_id uuid not null,
  attempts integer not null default 0,
  due_at timestamp with time zone not null,
  queued_at timestamp with time zone not null default now(),
  constraint payout_queue_pkey PRIMARY KEY (redemption_id)
);
CREATE INDEX payout_queue_due ON payout_queue USING btree (due_at);

create table portal_links (
  sha256 bytea not null,
  publisher_id uuid not null,
  user_id uuid not null,
  return_path text not null,
  expires_at timestamp with time zone not null,
  constraint portal_links_pkey PRIMARY KEY (sha256),
  constraint portal_links_publisher_id_fkey FOREIGN KEY (publisher_id) REFERENCES publishers(publisher_id),
  constraint portal_links_sha256_check CHECK ((length(sha256) = 32))
);
CREATE INDEX portal_links_by_expiry ON portal_links USING btree (expires_at);
CREATE INDEX portal_links_of_users ON portal_links USING btree (user_id);

create table portals (
  publisher_id uuid not null,
  slug text not null,
  shown_name text,
  hue real not null,
  chroma real not null,
  frame_ancestors text[] not null,
  updated_at timestamp with time zone not null,
  welcome text,
  logo text,
  allows_accounts boolean not null default false,
  constraint portals_pkey PRIMARY KEY (publisher_id),
  constraint portals_slug_key UNIQUE (slug),
  constraint portals_publisher_id_fkey FOREIGN KEY (publisher_id) REFERENCES publishers(publisher_id),
  constraint portals_chroma_check CHECK (((chroma >= (0)::double precision) AND (chroma <= (0.37)::double precision))),
  constraint portals_hue_check CHECK (((hue >= (0)::double precision) AND (hue < (360)::double precision))),
  constraint portals_logo_check CHECK ((length(logo) <= 65536)),
  constraint portals_slug_check CHECK ((slug ~ '^[a-z0-9][a-z0-9-]{1,62}$'::text))
);

create table postback_answers (
  postback_id uuid not null,
  network text not null,
  sub_id text not null,
  order_id text,
  transaction_id text,
  click_sub_id text,
  answered_by text not null,
  reason text,
  answered_at timestamp with time zone not null,
  constraint postback_answers_pkey PRIMARY KEY (postback_id),
  constraint postback_answers_postback_id_fkey FOREIGN KEY (postback_id) REFERENCES postbacks(postback_id)
);
CREATE INDEX postback_answers_of_sub_id ON postback_answers USING btree (network, sub_id, order_id);
CREATE INDEX postback_answers_of_transaction ON postback_answers USING btree (network, transaction_id);

create table postbacks (
  network text not null,
  content_sha256 bytea not null,
  postback_id uuid not null,
  content jsonb not null,
  sub_id text not null,
  publisher_id uuid,
  user_id uuid,
  offer_uid text,
  status text not null,
  order_id text,
  transaction_id text,
  amount bigint,
  currency text not null,
  sold_at timestamp with time zone,
  date_only boolean not null,
  received_at timestamp with time zone not null,
  report_id text,
  reported_at timestamp with time zone,
  added bigint,
  added_status text,
  commission bigint,
  unmatched text,
  constraint postbacks_pkey PRIMARY KEY (network, content_sha256),
  constraint postbacks_id_unique UNIQUE (postback_id),
  constraint postbacks_network_fkey FOREIGN KEY (network) REFERENCES networks(network),
  constraint postbacks_amount_check CHECK (((amount > 0) OR ((amount = 0) AND (status = 'amended'::text)))),
  constraint postbacks_amount_unless_rejected CHECK (((amount IS NOT NULL) OR (status = 'rejected'::text))),
  constraint postbacks_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint postbacks_known_whole CHECK ((num_nulls(publisher_id, user_id, offer_uid) = ANY (ARRAY[0, 3]))),
  constraint postbacks_name_a_sale CHECK (((order_id IS NOT NULL) OR (transaction_id IS NOT NULL))),
  constraint postbacks_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'approved'::text, 'rejected'::text, 'amended'::text])))
);
CREATE INDEX postbacks_for_operators ON postbacks USING btree (received_at, postback_id) WHERE ((user_id IS NULL) OR (status = 'rejected'::text));
CREATE INDEX postbacks_of_order ON postbacks USING btree (network, order_id) WHERE (order_id IS NOT NULL);
CREATE INDEX postbacks_of_sub_id ON postbacks USING btree (sub_id, received_at);
CREATE INDEX postbacks_rejected ON postbacks USING btree (received_at) WHERE (status = 'rejected'::text);
CREATE INDEX postbacks_unknown ON postbacks USING btree (received_at) WHERE (user_id IS NULL);
CREATE INDEX postbacks_without_order ON postbacks USING btree (network, transaction_id) WHERE (order_id IS NULL);
CREATE TRIGGER postbacks_immutable BEFORE DELETE OR TRUNCATE ON postbacks FOR EACH STATEMENT EXECUTE FUNCTION postbacks_are_immutable();
CREATE TRIGGER postbacks_immutable_rows BEFORE UPDATE ON postbacks FOR EACH ROW EXECUTE FUNCTION postbacks_are_immutable();
CREATE TRIGGER publisher_stays AFTER INSERT ON postbacks REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION publisher_stays();

create table programs (
  offer_uid text not null,
  network text not null,
  address_template text not null,
  currency text not null,
  first_day date,
  last_day date,
  ended_at timestamp with time zone,
  constraint programs_pkey PRIMARY KEY (offer_uid),
  constraint programs_address_template_check CHECK (((address_template ~ '^https://'::text) AND (POSITION(('{sub_id}'::text) IN (address_template)) > 0))),
  constraint programs_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text))
);

create table provider_accounts (
  publisher_id uuid not null,
  client_id text not null,
  sealed_secret bytea not null,
  version integer not null default 1,
  created_at timestamp with time zone not null,
  created_by text not null,
  updated_at timestamp with time zone not null,
  updated_by text not null,
  constraint provider_accounts_pkey PRIMARY KEY (publisher_id),
  constraint provider_accounts_publisher_id_fkey FOREIGN KEY (publisher_id) REFERENCES publishers(publisher_id),
  constraint provider_accounts_client_id_check CHECK (((length(client_id) >= 1) AND (length(client_id) <= 200)))
);
CREATE TRIGGER closed_key_of_sealed_secret BEFORE INSERT OR UPDATE OF sealed_secret ON provider_accounts FOR EACH ROW EXECUTE FUNCTION refuse_closed_key('sealed_secret');

create table provider_institutions (
  environment text not null,
  institution_id text not null,
  name text not null,
  logo text,
  color text,
  fetched_at timestamp with time zone not null,
  constraint provider_institutions_pkey PRIMARY KEY (environment, institution_id),
  constraint provider_institutions_environment_check CHECK ((environment = ANY (ARRAY['sandbox'::text, 'production'::text])))
);

create table provider_pacing (
  account text not null,
  operation text not null,
  next_at timestamp with time zone not null,
  constraint provider_pacing_pkey PRIMARY KEY (account, operation)
);

create table public_tokens (
  user_id uuid not null,
  token_hash bytea not null,
  publisher_id uuid not null,
  institution_id text,
  refused_accounts text,
  brought_at timestamp with time zone not null,
  item_fingerprint bytea,
  is_free boolean not null default false,
  constraint public_tokens_pkey PRIMARY KEY (user_id, token_hash),
  constraint public_tokens_user_id_publisher_id_fkey FOREIGN KEY (user_id, publisher_id) REFERENCES users(user_id, publisher_id)
);
CREATE INDEX public_tokens_by_age ON public_tokens USING btree (brought_at);

create table publisher_currencies (
  publisher_id uuid not null,
  currency text not null,
  redemption_minimum bigint not null,
  redemption_user_day_max bigint,
  redemption_review_above bigint,
  redemption_two_people_above bigint,
  adjustment_alone_max bigint not null,
  created_at timestamp with time zone not null,
  constraint publisher_currencies_pkey PRIMARY KEY (publisher_id, currency),
  constraint publisher_currencies_publisher_id_fkey FOREIGN KEY (publisher_id) REFERENCES publishers(publisher_id),
  constraint publisher_currencies_adjustment_alone_max_check CHECK ((adjustment_alone_max >= 0)),
  constraint publisher_currencies_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint publisher_currencies_redemption_minimum_check CHECK ((redemption_minimum > 0)),
  constraint publisher_currencies_redemption_review_above_check CHECK ((redemption_review_above >= 0)),
  constraint publisher_currencies_redemption_two_people_above_check CHECK ((redemption_two_people_above >= 0)),
  constraint publisher_currencies_redemption_user_day_max_check CHECK ((redemption_user_day_max >= 0))
);

create table publishers (
  publisher_id uuid not null,
  name text not null,
  environment text not null,
  currency text not null default 'USD'::text,
  time_zone text not null default 'UTC'::text,
  timestamp_format text not null default 'interface'::text,
  own_card_feed boolean not null default false,
  fee_ppm integer not null default 0,
  share_ppm integer not null default 0,
  reads_per_second integer not null default 200,
  writes_per_second integer not null default 100,
  clock_offset_ms bigint not null default 0,
  created_at timestamp with time zone not null,
  stacking_policy text not null default 'AFFILIATE'::text,
  marketplace_policy text not null default 'MARKETPLACE'::text,
  events_per_second integer not null default 500,
  links_cards boolean not null default true,
  link_name text,
  link_language text not null default 'en'::text,
  link_countries text[] not null default '{US}'::text[],
  link_products text[] not null default '{transactions}'::text[],
  link_account_subtypes text[] not null default '{"credit card",checking,savings}'::text[],
  redemption_methods text[] not null default '{publisher}'::text[],
  redemption_minimum bigint not null default 1,
  redemption_user_day_max bigint,
  redemption_user_day_count integer,
  redemption_review_above bigint,
  redemption_two_people_above bigint,
  destination_cool_down_hours integer not null default 24,
  adjustment_alone_max bigint not null default 2500,
  claim_days integer not null default 30,
  claim_default text not null default 'decline'::text,
  moves_at timestamp with time zone,
  imported_at timestamp with time zone,
  constraint publishers_pkey PRIMARY KEY (publisher_id),
  constraint publishers_clock_offset_ms_check CHECK ((clock_offset_ms >= 0)),
  constraint publishers_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint publishers_environment_check CHECK ((environment = ANY (ARRAY['sandbox'::text, 'production'::text]))),
  constraint publishers_events_per_second_check CHECK ((events_per_second > 0)),
  constraint publishers_fee_ppm_check CHECK (((fee_ppm >= 0) AND (fee_ppm <= 1000000))),
  constraint publishers_marketplace_policy_check CHECK ((marketplace_policy = ANY (ARRAY['MARKETPLACE'::text, 'MERCHANT'::text]))),
  constraint publishers_name_check CHECK (((length(name) >= 1) AND (length(name) <= 255))),
  constraint publishers_production_clock_is_real CHECK (((environment = 'sandbox'::text) OR (clock_offset_ms = 0))),
  constraint publishers_reads_per_second_check CHECK ((reads_per_second > 0)),
  constraint publishers_share_ppm_check CHECK (((share_ppm >= 0) AND (share_ppm <= 1000000))),
  constraint publishers_split_leaves_the_user_something CHECK (((fee_ppm + share_ppm) <= 1000000)),
  constraint publishers_stacking_policy_check CHECK ((stacking_policy = ANY (ARRAY['AFFILIATE'::text, 'CARD'::text, 'BOTH'::text]))),
  constraint publishers_timestamp_format_check CHECK ((timestamp_format = ANY (ARRAY['interface'::text, 'rfc3339'::text]))),
  constraint publishers_writes_per_second_check CHECK ((writes_per_second > 0))
);
CREATE INDEX publishers_moving ON publishers USING btree (publisher_id) WHERE (moves_at IS NOT NULL);
CREATE TRIGGER limits_of_the_first_currency AFTER INSERT OR UPDATE OF redemption_minimum, redemption_user_day_max, redemption_review_above, redemption_two_people_above, adjustment_alone_max ON publishers FOR EACH ROW EXECUTE FUNCTION limits_of_the_first_currency();

create table purchase_pairs (
  user_id uuid not null,
  card_id uuid not null,
  affiliate_id uuid not null,
  publisher_id uuid not null,
  policy text not null,
  stacked text,
  since timestamp with time zone not null,
  constraint purchase_pairs_pkey PRIMARY KEY (user_id, card_id),
  constraint purchase_pairs_one_to_one UNIQUE (user_id, affiliate_id),
  constraint purchase_pairs_user_id_publisher_id_fkey FOREIGN KEY (user_id, publisher_id) REFERENCES users(user_id, publisher_id),
  constraint purchase_pairs_policy_check CHECK ((policy = ANY (ARRAY['AFFILIATE'::text, 'CARD'::text, 'BOTH'::text]))),
  constraint purchase_pairs_stacked_check CHECK ((stacked = ANY (ARRAY['AFFILIATE'::text, 'CARD'::text])))
);

create table redemption_approvals (
  user_id uuid not null,
  redemption_id uuid not null,
  approver text not null,
  publisher_id uuid not null,
  at timestamp with time zone not null,
  constraint redemption_approvals_pkey PRIMARY KEY (user_id, redemption_id, approver),
  constraint redemption_approvals_user_id_redemption_id_fkey FOREIGN KEY (user_id, redemption_id) REFERENCES redemptions(user_id, redemption_id)
);

create table redemption_steps (
  user_id uuid not null,
  redemption_id uuid not null,
  version integer not null,
  publisher_id uuid not null,
  status text not null,
  actor text not null,
  at timestamp with time zone not null,
  constraint redemption_steps_pkey PRIMARY KEY (user_id, redemption_id, version),
  constraint redemption_steps_user_id_redemption_id_fkey FOREIGN KEY (user_id, redemption_id) REFERENCES redemptions(user_id, redemption_id)
);

create table redemptions (
  user_id uuid not null,
  redemption_id uuid not null,
  publisher_id uuid not null,
  external_ref text,
  method text not null,
  destination_id uuid,
  currency text not null,
  amount bigint not null,
  status text not null,
  approvals_needed smallint not null,
  reason text,
  reason_code text,
  reason_text text,
  payout_reference text,
  file_id uuid,
  version integer not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  offer_uid text,
  constraint redemptions_pkey PRIMARY KEY (user_id, redemption_id),
  constraint redemptions_external_ref UNIQUE (user_id, external_ref),
  constraint redemptions_user_id_destination_id_fkey FOREIGN KEY (user_id, destination_id) REFERENCES payout_destinations(user_id, destination_id),
  constraint redemptions_user_id_publisher_id_fkey FOREIGN KEY (user_id, publisher_id) REFERENCES users(user_id, publisher_id),
  constraint redemptions_amount_check CHECK ((amount > 0)),
  constraint redemptions_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint redemptions_method_check CHECK ((method = ANY (ARRAY['publisher'::text, 'file'::text, 'simulated'::text, 'gift_card'::text]))),
  constraint redemptions_offer_of_gift_card CHECK (((method = 'gift_card'::text) = (offer_uid IS NOT NULL))),
  constraint redemptions_status_check CHECK ((status = ANY (ARRAY['requested'::text, 'approved'::text, 'sent'::text, 'paid'::text, 'failed'::text, 'returned'::text, 'cancelled'::text])))
);
CREATE INDEX all_redemptions_open ON redemptions USING btree (status, created_at, redemption_id) WHERE (status = ANY (ARRAY['requested'::text, 'approved'::text, 'sent'::text]));
CREATE INDEX redemptions_by_file ON redemptions USING btree (file_id) WHERE (file_id IS NOT NULL);
CREATE INDEX redemptions_by_id ON redemptions USING btree (redemption_id);
CREATE INDEX redemptions_by_status ON redemptions USING btree (publisher_id, status, created_at DESC, redemption_id DESC);
CREATE INDEX redemptions_by_time ON redemptions USING btree (publisher_id, created_at DESC, redemption_id DESC);
CREATE INDEX redemptions_open_by_creation ON redemptions USING btree (publisher_id, status, created_at, redemption_id) WHERE (status = ANY (ARRAY['requested'::text, 'approved'::text, 'sent'::text]));

create table refund_pairs (
  user_id uuid not null,
  reported_refund text not null,
  feed_refund text not null,
  publisher_id uuid not null,
  since timestamp with time zone not null,
  constraint refund_pairs_pkey PRIMARY KEY (user_id, reported_refund),
  constraint refund_pairs_one_to_one UNIQUE (user_id, feed_refund),
  constraint refund_pairs_user_id_publisher_id_fkey FOREIGN KEY (user_id, publisher_id) REFERENCES users(user_id, publisher_id)
);

create table rematch_changes (
  rematch_id uuid not null,
  publisher_id uuid not null,
  user_id uuid not null,
  transaction_id uuid not null,
  before jsonb not null,
  after jsonb not null,
  constraint rematch_changes_pkey PRIMARY KEY (rematch_id, user_id, transaction_id),
  constraint rematch_changes_rematch_id_fkey FOREIGN KEY (rematch_id) REFERENCES rematches(rematch_id),
  constraint rematch_changes_user_id_transaction_id_fkey FOREIGN KEY (user_id, transaction_id) REFERENCES transactions(user_id, transaction_id)
);

create table rematches (
  rematch_id uuid not null,
  publisher_id uuid not null,
  undoes uuid,
  decided_by text not null,
  reason text not null,
  filter jsonb not null,
  started_at timestamp with time zone not null,
  finished_at timestamp with time zone,
  examined integer not null default 0,
  changed integer not null default 0,
  kept integer not null default 0,
  sums jsonb not null default '{}'::jsonb,
  constraint rematches_pkey PRIMARY KEY (rematch_id),
  constraint rematches_publisher_id_fkey FOREIGN KEY (publisher_id) REFERENCES publishers(publisher_id),
  constraint rematches_undoes_fkey FOREIGN KEY (undoes) REFERENCES rematches(rematch_id),
  constraint rematches_decided_by_check CHECK ((decided_by <> ''::text)),
  constraint rematches_reason_check CHECK ((reason <> ''::text))
);
CREATE INDEX rematches_by_start ON rematches USING btree (started_at, rematch_id);
CREATE INDEX rematches_of_publisher ON rematches USING btree (publisher_id, started_at);

create table report_imports (
  network text not null,
  sha256 bytea not null,
  rows integer not null,
  read_rows integer not null default 0,
  begun_at timestamp with time zone not null,
  advanced_at timestamp with time zone not null,
  constraint report_imports_pkey PRIMARY KEY (network, sha256),
  constraint report_imports_network_fkey FOREIGN KEY (network) REFERENCES networks(network),
  constraint report_imports_check CHECK (((read_rows >= 0) AND (read_rows <= rows))),
  constraint report_imports_rows_check CHECK ((rows >= 0))
);

create table report_orders (
  publisher_id uuid not null,
  report_id uuid not null,
  kind text not null,
  format text not null,
  first_day date not null,
  last_day date not null,
  schedule text,
  status text not null default 'queued'::text,
  reason text,
  attempt integer not null default 0,
  failures integer not null default 0,
  due_at timestamp with time zone default '-infinity'::timestamp with time zone,
  begun_at timestamp with time zone,
  row_count bigint,
  byte_count bigint,
  sha256 bytea,
  created_at timestamp with time zone not null,
  finished_at timestamp with time zone,
  expires_at timestamp with time zone,
  files_due_at timestamp with time zone,
  constraint report_orders_pkey PRIMARY KEY (publisher_id, report_id),
  constraint report_orders_publisher_id_fkey FOREIGN KEY (publisher_id) REFERENCES publishers(publisher_id),
  constraint report_orders_check CHECK ((first_day <= last_day)),
  constraint report_orders_check1 CHECK (((status = 'failed'::text) = (reason IS NOT NULL))),
  constraint report_orders_check2 CHECK (((status = ANY (ARRAY['queued'::text, 'running'::text])) = (due_at IS NOT NULL))),
  constraint report_orders_check3 CHECK (((status <> 'ready'::text) OR ((sha256 IS NOT NULL) AND (expires_at IS NOT NULL) AND (files_due_at IS NOT NULL)))),
  constraint report_orders_format_check CHECK ((format = ANY (ARRAY['csv'::text, 'ndjson'::text, 'parquet'::text]))),
  constraint report_orders_kind_check CHECK ((kind = ANY (ARRAY['transactions'::text, 'users'::text, 'rewards'::text, 'redemptions'::text, 'deliveries'::text]))),
  constraint report_orders_schedule_check CHECK ((schedule = ANY (ARRAY['day'::text, 'month'::text]))),
  constraint report_orders_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'running'::text, 'ready'::text, 'failed'::text, 'expired'::text])))
);
CREATE INDEX report_orders_begun ON report_orders USING btree (publisher_id, begun_at);
CREATE INDEX report_orders_by_time ON report_orders USING btree (publisher_id, created_at, report_id);
CREATE INDEX report_orders_due ON report_orders USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX report_orders_with_files ON report_orders USING btree (publisher_id, files_due_at) WHERE (files_due_at IS NOT NULL);
CREATE UNIQUE INDEX report_orders_of_schedule ON report_orders USING btree (publisher_id, schedule, kind, first_day) WHERE (schedule IS NOT NULL);

create table report_schedules (
  publisher_id uuid not null,
  kind text not null,
  every text not null,
  format text not null,
  next_day date not null,
  due_at timestamp with time zone not null,
  created_at timestamp with time zone not null,
  constraint report_schedules_pkey PRIMARY KEY (publisher_id, kind, every),
  constraint report_schedules_publisher_id_fkey FOREIGN KEY (publisher_id) REFERENCES publishers(publisher_id),
  constraint report_schedules_every_check CHECK ((every = ANY (ARRAY['day'::text, 'month'::text]))),
  constraint report_schedules_format_check CHECK ((format = ANY (ARRAY['csv'::text, 'ndjson'::text, 'parquet'::text]))),
  constraint report_schedules_kind_check CHECK ((kind = ANY (ARRAY['transactions'::text, 'users'::text, 'rewards'::text, 'redemptions'::text, 'deliveries'::text])))
);
CREATE INDEX report_schedules_due ON report_schedules USING btree (publisher_id, due_at);

create table review_items (
  review_id uuid not null,
  publisher_id uuid not null,
  template text not null,
  proposed_uid text not null,
  score double precision not null,
  method text not null,
  evidence jsonb not null,
  runner_up jsonb,
  purchases integer not null,
  samples uuid[] not null,
  first_seen_at timestamp with time zone not null,
  last_seen_at timestamp with time zone not null,
  decided_at timestamp with time zone,
  decided_by text,
  brand_uid text,
  alias_uid uuid,
  constraint review_items_pkey PRIMARY KEY (review_id),
  constraint review_items_alias_uid_fkey FOREIGN KEY (alias_uid) REFERENCES match_aliases(alias_uid),
  constraint review_items_publisher_id_fkey FOREIGN KEY (publisher_id) REFERENCES publishers(publisher_id),
  constraint review_items_decided_by_somebody CHECK ((((decided_at IS NULL) = (decided_by IS NULL)) AND ((decided_at IS NULL) = (alias_uid IS NULL)))),
  constraint review_items_purchases_check CHECK ((purchases > 0))
);
CREATE INDEX all_reviews_by_purchases ON review_items USING btree (((decided_at IS NULL)), purchases, review_id);
CREATE INDEX all_reviews_by_time ON review_items USING btree (((decided_at IS NULL)), last_seen_at, review_id);
CREATE INDEX review_items_of_publisher ON review_items USING btree (publisher_id, last_seen_at, review_id);
CREATE INDEX review_items_of_template ON review_items USING btree (template) WHERE (decided_at IS NULL);
CREATE UNIQUE INDEX review_items_open ON review_items USING btree (publisher_id, template) WHERE (decided_at IS NULL);

create table sale_pairs (
  user_id uuid not null,
  network_id uuid not null,
  reported_id uuid not null,
  publisher_id uuid not null,
  stacked text,
  since timestamp with time zone not null,
  constraint sale_pairs_pkey PRIMARY KEY (user_id, network_id),
  constraint sale_pairs_one_to_one UNIQUE (user_id, reported_id),
  constraint sale_pairs_user_id_publisher_id_fkey FOREIGN KEY (user_id, publisher_id) REFERENCES users(user_id, publisher_id),
  constraint sale_pairs_stacked_check CHECK ((stacked = ANY (ARRAY['NETWORK'::text, 'REPORTED'::text, 'BOTH'::text])))
);

create table schema_migrations (
  number integer not null,
  name text not null,
  sha256 text not null,
  applied_at timestamp with time zone not null default now(),
  constraint schema_migrations_pkey PRIMARY KEY (number)
);

create table sessions (
  session_id uuid not null,
  kind text not null,
  account_id uuid,
  publisher_id uuid,
  user_id uuid,
  sha256 bytea not null,
  created_at timestamp with time zone not null,
  last_used_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  address text not null,
  user_agent text not null,
  is_embedded boolean not null,
  constraint sessions_pkey PRIMARY KEY (session_id),
  constraint sessions_sha256_key UNIQUE (sha256),
  constraint sessions_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id) ON DELETE CASCADE,
  constraint sessions_publisher_id_fkey FOREIGN KEY (publisher_id) REFERENCES publishers(publisher_id),
  constraint sessions_check CHECK (((kind = 'operator'::text) = (publisher_id IS NULL))),
  constraint sessions_check1 CHECK (((kind = 'user'::text) = (user_id IS NOT NULL))),
  constraint sessions_check2 CHECK (((kind = 'user'::text) OR (account_id IS NOT NULL))),
  constraint sessions_kind_check CHECK ((kind = ANY (ARRAY['operator'::text, 'publisher'::text, 'user'::text]))),
  constraint sessions_sha256_check CHECK ((length(sha256) = 32))
);
CREATE INDEX sessions_by_expiry ON sessions USING btree (expires_at);
CREATE INDEX sessions_of_accounts ON sessions USING btree (account_id) WHERE (account_id IS NOT NULL);
CREATE INDEX sessions_of_users ON sessions USING btree (user_id) WHERE (user_id IS NOT NULL);

create table sign_in_attempts (
  bucket_hash bytea not null,
  count integer not null,
  began_at timestamp with time zone not null,
  constraint sign_in_attempts_pkey PRIMARY KEY (bucket_hash)
);
CREATE INDEX sign_in_attempts_by_age ON sign_in_attempts USING btree (began_at);

create table source_claims (
  publisher_id uuid not null,
  source text not null,
  external_id text not null,
  user_id uuid not null,
  constraint source_claims_pkey PRIMARY KEY (publisher_id, source, external_id),
  constraint source_claims_publisher_id_fkey FOREIGN KEY (publisher_id) REFERENCES publishers(publisher_id)
);

create table source_events (
  user_id uuid not null,
  event_id uuid not null,
  publisher_id uuid not null,
  source text not null,
  external_id text not null,
  kind text not null,
  original_external_id text,
  amount bigint not null,
  currency text not null,
  occurred_at timestamp with time zone not null,
  received_at timestamp with time zone not null,
  input_hash bytea not null,
  facts jsonb not null,
  transaction_id uuid not null,
  constraint source_events_once PRIMARY KEY (user_id, source, external_id),
  constraint source_events_user_id_publisher_id_fkey FOREIGN KEY (user_id, publisher_id) REFERENCES users(user_id, publisher_id),
  constraint source_events_amount_check CHECK ((amount >= 0)),
  constraint source_events_kind_check CHECK ((kind = ANY (ARRAY['AUTHORIZATION'::text, 'CLEARING'::text, 'REFUND'::text, 'REVERSAL'::text, 'DECLINE'::text, 'AMENDMENT'::text]))),
  constraint source_events_source_check CHECK ((source = ANY (ARRAY['CARD'::text, 'AFFILIATE'::text, 'GIFT_CARD'::text, 'VOUCHER'::text, 'OTHER'::text])))
);
CREATE INDEX source_events_of_purchase ON source_events USING btree (user_id, transaction_id);
CREATE INDEX source_events_referring ON source_events USING btree (user_id, source, original_external_id) WHERE (original_external_id IS NOT NULL);
CREATE INDEX source_events_refunds ON source_events USING btree (user_id, currency, amount) WHERE ((kind = 'REFUND'::text) AND (source = 'CARD'::text));
CREATE TRIGGER publisher_stays AFTER INSERT ON source_events REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION publisher_stays();
CREATE TRIGGER source_events_kept BEFORE DELETE OR TRUNCATE ON source_events FOR EACH STATEMENT EXECUTE FUNCTION source_events_are_kept();
CREATE TRIGGER source_events_kept_rows BEFORE UPDATE OF user_id, event_id, publisher_id, source, external_id, kind, original_external_id, amount, currency, occurred_at, received_at, input_hash, facts ON source_events FOR EACH ROW EXECUTE FUNCTION source_events_are_kept();

create table statements (
  statement_id uuid not null,
  books text not null,
  month text not null,
  kind text not null,
  party text not null,
  party_name text not null,
  publisher_id uuid,
  environment text not null,
  currency text not null,
  document text not null,
  sha256 bytea not null,
  created_at timestamp with time zone not null,
  closed_by text not null,
  constraint statements_pkey PRIMARY KEY (statement_id),
  constraint statements_once_a_month UNIQUE (books, month, kind, party, currency),
  constraint statements_books_month_fkey FOREIGN KEY (books, month) REFERENCES closings(books, month),
  constraint statements_publisher_id_fkey FOREIGN KEY (publisher_id) REFERENCES publishers(publisher_id),
  constraint statements_check CHECK (((kind = 'publisher'::text) = (publisher_id IS NOT NULL))),
  constraint statements_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint statements_environment_check CHECK ((environment = ANY (ARRAY['sandbox'::text, 'production'::text]))),
  constraint statements_kind_check CHECK ((kind = ANY (ARRAY['advertiser'::text, 'publisher'::text, 'service'::text])))
);
CREATE INDEX statements_by_creation ON statements USING btree (created_at, statement_id);
CREATE INDEX statements_by_month ON statements USING btree (month, statement_id);
CREATE INDEX statements_by_party ON statements USING btree (party, statement_id);
CREATE INDEX statements_of_publisher ON statements USING btree (publisher_id, month) WHERE (publisher_id IS NOT NULL);
CREATE TRIGGER statements_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON statements FOR EACH STATEMENT EXECUTE FUNCTION ledger_is_append_only();

create table stores (
  offer_uid text not null,
  position integer not null,
  location_name text,
  store_number text,
  street_address1 text,
  street_address2 text,
  city text,
  state text,
  zip_code text,
  latitude double precision,
  longitude double precision,
  phone text,
  complete_address text,
  country text,
  constraint stores_pkey PRIMARY KEY (offer_uid, "position"),
  constraint stores_offer_uid_fkey FOREIGN KEY (offer_uid) REFERENCES offers(offer_uid),
  constraint stores_latitude_check CHECK (((latitude >= ('-90'::integer)::double precision) AND (latitude <= (90)::double precision))),
  constraint stores_longitude_check CHECK (((longitude >= ('-180'::integer)::double precision) AND (longitude <= (180)::double precision)))
);

create table sub_ids (
  sub_id text not null,
  user_id uuid not null,
  click_id uuid not null,
  publisher_id uuid not null,
  offer_uid text not null,
  network text not null,
  clicked_at timestamp with time zone not null,
  is_sold boolean not null default false,
  constraint sub_ids_pkey PRIMARY KEY (sub_id),
  constraint sub_ids_publisher_id_fkey FOREIGN KEY (publisher_id) REFERENCES publishers(publisher_id)
);
CREATE INDEX sub_ids_unsold ON sub_ids USING btree (clicked_at) WHERE (NOT is_sold);

create table terms_acceptances (
  user_id uuid not null,
  document_id integer not null,
  accepted_at timestamp with time zone not null,
  publisher_id uuid not null,
  constraint terms_acceptances_pkey PRIMARY KEY (user_id, document_id, accepted_at),
  constraint terms_acceptances_document_id_fkey FOREIGN KEY (document_id) REFERENCES terms_documents(document_id),
  constraint terms_acceptances_user_id_publisher_id_fkey FOREIGN KEY (user_id, publisher_id) REFERENCES users(user_id, publisher_id)
);

create table terms_documents (
  document_id integer not null generated always as identity,
  url text not null,
  revision text not null,
  required_from timestamp with time zone not null,
  published_at timestamp with time zone not null,
  publisher_id uuid,
  changes jsonb not null default '{}'::jsonb,
  constraint terms_documents_pkey PRIMARY KEY (document_id),
  constraint terms_documents_revision_unique UNIQUE NULLS NOT DISTINCT (publisher_id, revision),
  constraint terms_documents_publisher_id_fkey FOREIGN KEY (publisher_id) REFERENCES publishers(publisher_id)
);

create table terms_rollouts (
  publisher_id uuid not null,
  document_id integer not null,
  required_from timestamp with time zone not null,
  after_created_at timestamp with time zone,
  after_user uuid,
  constraint terms_rollouts_pkey PRIMARY KEY (publisher_id, document_id),
  constraint terms_rollouts_document_id_fkey FOREIGN KEY (document_id) REFERENCES terms_documents(document_id),
  constraint terms_rollouts_publisher_id_fkey FOREIGN KEY (publisher_id) REFERENCES publishers(publisher_id)
);

create table transactions (
  user_id uuid not null,
  transaction_id uuid not null,
  publisher_id uuid not null,
  source text not null,
  external_id text not null,
  brand_uid text,
  match_method text not null default 'none'::text,
  merchant_name text,
  merchant_descriptor text,
  order_id text,
  account_id text,
  currency text not null,
  amount bigint not null,
  refunded bigint not null default 0,
  authorized_at timestamp with time zone not null,
  cleared_on date,
  status text not null,
  status_reason text,
  offer_uid text,
  offer_type text,
  reward_type text,
  terms jsonb,
  gross bigint not null default 0,
  user_amount bigint not null default 0,
  publisher_amount bigint not null default 0,
  fee_amount bigint not null default 0,
  user_discount bigint not null default 0,
  available_on date,
  matures_at timestamp with time zone,
  earned_at timestamp with time zone,
  adjusts uuid,
  version integer not null default 1,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  lapses_at timestamp with time zone,
  judged_in integer,
  constraint transactions_pkey PRIMARY KEY (user_id, transaction_id),
  constraint transactions_user_id_publisher_id_fkey FOREIGN KEY (user_id, publisher_id) REFERENCES users(user_id, publisher_id),
  constraint transactions_split_adds_up CHECK ((gross = (((user_amount + publisher_amount) + fee_amount) + user_discount))),
  constraint transactions_status_check CHECK ((status = ANY (ARRAY['PENDING'::text, 'EARNED'::text, 'CANCELLED'::text])))
);
CREATE INDEX all_transactions_by_amount ON transactions USING btree (currency, amount, transaction_id);
CREATE INDEX all_transactions_by_date ON transactions USING btree (authorized_at, transaction_id);
CREATE INDEX all_transactions_of_brands ON transactions USING btree (brand_uid, authorized_at, transaction_id) WHERE (brand_uid IS NOT NULL);
CREATE INDEX transactions_adjusting ON transactions USING btree (user_id, adjusts) WHERE (adjusts IS NOT NULL);
CREATE INDEX transactions_affiliate ON transactions USING btree (user_id, brand_uid, authorized_at) WHERE ((source = 'AFFILIATE'::text) AND (adjusts IS NULL));
CREATE INDEX transactions_by_creation ON transactions USING btree (publisher_id, created_at, transaction_id);
CREATE INDEX transactions_by_date ON transactions USING btree (publisher_id, authorized_at, transaction_id);
CREATE INDEX transactions_by_id ON transactions USING btree (publisher_id, transaction_id);
CREATE INDEX transactions_lapsing ON transactions USING btree (publisher_id, lapses_at) WHERE (lapses_at IS NOT NULL);
CREATE INDEX transactions_of_brand ON transactions USING btree (user_id, brand_uid, authorized_at);
CREATE INDEX transactions_ripening ON transactions USING btree (publisher_id, matures_at) WHERE ((status = 'PENDING'::text) AND (matures_at IS NOT NULL));

create table unverified_journals (
  user_id uuid not null,
  cause_id uuid not null,
  kind text not null,
  cause_version integer not null,
  ordinal bigint not null generated always as identity,
  constraint unverified_journals_pkey PRIMARY KEY (ordinal)
);

create table user_balances (
  user_id uuid not null,
  currency text not null,
  publisher_id uuid not null,
  pending bigint not null default 0,
  available bigint not null default 0,
  held bigint not null default 0,
  debt bigint not null default 0,
  earned_total bigint not null default 0,
  redeemed_total bigint not null default 0,
  constraint user_balances_pkey PRIMARY KEY (user_id, currency),
  constraint user_balances_user_id_publisher_id_fkey FOREIGN KEY (user_id, publisher_id) REFERENCES users(user_id, publisher_id),
  constraint user_balances_available_check CHECK ((available >= 0)),
  constraint user_balances_debt_check CHECK ((debt >= 0)),
  constraint user_balances_earned_total_check CHECK ((earned_total >= 0)),
  constraint user_balances_held_check CHECK ((held >= 0)),
  constraint user_balances_pending_check CHECK ((pending >= 0)),
  constraint user_balances_redeemed_total_check CHECK ((redeemed_total >= 0))
) with (fillfactor=70);

create table user_deactivations (
  user_id uuid not null,
  deactivated_at timestamp with time zone not null,
  publisher_id uuid not null,
  reactivated_at timestamp with time zone,
  constraint user_deactivations_pkey PRIMARY KEY (user_id, deactivated_at),
  constraint user_deactivations_user_id_publisher_id_fkey FOREIGN KEY (user_id, publisher_id) REFERENCES users(user_id, publisher_id)
);
CREATE UNIQUE INDEX user_deactivations_one_open ON user_deactivations USING btree (user_id) WHERE (reactivated_at IS NULL);

create table user_mail_preferences (
  user_id uuid not null,
  kind text not null,
  publisher_id uuid not null,
  language text not null,
  constraint user_mail_preferences_pkey PRIMARY KEY (user_id, kind),
  constraint user_mail_preferences_user_id_publisher_id_fkey FOREIGN KEY (user_id, publisher_id) REFERENCES users(user_id, publisher_id),
  constraint user_mail_preferences_kind_check CHECK ((kind = ANY (ARRAY['reward_ready'::text, 'redemption_paid'::text, 'card_broken'::text])))
);

create table user_mails (
  mail_id uuid not null,
  publisher_id uuid not null,
  user_id uuid,
  kind text not null,
  email text not null,
  language text not null,
  queued_at timestamp with time zone not null,
  due_at timestamp with time zone not null,
  attempts integer not null default 0,
  constraint user_mails_pkey PRIMARY KEY (mail_id),
  constraint user_mails_publisher_id_fkey FOREIGN KEY (publisher_id) REFERENCES publishers(publisher_id),
  constraint user_mails_kind_check CHECK ((kind = ANY (ARRAY['sign_up'::text, 'reset'::text, 'changed'::text, 'passkey_added'::text, 'passkey_removed'::text, 'account_opened'::text, 'account_removed'::text, 'reward_ready'::text, 'redemption_paid'::text, 'card_broken'::text])))
);
CREATE INDEX user_mails_due ON user_mails USING btree (due_at);
CREATE INDEX user_mails_of_users ON user_mails USING btree (user_id) WHERE (user_id IS NOT NULL);
CREATE UNIQUE INDEX user_mails_once ON user_mails USING btree (publisher_id, kind, lower(email), user_id) NULLS NOT DISTINCT;

create table user_sign_ups (
  user_id uuid not null,
  publisher_id uuid not null,
  email text not null,
  code_hash bytea,
  expires_at timestamp with time zone not null,
  constraint user_sign_ups_pkey PRIMARY KEY (user_id),
  constraint user_sign_ups_user_id_publisher_id_fkey FOREIGN KEY (user_id, publisher_id) REFERENCES users(user_id, publisher_id),
  constraint user_sign_ups_code_hash_check CHECK ((length(code_hash) = 32))
);
CREATE INDEX user_sign_ups_by_expiry ON user_sign_ups USING btree (expires_at);

create table users (
  user_id uuid not null,
  publisher_id uuid not null,
  publisher_user_id text not null,
  email text,
  primary_zip_code text,
  attributes text,
  version integer not null default 1,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint users_pkey PRIMARY KEY (user_id),
  constraint users_belong_to_one_publisher UNIQUE (user_id, publisher_id),
  constraint users_publisher_id_fkey FOREIGN KEY (publisher_id) REFERENCES publishers(publisher_id),
  constraint users_publisher_user_id_check CHECK (((length(publisher_user_id) >= 1) AND (length(publisher_user_id) <= 255)))
);
CREATE INDEX all_users_by_creation ON users USING btree (created_at, user_id);
CREATE INDEX users_by_creation ON users USING btree (publisher_id, created_at, user_id);
CREATE INDEX users_by_email ON users USING btree (publisher_id, lower(email), user_id);
CREATE INDEX users_by_publisher_user_id ON users USING btree (publisher_id, publisher_user_id);
CREATE INDEX users_by_update ON users USING btree (publisher_id, updated_at, user_id);

create table verified_balances (
  user_id uuid not null,
  currency text not null,
  pending bigint not null,
  available bigint not null,
  held bigint not null,
  debt bigint not null,
  earned_total bigint not null,
  redeemed_total bigint not null,
  digest bigint not null,
  constraint verified_balances_pkey PRIMARY KEY (user_id, currency)
);

create table verified_rollups (
  publisher_id uuid not null,
  account text not null,
  owner text not null,
  currency text not null,
  balance bigint not null,
  constraint verified_rollups_pkey PRIMARY KEY (publisher_id, account, owner, currency)
);

create table voucher_codes (
  code_id uuid not null,
  offer_uid text not null,
  environment text not null,
  fingerprint bytea not null,
  sealed_code bytea not null,
  expires_on date not null default 'infinity'::date,
  imported_at timestamp with time zone not null,
  publisher_id uuid,
  user_id uuid,
  handed_out_at timestamp with time zone,
  constraint voucher_codes_pkey PRIMARY KEY (code_id),
  constraint voucher_codes_once UNIQUE (fingerprint, offer_uid, environment),
  constraint voucher_codes_publisher_id_fkey FOREIGN KEY (publisher_id) REFERENCES publishers(publisher_id),
  constraint voucher_codes_check CHECK ((((publisher_id IS NULL) = (user_id IS NULL)) AND ((user_id IS NULL) = (handed_out_at IS NULL)))),
  constraint voucher_codes_environment_check CHECK ((environment = ANY (ARRAY['sandbox'::text, 'production'::text])))
);
CREATE INDEX voucher_codes_of_user ON voucher_codes USING btree (user_id, offer_uid) WHERE (user_id IS NOT NULL);
CREATE INDEX voucher_codes_pool ON voucher_codes USING btree (offer_uid, environment, expires_on, code_id) WHERE (user_id IS NULL);
CREATE TRIGGER closed_key_of_sealed_code BEFORE INSERT OR UPDATE OF sealed_code ON voucher_codes FOR EACH ROW EXECUTE FUNCTION refuse_closed_key('sealed_code');

create table webhook_deliveries (
  publisher_id uuid not null,
  delivery_id uuid not null default gen_random_uuid(),
  position bigint not null generated always as identity,
  endpoint_id uuid not null,
  user_id uuid not null,
  event_id uuid not null,
  type text not null,
  sequence bigint not null,
  status text not null default 'pending'::text,
  attempts integer not null default 0,
  created_at timestamp with time zone not null default now(),
  last_attempt_at timestamp with time zone,
  next_attempt_at timestamp with time zone,
  response_status smallint,
  error text,
  exhausted_position bigint,
  planned_at timestamp with time zone,
  extra_attempts smallint not null default 0,
  latency_ms integer,
  answer text,
  earlier_attempts jsonb,
  constraint webhook_deliveries_pkey PRIMARY KEY (publisher_id, delivery_id),
  constraint webhook_deliveries_exhausted CHECK (((status = 'exhausted'::text) = (exhausted_position IS NOT NULL))),
  constraint webhook_deliveries_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'delivered'::text, 'exhausted'::text])))
) with (fillfactor=45, autovacuum_vacuum_scale_factor=0.02);
CREATE INDEX all_webhook_deliveries_in_order ON webhook_deliveries USING btree ("position", delivery_id);
CREATE INDEX webhook_deliveries_by_creation ON webhook_deliveries USING btree (created_at);
CREATE INDEX webhook_deliveries_by_lane ON webhook_deliveries USING btree (endpoint_id, user_id, "position");
CREATE INDEX webhook_deliveries_by_position ON webhook_deliveries USING btree (publisher_id, "position");
CREATE INDEX webhook_deliveries_exhausted ON webhook_deliveries USING btree (publisher_id, exhausted_position) WHERE (exhausted_position IS NOT NULL);

create table webhook_endpoints (
  publisher_id uuid not null,
  endpoint_id uuid not null,
  url text not null,
  event_types text[],
  status text not null default 'enabled'::text,
  stopped_after_sequence bigint,
  sealed_secret bytea not null,
  sealed_old_secret bytea,
  old_secret_until timestamp with time zone,
  failures integer not null default 0,
  failing_since timestamp with time zone,
  throttled_until timestamp with time zone,
  created_at timestamp with time zone not null,
  deleted_at timestamp with time zone,
  recovered_at timestamp with time zone,
  description text,
  resend_after bigint,
  resend_until bigint,
  stopped_at timestamp with time zone,
  decides_outcomes boolean not null default false,
  constraint webhook_endpoints_pkey PRIMARY KEY (publisher_id, endpoint_id),
  constraint webhook_endpoints_id_unique UNIQUE (endpoint_id),
  constraint webhook_endpoints_publisher_id_fkey FOREIGN KEY (publisher_id) REFERENCES publishers(publisher_id),
  constraint webhook_endpoints_failing_since CHECK (((failures = 0) = (failing_since IS NULL))),
  constraint webhook_endpoints_failures_check CHECK ((failures >= 0)),
  constraint webhook_endpoints_old_secret CHECK (((sealed_old_secret IS NULL) = (old_secret_until IS NULL))),
  constraint webhook_endpoints_resend CHECK (((resend_after IS NULL) = (resend_until IS NULL))),
  constraint webhook_endpoints_status_check CHECK ((status = ANY (ARRAY['enabled'::text, 'paused'::text, 'disabled'::text]))),
  constraint webhook_endpoints_url_check CHECK (((length(url) >= 1) AND (length(url) <= 2048)))
);
CREATE INDEX webhook_endpoints_recovered ON webhook_endpoints USING btree (recovered_at) WHERE (recovered_at IS NOT NULL);
CREATE INDEX webhook_endpoints_resend ON webhook_endpoints USING btree (endpoint_id) WHERE (resend_until IS NOT NULL);
CREATE TRIGGER closed_key_of_sealed_old_secret BEFORE INSERT OR UPDATE OF sealed_old_secret ON webhook_endpoints FOR EACH ROW EXECUTE FUNCTION refuse_closed_key('sealed_old_secret');
CREATE TRIGGER closed_key_of_sealed_secret BEFORE INSERT OR UPDATE OF sealed_secret ON webhook_endpoints FOR EACH ROW EXECUTE FUNCTION refuse_closed_key('sealed_secret');

create table webhook_queues (
  endpoint_id uuid not null,
  user_id uuid not null,
  publisher_id uuid not null,
  position bigint not null,
  due_at timestamp with time zone not null,
  claim_id uuid,
  leased_until timestamp with time zone,
  constraint webhook_queues_pkey PRIMARY KEY (endpoint_id, user_id),
  constraint webhook_queues_lease CHECK (((claim_id IS NULL) = (leased_until IS NULL)))
) with (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_threshold=1000, fillfactor=40);
CREATE INDEX webhook_queues_due ON webhook_queues USING btree (endpoint_id, due_at, "position");

create table withheld_rewards (
  user_id uuid not null,
  row_id text not null,
  publisher_id uuid not null,
  transaction_id uuid not null,
  since timestamp with time zone not null,
  constraint withheld_rewards_pkey PRIMARY KEY (user_id, row_id),
  constraint withheld_rewards_user_id_publisher_id_fkey FOREIGN KEY (user_id, publisher_id) REFERENCES users(user_id, publisher_id)
);
CREATE INDEX withheld_rewards_by_transaction ON withheld_rewards USING btree (user_id, transaction_id);

create view postings as
 SELECT j.user_id,
    j.journal_id,
    p.line,
    j.publisher_id,
    p.account,
    p.owner,
    j.currency,
    p.amount,
    j.kind,
    j.cause_id,
    j.cause_version,
    j.effective_at,
    j.created_at
   FROM (journals j
     CROSS JOIN LATERAL UNNEST(j.accounts, j.owners, j.amounts) WITH ORDINALITY p(account, owner, amount, line))
UNION ALL
 SELECT j.publisher_id AS user_id,
    j.journal_id,
    p.line,
    j.publisher_id,
    p.account,
    p.owner,
    j.currency,
    p.amount,
    j.kind,
    j.cause_id,
    j.cause_version,
    j.effective_at,
    j.created_at
   FROM (payment_journals j
     CROSS JOIN LATERAL UNNEST(j.accounts, j.owners, j.amounts) WITH ORDINALITY p(account, owner, amount, line));
