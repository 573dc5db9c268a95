-- People sign in by passkeys: a key pair of their device, which asks for a finger or a PIN before it signs.

create table passkeys (
  passkey_id uuid primary key,
  account_id uuid not null references accounts on delete cascade,
  -- As the device knows it, and the public key (COSE), both in base64url.
  credential_id text not null unique,
  public_key text not null,
  -- What the device counts, or zero: a copy of its key would be behind.
  sign_count bigint not null,
  transports text[] not null,
  name text not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index passkeys_of_accounts on passkeys (account_id);

-- What a device is asked to sign, once. Null: whoever signs in says by their passkey who they are.
create table passkey_challenges (
  challenge_hash bytea primary key check (length(challenge_hash) = 32),
  account_id uuid references accounts on delete cascade,
  expires_at timestamptz not null
);
create index passkey_challenges_of_accounts on passkey_challenges (account_id) where account_id is not null;
create index passkey_challenges_by_expiry on passkey_challenges (expires_at);
