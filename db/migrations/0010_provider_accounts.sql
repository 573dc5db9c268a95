-- A token of the linking provider works only under the account it was made in. So publishers that link by themselves have
-- their own account stored here, and every process of the service shares one pace towards each account.

-- A publisher's own account at the linking provider; its items (owner 'publisher') are reached under it alone.
create table provider_accounts (
  publisher_id uuid primary key references publishers,
  client_id text not null check (length(client_id) between 1 and 200),
  sealed_secret bytea not null,
  -- Counts the changes, so that a process sees that the account it has open is an older one.
  version integer not null default 1,
  created_at timestamptz not null,
  created_by text not null,
  updated_at timestamptz not null,
  updated_by text not null
);

-- One row for each account and operation that the provider limits: when the next call may be made. A caller moves it on
-- by what its calls take and so knows its turn, whichever process it is.
create table provider_turns (
  -- A hash of the provider's address and the client id.
  account text not null,
  operation text not null,
  next_at timestamptz not null,
  primary key (account, operation)
);
