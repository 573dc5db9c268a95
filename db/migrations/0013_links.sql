-- What linking must know beyond one user: which accounts the publisher's other users hold, and which public tokens
-- were brought already.

-- Live accounts by each sign by which one is known again.
create index cards_live_by_account on cards (publisher_id, account_id) where unlinked_at is null;
create index cards_live_by_persistent_account on cards (publisher_id, persistent_account_id)
  where unlinked_at is null and persistent_account_id is not null;
create index cards_live_by_likeness on cards (publisher_id, mask, name) where unlinked_at is null and mask is not null;

-- Accounts of this login that another user of the publisher holds, by the provider's ids. They are not linked, and each
-- is told once, however often the login is looked at.
alter table links add column left_out text[] not null default '{}';

-- A public token works once at the provider. Whoever sends the same request twice gets the answer twice: a keyed hash of
-- the token stands here for as long as the provider would have taken it.
create table public_tokens (
  user_id uuid not null,
  token_hash bytea not null,
  publisher_id uuid not null,
  -- Where it was linked; null while the request that brought it is under way, and when it was refused.
  institution_id text,
  -- The accounts for which it was refused, as JSON: another user of the publisher has them.
  refused_accounts text,
  brought_at timestamptz not null,
  primary key (user_id, token_hash),
  foreign key (user_id, publisher_id) references users (user_id, publisher_id)
);
create index public_tokens_by_age on public_tokens (brought_at);
