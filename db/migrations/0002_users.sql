-- Users, and the facts that their status derives from: terms they accepted and deactivations, each with its time.

create table users (
  -- UUIDv8 of SHA-256 (publisher_id, publisher_user_id), so the key makes publisher_user_id unique within a publisher.
  user_id uuid primary key,
  publisher_id uuid not null references publishers,
  publisher_user_id text not null check (length(publisher_user_id) between 1 and 255),
  email text,
  primary_zip_code text,
  attributes text,
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- Foreign keys that include the publisher cannot reference another publisher's user.
  constraint users_belong_to_one_publisher unique (user_id, publisher_id)
);
create index users_by_creation on users (publisher_id, created_at, user_id);
create index users_by_update on users (publisher_id, updated_at, user_id);
create index users_by_publisher_user_id on users (publisher_id, publisher_user_id);
create index users_by_email on users (publisher_id, lower(email), user_id);
-- For operators' lists, which span all publishers.
create index all_users_by_creation on users (created_at, user_id);

create table user_deactivations (
  user_id uuid not null,
  deactivated_at timestamptz not null,
  publisher_id uuid not null,
  reactivated_at timestamptz,
  primary key (user_id, deactivated_at),
  foreign key (user_id, publisher_id) references users (user_id, publisher_id)
);
create unique index user_deactivations_one_open on user_deactivations (user_id) where reactivated_at is null;

-- Terms bind the users of one publisher, or those of every publisher that has no terms of its own.
create table terms_documents (
  document_id integer generated always as identity primary key,
  url text not null,
  revision text not null,
  required_from timestamptz not null,
  published_at timestamptz not null,
  publisher_id uuid references publishers,
  -- A sentence per language that says what changed, so that users need not compare two documents.
  changes jsonb not null default '{}',
  constraint terms_documents_revision_unique unique nulls not distinct (publisher_id, revision)
);

create table terms_acceptances (
  user_id uuid not null,
  document_id integer not null references terms_documents,
  accepted_at timestamptz not null,
  publisher_id uuid not null,
  primary key (user_id, document_id, accepted_at),
  foreign key (user_id, publisher_id) references users (user_id, publisher_id)
);

-- When a revision becomes required, users who have not accepted it become PENDING. A rollout announces each of them to
-- their publisher, batch by batch.
create table terms_rollouts (
  publisher_id uuid not null references publishers,
  document_id integer not null references terms_documents,
  required_from timestamptz not null,
  -- The last user of the last batch, in order of creation.
  after_created_at timestamptz,
  after_user uuid,
  primary key (publisher_id, document_id)
);

-- Users' choices about marketing e-mail. The latest counts. Earlier ones stay, because a publisher must be able to
-- prove what a user agreed to.
create table marketing_choices (
  user_id uuid not null,
  -- Numbers the user's choices.
  version integer not null,
  publisher_id uuid not null,
  agreed boolean not null,
  -- The text that the user read, in this language.
  wording text not null,
  language text not null,
  via text not null check (via in ('portal', 'api')),
  chosen_at timestamptz not null,
  primary key (user_id, version),
  foreign key (user_id, publisher_id) references users (user_id, publisher_id)
);

-- Publishers supply wordings of their own, which may name the user, so an erasure may remove them.
create function marketing_choices_are_kept() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE'
    and to_jsonb(new) - 'wording' = to_jsonb(old) - 'wording'
    and new.wording = 'erased'
    and exists (select from erasures where user_id = old.user_id and salt is not null)
  then
    return new;
  end if;
  raise exception 'choices are kept as they were made'
    using errcode = 'restrict_violation', constraint = 'marketing_choices_are_kept';
end $$;
create trigger marketing_choices_kept before update or delete on marketing_choices
  for each row execute function marketing_choices_are_kept();

-- Addresses that users entered and have yet to confirm with a mailed code, to open an account at their publisher's
-- portal. A user has one at a time.
create table user_sign_ups (
  user_id uuid primary key,
  publisher_id uuid not null,
  email text not null,
  -- Null until the mail is sent.
  code_hash bytea check (length(code_hash) = 32),
  expires_at timestamptz not null,
  foreign key (user_id, publisher_id) references users (user_id, publisher_id)
);
create index user_sign_ups_by_expiry on user_sign_ups (expires_at);

-- Mails that users with an account chose to get. Without a row, a kind is not sent.
create table user_mail_preferences (
  user_id uuid not null,
  kind text not null check (kind in ('reward_ready', 'redemption_paid', 'card_broken')),
  publisher_id uuid not null,
  -- The language in which the user chose them.
  language text not null,
  primary key (user_id, kind),
  foreign key (user_id, publisher_id) references users (user_id, publisher_id)
);

-- Mails to users, like mails for staff. A person has one account per publisher, so an address belongs to a publisher.
create table user_mails (
  mail_id uuid primary key,
  publisher_id uuid not null references publishers,
  -- Null for a password reset: the account of the address is looked up when the mail is sent.
  user_id uuid,
  kind text not null check (kind in (
    'sign_up', 'reset', 'changed', 'passkey_added', 'passkey_removed', 'account_opened', 'account_removed',
    'reward_ready', 'redemption_paid', 'card_broken')),
  email text not null,
  language text not null,
  queued_at timestamptz not null,
  due_at timestamptz not null,
  attempts int not null default 0
);
create unique index user_mails_once on user_mails (publisher_id, kind, lower(email), user_id) nulls not distinct;
create index user_mails_due on user_mails (due_at);
create index user_mails_of_users on user_mails (user_id) where user_id is not null;

-- Manual corrections of balances: goodwill, a correction, or a debt that is written off. Above a limit, a second person
-- decides.
create table adjustments (
  user_id uuid not null,
  adjustment_id uuid not null,
  publisher_id uuid not null,
  external_ref text,
  kind text not null check (kind in ('goodwill', 'correction', 'write_off')),
  paid_by text not null check (paid_by in ('service', 'publisher')),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  amount bigint not null check (amount <> 0),
  reason text not null,
  status text not null check (status in ('proposed', 'booked', 'declined')),
  proposed_by text not null,
  decided_by text,
  created_at timestamptz not null,
  decided_at timestamptz,
  primary key (user_id, adjustment_id),
  constraint adjustments_external_ref unique (user_id, external_ref),
  foreign key (user_id, publisher_id) references users (user_id, publisher_id)
);
create index adjustments_by_id on adjustments (adjustment_id);
create index adjustments_proposed on adjustments (publisher_id, created_at) where status = 'proposed';
create index adjustments_by_time on adjustments (publisher_id, created_at);
