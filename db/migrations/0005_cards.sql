-- Which cards a user has linked, and from when until when: what eligibility asks.

-- A login of a user at an institution. Its secrets are the linker's (0009).
create table links (
  user_id uuid not null,
  link_id uuid not null,
  publisher_id uuid not null,
  institution_id text not null,
  institution_name text not null,
  -- NEED_AUTHENTICATION or UNKNOWN for every card of this login; null while healthy.
  error text check (error in ('NEED_AUTHENTICATION', 'UNKNOWN')),
  linked_at timestamptz not null,
  unlinked_at timestamptz,
  primary key (user_id, link_id),
  foreign key (user_id, publisher_id) references users (user_id, publisher_id)
);

create table cards (
  user_id uuid not null,
  card_id uuid not null,
  publisher_id uuid not null,
  link_id uuid not null,
  -- The provider's identifier, which may change when the user links again; card_id does not.
  account_id text not null,
  -- Set by the few institutions that give an account one id for ever.
  persistent_account_id text,
  name text not null,
  mask text,
  subtype text,
  version integer not null default 1,
  linked_at timestamptz not null,
  unlinked_at timestamptz,
  primary key (user_id, card_id),
  foreign key (user_id, link_id) references links (user_id, link_id)
);
create index cards_by_link on cards (user_id, link_id);
-- One account is one card at a time, however often it is linked.
create unique index cards_one_live_account on cards (user_id, account_id) where unlinked_at is null;

-- Every account id a card ever had: purchases reported under an old one are still that card's.
create table card_accounts (
  user_id uuid not null,
  card_id uuid not null,
  account_id text not null,
  publisher_id uuid not null,
  primary key (user_id, card_id, account_id),
  foreign key (user_id, card_id) references cards (user_id, card_id)
);
