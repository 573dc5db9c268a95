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
  -- The argon2id hash with its parameters; null until one is set.
  password text,
  -- The secret of the authenticator app; it counts from when its first code was shown.
  sealed_totp bytea,
  totp_since timestamptz,
  -- The step of the newest code that was accepted, so that none is accepted twice.
  totp_step bigint,
  created_at timestamptz not null,
  -- When a mail to the address was answered.
  verified_at timestamptz,
  disabled_at timestamptz,
  check ((kind = 'operator') = (publisher_id is null)),
  check ((kind = 'user') = (user_id is not null)),
  check ((kind = 'user') = (role is null))
);
-- One address is one person at the console, and one at each portal.
create unique index accounts_at_console on accounts (lower(email)) where kind <> 'user';
create unique index accounts_at_portal on accounts (publisher_id, lower(email)) where kind = 'user';
create unique index accounts_of_users on accounts (publisher_id, user_id) where kind = 'user';

create trigger closed_key_of_sealed_totp before insert or update of sealed_totp on accounts
  for each row execute function refuse_closed_key('sealed_totp');

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

-- Links that were sent by mail or printed, and sign-ins that wait for a second factor. Each is used once.
create table account_tokens (
  sha256 bytea primary key check (length(sha256) = 32),
  account_id uuid not null references accounts on delete cascade,
  purpose text not null check (purpose in ('enter', 'invitation', 'reset', 'second_factor')),
  expires_at timestamptz not null
);
create index account_tokens_of_accounts on account_tokens (account_id);
create index account_tokens_by_expiry on account_tokens (expires_at);

-- What stands for the authenticator app when it is lost; a code is deleted when it is used.
create table backup_codes (
  account_id uuid not null references accounts on delete cascade,
  sha256 bytea not null check (length(sha256) = 32),
  primary key (account_id, sha256)
);

-- Failed attempts to sign in, by a hash of the address that was named and by the network that they came from.
create table sign_in_attempts (
  bucket_hash bytea primary key,
  count int not null,
  began_at timestamptz not null
);
create index sign_in_attempts_by_age on sign_in_attempts (began_at);

-- Mails to be sent. A link in a mail is made when it is sent, so that no token is stored, and whether there is an
-- account for an address is looked up then, so that asking for a reset takes as long for any address.
create table mails (
  mail_id uuid primary key,
  kind text not null check (kind in ('invitation', 'reset', 'changed')),
  email text not null,
  queued_at timestamptz not null,
  due_at timestamptz not null,
  attempts int not null default 0
);
create unique index mails_once on mails (kind, lower(email));
create index mails_due on mails (due_at);

-- The answers kept for an operator's repeated requests are those of a key or of an account.
alter table operator_answers drop constraint operator_answers_operator_id_fkey;
