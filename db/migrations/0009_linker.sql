-- What the linker must remember of the provider: sealed tokens, where each feed was read to, which rows were handed over.

-- What the provider says of a bank; the same for every publisher, and asked again after some days.
create table institutions (
  institution_id text primary key,
  name text not null,
  -- Base64, as the provider gives it.
  logo text,
  color text,
  fetched_at timestamptz not null
);

-- The provider's side of a link. Gone when the link is.
create table linker_items (
  user_id uuid not null,
  link_id uuid not null,
  publisher_id uuid not null,
  -- The publisher's own items are never removed at the provider: the publisher may go on using them.
  owner text not null check (owner in ('service', 'publisher')),
  sealed_token bytea not null,
  -- A keyed hash of the provider's item id, by which webhooks find the link.
  item_fingerprint bytea not null,
  -- Counts the items this link has had; rows of an older one are known under other ids.
  generation integer not null default 1,
  -- Where the last whole update ended; null: from the beginning.
  cursor text,
  -- Each request raises the count, so that a run knows whether another was asked for while it was under way.
  sync_requests integer not null default 1,
  sync_due_at timestamptz not null,
  sync_lease uuid,
  sync_lease_until timestamptz,
  sync_failures integer not null default 0,
  synced_at timestamptz,
  -- Set while the provider's word on the login's health is to be asked for.
  check_requests integer not null default 0,
  check_due_at timestamptz,
  check_lease_until timestamptz,
  check_failures integer not null default 0,
  primary key (user_id, link_id),
  foreign key (user_id, link_id) references links (user_id, link_id)
);
create index linker_items_by_fingerprint on linker_items (item_fingerprint);
create index linker_items_by_publisher on linker_items (publisher_id, synced_at);
create index linker_items_to_sync on linker_items (sync_due_at);
create index linker_items_to_check on linker_items (check_due_at) where check_due_at is not null;

-- Items that are to be removed at the provider; the token lives until that is done. A link under way also stands here,
-- dated ahead, until it is stored: should that fail, no item is left behind that nobody can reach.
create table item_removals (
  user_id uuid not null,
  removal_id uuid not null,
  publisher_id uuid not null,
  -- Names the link the token was sealed for.
  link_id uuid not null,
  sealed_token bytea not null,
  item_fingerprint bytea not null,
  due_at timestamptz not null,
  lease_until timestamptz,
  failures integer not null default 0,
  primary key (user_id, removal_id),
  foreign key (user_id, publisher_id) references users (user_id, publisher_id)
);
create index item_removals_due on item_removals (due_at);

-- The provider's rows as they were last seen, and the source events they stand behind.
create table feed_rows (
  user_id uuid not null,
  row_id text not null,
  publisher_id uuid not null,
  link_id uuid not null,
  generation integer not null,
  card_id uuid,
  -- The source event that began this row: its own id, or that of the same purchase under an older item.
  external_id text not null,
  -- What was handed over under it; null when the row was none of our business.
  handed_as text check (handed_as in ('AUTHORIZATION', 'CLEARING', 'REFUND')),
  -- For a refund: the source event of the purchase, where that is known.
  refund_of text,
  amount bigint not null,
  -- The largest amount that was handed over while the row was pending.
  peak_amount bigint not null,
  currency text not null,
  bought_on date not null,
  occurred_at timestamptz not null,
  merchant text not null,
  content_hash bytea not null,
  -- Counts what was handed over after the first event; part of the later events' ids.
  revision integer not null default 0,
  -- A posted row has taken this pending one's place; its removal means nothing then.
  superseded boolean not null default false,
  removed boolean not null default false,
  primary key (user_id, row_id),
  foreign key (user_id, link_id) references links (user_id, link_id)
);
create index feed_rows_by_day on feed_rows (user_id, link_id, bought_on);
