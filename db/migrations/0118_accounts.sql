-- People sign in: staff of the operating company and of publishers at the console, users at the portal of their
-- publisher. A session is the proof that somebody did; it stands where an API key would.

create table accounts (
  account_id uuid primary key,
  kind text not null check (kind in ('operator', 'publisher', 'user')),
  -- Null for staff of the operating company.
  publisher_id uuid references publishers,
  -- Of users alone.
  user_id uuid,
  -- Of staff alone; what a role allows is decided in the code.
  role text check (role in ('admin', 'catalog', 'finance', 'support', 'read-only')),
  email text not null,
  name text not null,
  created_at timestamptz not null,
  disabled_at timestamptz,
  check ((kind = 'operator') = (publisher_id is null)),
  check ((kind = 'user') = (user_id is not null)),
  check ((kind = 'user') = (role is null))
);
-- One address is one person at the console, and one at each portal.
create unique index accounts_at_console on accounts (lower(email)) where kind <> 'user';
create unique index accounts_at_portal on accounts (publisher_id, lower(email)) where kind = 'user';
create unique index accounts_of_users on accounts (publisher_id, user_id) where kind = 'user';

create table sessions (
  session_id uuid primary key,
  kind text not null check (kind in ('operator', 'publisher', 'user')),
  -- Null for a user who came by a link of the publisher.
  account_id uuid references accounts on delete cascade,
  publisher_id uuid references publishers,
  user_id uuid,
  -- The token itself is in the cookie alone.
  sha256 bytea not null unique check (length(sha256) = 32),
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  -- However often it is used.
  expires_at timestamptz not null,
  address text not null,
  user_agent text not null,
  -- In a frame of the publisher's own page.
  is_embedded boolean not null,
  check ((kind = 'operator') = (publisher_id is null)),
  check ((kind = 'user') = (user_id is not null)),
  check (kind = 'user' or account_id is not null)
);
create index sessions_of_accounts on sessions (account_id) where account_id is not null;
create index sessions_of_users on sessions (user_id) where user_id is not null;
create index sessions_by_expiry on sessions (expires_at);

-- The answers kept for an operator's repeated requests are those of a key or of an account.
alter table operator_answers drop constraint operator_answers_operator_id_fkey;
