-- The people of the operating company: keys of their own, what they did, and every state that an offer has had.

create table operators (
  operator_id uuid primary key,
  -- Whom the key is for.
  name text not null,
  role text not null check (role in ('admin', 'catalog', 'support')),
  -- The key itself is shown once and never kept.
  sha256 bytea not null unique check (length(sha256) = 32),
  prefix text not null,
  last_four text not null,
  created_at timestamptz not null,
  revoked_at timestamptz
);

-- The answer to a write, kept in the commit of that write, so that a repeat can be answered the same.
create table operator_answers (
  operator_id uuid not null references operators,
  idempotency_key text not null,
  route text not null,
  input_hash bytea not null,
  answer jsonb,
  created_at timestamptz not null default now(),
  primary key (operator_id, idempotency_key, route)
);
create index operator_answers_by_age on operator_answers (created_at);

create table audit_log (
  audit_id uuid primary key,
  at timestamptz not null,
  -- An operator's id, or `local:` and the account that ran the command.
  actor text not null,
  actor_name text not null,
  action text not null,
  subject text not null,
  -- What it was and what it became, as far as that tells; never anything secret.
  before jsonb,
  after jsonb
);
create index audit_log_by_subject on audit_log (subject, audit_id);

create function audit_is_append_only() returns trigger language plpgsql as $$
begin
  raise exception 'what was done is not changed: add a new entry'
    using errcode = 'restrict_violation', constraint = 'audit_is_append_only';
end $$;
create trigger audit_append_only before update or delete or truncate on audit_log
  for each statement execute function audit_is_append_only();

-- What the file said of a brand, in its normal form: what an export gives back. Offers have theirs in their versions.
-- JSON as text, for that keeps its order and digits, and is written in half the time.
alter table brands add column content json;

create table offer_versions (
  offer_uid text not null references offers,
  -- As in offers: the newest is what the offer is now.
  version integer not null,
  -- What the file said, in its normal form.
  content json not null,
  valid_from timestamptz not null,
  -- Who brought it: an operator's id, or `local:` and the account that ran the command.
  changed_by text not null,
  primary key (offer_uid, version)
);
