-- The linking provider: sealed tokens, how far each feed was read, and which of its rows became source events.

-- Unused since provider_institutions replaced it.
create table institutions (
  institution_id text primary key,
  name text not null,
  logo text,
  color text,
  fetched_at timestamptz not null
);

-- The provider's data about banks, which is the same for every publisher and refreshed after some days. Its
-- environments are kept apart, because a simulator may say anything about a bank whose ID exists in production.
create table provider_institutions (
  environment text not null check (environment in ('sandbox', 'production')),
  institution_id text not null,
  name text not null,
  -- Base64, as the provider returns it.
  logo text,
  color text,
  fetched_at timestamptz not null,
  primary key (environment, institution_id)
);

-- A publisher's own account at the provider. A token works only under the account that created it, so items with the
-- owner 'publisher' are only reachable under this one.
create table provider_accounts (
  publisher_id uuid primary key references publishers,
  client_id text not null check (length(client_id) between 1 and 200),
  sealed_secret bytea not null,
  -- Counts changes, so that a process notices that it holds an outdated account.
  version integer not null default 1,
  created_at timestamptz not null,
  created_by text not null,
  updated_at timestamptz not null,
  updated_by text not null
);

-- When the next call of an operation may be made under an account ('service', or the publisher's ID), shared by all
-- processes. The operation '*' is the whole account, while the provider is down.
create table provider_pacing (
  account text not null,
  operation text not null,
  next_at timestamptz not null,
  primary key (account, operation)
);

-- A publisher and the keyed hash of an item for which the publisher supplied the access token. Other items are only
-- known to the service, which must therefore end them at the provider. Rows stay after unlinking, because a repair in
-- progress may bring such an item back.
create table handed_over_items (
  publisher_id uuid not null references publishers,
  item_fingerprint bytea not null,
  primary key (publisher_id, item_fingerprint)
);

-- The provider's side of a link. Deleted with the link.
create table linker_items (
  user_id uuid not null,
  link_id uuid not null,
  publisher_id uuid not null,
  -- Whose account at the provider the item belongs to.
  owner text not null check (owner in ('service', 'publisher')),
  sealed_token bytea not null,
  -- A keyed hash of the provider's item ID, by which webhooks find the link.
  item_fingerprint bytea not null,
  -- Counts the items that the link has had. The rows of an older one have other IDs.
  generation integer not null default 1,
  -- The end of the last complete update. Null means from the beginning.
  cursor text,
  -- Every request raises the count, so that a run notices that another was requested meanwhile.
  sync_requests integer not null default 1,
  sync_due_at timestamptz not null,
  sync_lease uuid,
  sync_lease_until timestamptz,
  sync_failures integer not null default 0,
  synced_at timestamptz,
  -- Set while the provider must be called about the login's health.
  check_requests integer not null default 0,
  check_due_at timestamptz,
  check_lease_until timestamptz,
  check_failures integer not null default 0,
  -- A webhook, a new link or a person requested the next sync, which goes before the polls.
  sync_asked boolean not null default false,
  -- The provider limits calls for one item. Each call moves these ahead, and requested calls wait until they are near.
  sync_paced_until timestamptz,
  check_paced_until timestamptz,
  checked_at timestamptz,
  -- When a webhook last mentioned the item, and when its feed last returned something.
  hinted_at timestamptz,
  heard_at timestamptz,
  -- From the last check: when the bank last updated the provider, and when the consent ends.
  last_updated_at timestamptz,
  consent_ends_at timestamptz,
  -- The announced end of the login, and the last such time that was already dealt with.
  disconnects_at timestamptz,
  disconnect_settled_at timestamptz,
  -- The error code with which calls about the item currently fail, and since when.
  fault text,
  fault_since timestamptz,
  -- A webhook said that the login has accounts that its user has not been offered. Nothing else would say so. The next
  -- check picks it up.
  new_accounts_hinted boolean not null default false,
  check_lease uuid,
  -- Accounts for which the user withdrew the consent at the bank. The provider says so once, by webhook, and may go on
  -- listing them, so they stay here until the user chooses accounts again.
  revoked_accounts text[] not null default '{}',
  primary key (user_id, link_id),
  foreign key (user_id, link_id) references links (user_id, link_id)
);
create index linker_items_by_fingerprint on linker_items (item_fingerprint);
create index linker_items_by_publisher on linker_items (publisher_id, synced_at);
create index linker_items_to_sync on linker_items (sync_due_at);
create index linker_items_to_check on linker_items (check_due_at) where check_due_at is not null;
-- A publisher's due feeds, requested ones first.
create index linker_items_in_turn on linker_items (publisher_id, sync_asked, sync_due_at);
create index linker_items_at_fault on linker_items (fault) where fault is not null;

-- Items to remove at the provider. The token is stored until that is done. A link being created also has a row, dated
-- ahead, until it is stored: if that fails, no unreachable item is left behind.
create table item_removals (
  user_id uuid not null,
  removal_id uuid not null,
  publisher_id uuid not null,
  -- The link that the token was sealed for.
  link_id uuid not null,
  sealed_token bytea not null,
  item_fingerprint bytea not null,
  due_at timestamptz not null,
  lease_until timestamptz,
  failures integer not null default 0,
  owner text not null default 'service' check (owner in ('service', 'publisher')),
  lease uuid,
  primary key (user_id, removal_id),
  foreign key (user_id, publisher_id) references users (user_id, publisher_id)
);
create index item_removals_due on item_removals (due_at);

-- A public token works once at the provider. A repeated request gets the same response, so a keyed hash of the token
-- stays here for as long as the provider would have accepted it.
create table public_tokens (
  user_id uuid not null,
  token_hash bytea not null,
  publisher_id uuid not null,
  -- The institution that was linked. Null while the request is in progress, and if it was refused.
  institution_id text,
  -- The accounts that another user of the publisher holds, for which it was refused, as JSON.
  refused_accounts text,
  brought_at timestamptz not null,
  -- The item that the token was exchanged for, as a keyed hash of its ID. If linking fails after that, item_removals
  -- has the access token, and a repeated request continues with it.
  item_fingerprint bytea,
  -- The request failed, so the next one need not wait for it.
  is_free boolean not null default false,
  primary key (user_id, token_hash),
  foreign key (user_id, publisher_id) references users (user_id, publisher_id)
);
create index public_tokens_by_age on public_tokens (brought_at);

-- The user of a hosted link finishes in a browser, without the publisher's app, so nobody delivers its public token.
-- The service asks the provider for it. A row exists until the login is linked or no longer can be.
create table hosted_links (
  user_id uuid not null,
  hosted_id uuid not null,
  publisher_id uuid not null,
  owner text not null,
  sealed_token bytea not null,
  token_fingerprint bytea not null,
  expires_at timestamptz not null,
  due_at timestamptz not null,
  failures integer not null default 0,
  lease uuid,
  lease_until timestamptz,
  primary key (user_id, hosted_id),
  foreign key (user_id, publisher_id) references users (user_id, publisher_id),
  check (owner in ('service', 'publisher'))
);
create index hosted_links_due on hosted_links (due_at);
create index hosted_links_by_token on hosted_links (token_fingerprint);

-- The provider's rows as last seen, and the source events recorded for them. A row that is gone may come back under
-- another ID. Its events stand until then, and meanwhile its reward does not mature.
create table feed_rows (
  user_id uuid not null,
  row_id text not null,
  publisher_id uuid not null,
  link_id uuid not null,
  generation integer not null,
  card_id uuid,
  -- The first source event of the row: its own ID, or that of the same purchase under an older item.
  external_id text not null,
  -- The kind of event that was recorded, if any.
  handed_as text check (handed_as in ('AUTHORIZATION', 'CLEARING', 'REFUND')),
  -- In a refund: the source event of the purchase, if known.
  refund_of text,
  amount bigint not null,
  -- The largest amount that was recorded while the row was pending.
  peak_amount bigint not null,
  currency text not null,
  bought_on date not null,
  occurred_at timestamptz not null,
  content_hash bytea not null,
  -- Counts events after the first one. Part of their IDs.
  revision integer not null default 0,
  removed boolean not null default false,
  -- The provider's account of the row. A card may have had several.
  account_id text,
  -- The row that replaces this one: the posting of a hold, or the same row under a new ID.
  replaced_by text,
  -- Set while the row is gone and not replaced. Its purchase stands until then, by the publisher's clock.
  waits_until timestamptz,
  -- Everything that distinguishes the merchant. Two rows that share a key have the same merchant.
  merchant_keys text[] not null default '{}',
  -- A refund that has found no purchase and that no operator has decided.
  is_orphan boolean not null default false,
  primary key (user_id, row_id),
  foreign key (user_id, link_id) references links (user_id, link_id)
);
create index feed_rows_by_day on feed_rows (user_id, link_id, bought_on);
-- Each decision looks up which source events of the purchase came from the feed of a linked card.
create index feed_rows_by_event on feed_rows (user_id, external_id);
create index feed_rows_waiting on feed_rows (publisher_id, waits_until) where waits_until is not null;
create index feed_rows_orphans on feed_rows (publisher_id, user_id) where is_orphan;

-- Operators' decisions about refunds that had found no purchase: who, when and why. Never deleted.
create table orphan_decisions (
  user_id uuid not null,
  row_id text not null,
  publisher_id uuid not null,
  -- The purchase that it was assigned to. Null if it was dismissed.
  transaction_id uuid,
  decided_by text not null check (decided_by <> ''),
  reason text,
  decided_at timestamptz not null,
  primary key (user_id, row_id),
  foreign key (user_id, publisher_id) references users (user_id, publisher_id)
);

select guard_sealed_columns();
