-- What people decide about merchants, what waits for them to decide, and the re-matches that follow when something was
-- wrong.

-- A person's answer, or what purchases taught, under the key by which matching asks. Never changed: a new answer
-- revokes the old one.
create table match_aliases (
  alias_uid uuid primary key,
  -- Null: for all publishers.
  publisher_id uuid references publishers,
  -- A template of descriptors, or `provider:` and the linking provider's id of the merchant.
  key text not null check (key <> ''),
  -- Null: no brand of this catalog.
  brand_uid text references brands,
  -- A person's name, or `learnt`.
  decided_by text not null check (decided_by <> ''),
  decided_at timestamptz not null,
  note text,
  revoked_at timestamptz,
  revoked_by text,
  constraint match_aliases_revoked_by_somebody check ((revoked_at is null) = (revoked_by is null))
);
create unique index match_aliases_live on match_aliases (publisher_id, key) nulls not distinct where revoked_at is null;
create index match_aliases_of_key on match_aliases (key);

-- Counts the states the aliases have had; apart from the catalog's own version, so that a new alias loads no catalog.
create table alias_version (
  only_one boolean primary key default true check (only_one),
  version integer not null
);
insert into alias_version (version) values (0);

-- Purchases whose website and name both say a brand, under the provider's id of their merchant: what aliases are learnt
-- from. Emptied as they are learnt.
create table merchant_sightings (
  publisher_id uuid not null references publishers,
  provider_merchant_id text not null,
  brand_uid text not null,
  transaction_id uuid not null,
  seen_at timestamptz not null,
  primary key (publisher_id, provider_merchant_id, brand_uid, transaction_id)
);

-- Merchants that look like a brand, but not certainly: one open item for each publisher and template.
create table review_items (
  review_id uuid primary key,
  publisher_id uuid not null references publishers,
  template text not null,
  proposed_uid text not null,
  score double precision not null,
  method text not null,
  evidence jsonb not null,
  runner_up jsonb,
  purchases integer not null check (purchases > 0),
  -- A few of their transactions, for whoever looks into it.
  samples uuid[] not null,
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null,
  decided_at timestamptz,
  decided_by text,
  -- Of a decided item: the answer. No brand: it is none of this catalog.
  brand_uid text,
  alias_uid uuid references match_aliases,
  constraint review_items_decided_by_somebody check (
    (decided_at is null) = (decided_by is null) and (decided_at is null) = (alias_uid is null))
);
create unique index review_items_open on review_items (publisher_id, template) where decided_at is null;
create index review_items_of_publisher on review_items (publisher_id, last_seen_at, review_id);
create index review_items_of_template on review_items (template) where decided_at is null;

-- Purchases decided anew after something was corrected: who, when and why, and what it came to.
create table rematches (
  rematch_id uuid primary key,
  publisher_id uuid not null references publishers,
  -- The re-match whose former terms this one puts back.
  undoes uuid references rematches,
  decided_by text not null check (decided_by <> ''),
  reason text not null check (reason <> ''),
  filter jsonb not null,
  started_at timestamptz not null,
  -- Null: under way, or stopped before its end; what it had changed by then stands below.
  finished_at timestamptz,
  examined integer not null default 0,
  changed integer not null default 0,
  -- Of an undo: what somebody had decided otherwise in between, and stays.
  kept integer not null default 0,
  -- What users, publisher and service had and have of the changed ones, in minor units as texts.
  sums jsonb not null default '{}'
);
create index rematches_of_publisher on rematches (publisher_id, started_at);

create table rematch_changes (
  rematch_id uuid not null references rematches,
  publisher_id uuid not null,
  user_id uuid not null,
  transaction_id uuid not null,
  -- Brand, frozen terms, reason and amounts of the purchase with all that adjusts it.
  before jsonb not null,
  after jsonb not null,
  primary key (rematch_id, user_id, transaction_id),
  foreign key (user_id, transaction_id) references transactions (user_id, transaction_id)
);

-- A reward that one advertiser owed is owed by another. Not validated: all that is booked is of the former kinds.
alter table journals drop constraint journals_kind_check;
alter table journals add constraint journals_kind_check check (
  kind in ('accrual', 'reassignment', 'maturity', 'clawback', 'redemption_hold', 'redemption_paid', 'redemption_failed', 'write_off')
) not valid;
