-- The people of the operating company: keys of their own, what they did, and every state that an offer has had.

create table operators (
  operator_id uuid primary key,
  -- Whom the key is for.
  name text not null,
  role text not null check (role in ('admin', 'catalog', 'support')),
  -- The key itself is shown once and never kept.
  sha256 bytea not null unique check (length(sha256) = 32),
  prefix text not null,
  last_four text not null,
  created_at timestamptz not null,
  revoked_at timestamptz
);

-- The answer to a write, kept in the commit of that write, so that a repeat can be answered the same.
create table operator_answers (
  operator_id uuid not null references operators,
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
  -- An operator's id, or `local:` and the account that ran the command.
  actor text not null,
  actor_name text not null,
  action text not null,
  subject text not null,
  -- What it was and what it became, as far as that tells; never anything secret.
  before jsonb,
  after jsonb
);
create index audit_log_by_subject on audit_log (subject, audit_id);

create function audit_is_append_only() returns trigger language plpgsql as $$
begin
  raise exception 'what was done is not changed: add a new entry'
    using errcode = 'restrict_violation', constraint = 'audit_is_append_only';
end $$;
create trigger audit_append_only before update or delete or truncate on audit_log
  for each statement execute function audit_is_append_only();

-- What the file said of a brand, in its normal form: what an export gives back. Offers have theirs in their versions.
-- JSON as text, for that keeps its order and digits, and is written in half the time.
alter table brands add column content json;

create table offer_versions (
  offer_uid text not null references offers,
  -- As in offers: the newest is what the offer is now.
  version integer not null,
  -- What the file said, in its normal form.
  content json not null,
  valid_from timestamptz not null,
  -- Who brought it: an operator's id, or `local:` and the account that ran the command.
  changed_by text not null,
  primary key (offer_uid, version)
);

-- What is there already is told from its rows, as well as they know it; the next import of the same file puts it into
-- the normal form.
create function pg_temp.major_of(minor text, currency text) returns numeric language sql immutable as $$
  select trim_scale(minor::numeric / case
    when currency in ('BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX', 'UYI', 'VND', 'VUV',
      'XAF', 'XOF', 'XPF') then 1
    when currency in ('BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND') then 1000
    else 100
  end)
$$;
create function pg_temp.list_of(list anyarray) returns json language sql immutable as $$
  select case when cardinality(list) > 0 then to_json(list) end
$$;
create function pg_temp.group_of(g jsonb, currency text) returns json language sql immutable as $$
  select json_strip_nulls(json_build_object(
    'name', g ->> 'name', 'rate', trim_scale((g ->> 'ratePpm')::numeric / 10000),
    'amount', pg_temp.major_of(g ->> 'amount', currency), 'product_groups', nullif(g -> 'productGroups', '[]'),
    'skus', nullif(g -> 'skus', '[]'), 'customer', g ->> 'customer',
    'min_amount', pg_temp.major_of(g ->> 'minAmount', currency), 'max_amount', pg_temp.major_of(g ->> 'maxAmount', currency)))
$$;

update brands set content = json_strip_nulls(json_build_object(
  'category_id', category_id, 'name', name, 'website', website, 'aliases', pg_temp.list_of(aliases),
  'domains', pg_temp.list_of(array_remove(domains, website)), 'merchant_ids', pg_temp.list_of(merchant_ids),
  'mccs', pg_temp.list_of(mccs), 'countries', pg_temp.list_of(countries), 'description', description,
  'logo_img_url', logo_img_url, 'large_img_url', large_img_url, 'small_img_url', small_img_url,
  'offer_description', offer_description, 'reward_type', reward_type,
  'global_terms_and_conditions', global_terms_and_conditions,
  'retired', case when retired_at is not null then true end));

insert into offer_versions (offer_uid, version, content, valid_from, changed_by)
select o.offer_uid, version, json_strip_nulls(json_build_object(
    'name', o.name, 'description', o.description, 'formatted_description', formatted_description, 'banner_url', banner_url,
    'refund_period_days', refund_period_days, 'tracking_url', p.address_template, 'network', nullif(p.network, 'default'),
    'offer_type', offer_type, 'reward_type', o.reward_type, 'voucher_code', voucher_code,
    'commission', case when plain then pg_temp.group_of(commission_groups -> 0, o.currency) end,
    'commission_groups', case when not plain then (
      select json_agg(pg_temp.group_of(g, o.currency) order by nth)
      from jsonb_array_elements(commission_groups) with ordinality as given (g, nth)) end,
    'currency', nullif(o.currency, 'USD'), 'location', location, 'channels', pg_temp.list_of(channels),
    'one_time_use', nullif(one_time_use, false), 'new_customer_only', nullif(new_customer_only, false),
    'new_customer_days', nullif(new_customer_days, 365), 'max_spend', pg_temp.major_of(max_spend::text, o.currency),
    'min_spend', pg_temp.major_of(min_spend::text, o.currency),
    'denominations', (
      select json_agg(pg_temp.major_of(one::text, o.currency) order by nth)
      from unnest(denominations) with ordinality as given (one, nth)),
    'start_date', start_date, 'end_date', end_date, 'terms_and_conditions', terms_and_conditions,
    'store_addresses', (
      select json_agg(json_strip_nulls(json_build_object(
        'location_name', location_name, 'store_number', store_number, 'street_address1', street_address1,
        'street_address2', street_address2, 'city', city, 'state', state, 'zip_code', zip_code, 'latitude', latitude,
        'longitude', longitude, 'phone', phone, 'complete_address', complete_address, 'country', country)) order by position)
      from stores s where s.offer_uid = o.offer_uid),
    'retired', case when o.retired_at is not null then true end)), now(), 'local:migration'
from offers o
  left join programs p on p.offer_uid = o.offer_uid
  cross join lateral (
    select jsonb_array_length(commission_groups) = 1 and commission_groups -> 0 ->> 'name' is null as plain
  ) told;
