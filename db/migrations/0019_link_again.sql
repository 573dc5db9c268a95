-- A public token works once at the provider, and a link can fail after that. Then we have the item's access token, among the
-- items to remove, and the same call must be able to go on with it.

-- The item for which the public token was exchanged, by the keyed hash of its id; null before that.
alter table public_tokens add column item_fingerprint bytea;
-- The request that brought it has failed, so the next one need not wait for it.
alter table public_tokens add column is_free boolean not null default false;

-- That an account was not linked because another user holds it is told once a day, however often its user tries. Each try
-- has ids of its own, so the account is known by what the user sees of it.
create table told_duplicates (
  user_id uuid not null,
  publisher_id uuid not null,
  institution_id text not null,
  -- All three null: a login whose accounts could not be seen.
  name text,
  mask text,
  subtype text,
  told_on date not null,
  unique nulls not distinct (user_id, institution_id, name, mask, subtype),
  foreign key (user_id, publisher_id) references users (user_id, publisher_id)
);
