-- Affiliate links and what comes of them: where an offer's links lead, who followed one, what networks report back.
-- Programs and networks are reference data; clicks are a user's.

create table networks (
  network text primary key check (network ~ '^[a-z0-9][a-z0-9_-]{0,63}$'),
  -- A keyed fingerprint: the secret itself is not needed to compare it.
  secret_fingerprint bytea not null,
  updated_at timestamptz not null
);

create table programs (
  offer_uid text primary key,
  network text not null,
  -- The advertiser's address with {sub_id} where the click's sub-id belongs; links lead nowhere else.
  address_template text not null check (address_template ~ '^https://' and position('{sub_id}' in address_template) > 0),
  -- What a reported amount is in when the report does not say.
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  first_day date,
  last_day date,
  ended_at timestamptz
);

create table clicks (
  user_id uuid not null,
  click_id uuid not null,
  publisher_id uuid not null,
  offer_uid text not null,
  clicked_at timestamptz not null,
  primary key (user_id, click_id),
  foreign key (user_id, publisher_id) references users (user_id, publisher_id)
);
create index clicks_by_time on clicks (user_id, clicked_at);

-- A network knows a click by its sub-id alone; this says whose click it was, wherever that user's rows lie.
create table sub_ids (
  sub_id text primary key,
  user_id uuid not null,
  click_id uuid not null,
  publisher_id uuid not null references publishers,
  offer_uid text not null
);

-- Reports of sales, as they came but for the secret. This table is about a network's messages: a user is only known
-- once the sub-id is, so the network leads its keys.
create table postbacks (
  network text not null references networks,
  -- SHA-256 of the content: the same report again is no second one.
  content_sha256 bytea not null,
  postback_id uuid not null,
  content jsonb not null,
  sub_id text not null,
  -- Whose click it was; null while the sub-id is unknown.
  publisher_id uuid,
  user_id uuid,
  offer_uid text,
  status text not null check (status in ('pending', 'approved', 'rejected')),
  order_id text,
  transaction_id text,
  -- Minor units; null where a rejection names no amount.
  amount bigint check (amount > 0),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  sold_at timestamptz,
  date_only boolean not null,
  received_at timestamptz not null,
  primary key (network, content_sha256),
  constraint postbacks_id_unique unique (postback_id),
  constraint postbacks_name_a_sale check (order_id is not null or transaction_id is not null),
  constraint postbacks_known_whole check (num_nulls(publisher_id, user_id, offer_uid) in (0, 3)),
  constraint postbacks_amount_unless_rejected check (amount is not null or status = 'rejected')
);
create index postbacks_of_sub_id on postbacks (sub_id, received_at);
create index postbacks_unknown on postbacks (received_at) where user_id is null;

create function postbacks_are_immutable() returns trigger language plpgsql as $$
begin
  raise exception 'postbacks are kept as they came'
    using errcode = 'restrict_violation', constraint = 'postbacks_are_immutable';
end $$;
create trigger postbacks_immutable before update or delete or truncate on postbacks
  for each statement execute function postbacks_are_immutable();
