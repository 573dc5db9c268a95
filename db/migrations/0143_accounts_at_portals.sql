-- Where a publisher allows it, users sign in at its portal by e-mail and password, with an account of their own.

-- A default that is a constant rewrites nothing.
alter table portals add column allows_accounts boolean not null default false;

-- Addresses that users named and have yet to prove, by a code that was mailed there. A user has one at a time.
create table user_sign_ups (
  user_id uuid primary key,
  publisher_id uuid not null,
  email text not null,
  -- Of the code; null until the mail is sent.
  code_hash bytea check (length(code_hash) = 32),
  expires_at timestamptz not null,
  foreign key (user_id, publisher_id) references users (user_id, publisher_id)
);
create index user_sign_ups_by_expiry on user_sign_ups (expires_at);

-- Mails to users, as `mails` has those to staff. A user has an account with each publisher, so an address is a
-- publisher's.
create table user_mails (
  mail_id uuid primary key,
  publisher_id uuid not null references publishers,
  -- Null where somebody asks to reset a password: whose address it is, is looked up when the mail is sent.
  user_id uuid,
  kind text not null check (kind in ('sign_up', 'reset', 'changed')),
  email text not null,
  -- In which the user asked.
  language text not null,
  queued_at timestamptz not null,
  due_at timestamptz not null,
  attempts int not null default 0
);
create unique index user_mails_once on user_mails (publisher_id, kind, lower(email), user_id) nulls not distinct;
create index user_mails_due on user_mails (due_at);
create index user_mails_of_users on user_mails (user_id) where user_id is not null;
