-- What each publisher makes of the catalog: which brands and offers it carries, what it keeps of an offer's commission,
-- its own words and the order of its categories. Publishers without a row carry everything, as their agreement says.

create table assortment_entries (
  publisher_id uuid not null references publishers,
  entry_id uuid not null,
  -- What it is about; none of the three: all that the publisher carries.
  category_id integer references categories,
  brand_uid text references brands,
  offer_uid text references offers,
  says text not null check (says in ('carriage', 'split', 'wording', 'category_order')),
  -- Without a subject: whether what no other entry names is carried.
  carried boolean,
  fee_ppm integer check (fee_ppm >= 0),
  share_ppm integer check (share_ppm >= 0),
  wording text check (wording <> ''),
  category_order integer[],
  -- An operator's id, or `local:` and the account that ran a command.
  said_by text not null check (said_by <> ''),
  said_at timestamptz not null,
  -- Never changed: what is said later ends what was said before.
  ended_by text,
  ended_at timestamptz,
  primary key (publisher_id, entry_id),
  constraint assortment_entries_one_subject check (num_nonnulls(category_id, brand_uid, offer_uid) <= 1),
  constraint assortment_entries_one_thing check (
    num_nonnulls(carried, fee_ppm, wording, category_order) = 1 and (fee_ppm is null) = (share_ppm is null)
    and case says
      when 'carriage' then carried is not null
      when 'split' then fee_ppm is not null and num_nonnulls(brand_uid, offer_uid) = 1
      when 'wording' then wording is not null and offer_uid is not null
      else category_order is not null and num_nonnulls(category_id, brand_uid, offer_uid) = 0
    end),
  constraint assortment_entries_leave_the_user_something check (fee_ppm + share_ppm <= 1000000),
  constraint assortment_entries_ended_by_somebody check ((ended_at is null) = (ended_by is null))
);
create unique index assortment_entries_live on assortment_entries (publisher_id, says, category_id, brand_uid, offer_uid)
  nulls not distinct where ended_at is null;

-- Counts the states that assortments have had; apart from the catalog's version, so that a change loads no catalog.
-- Locked by each change.
create table assortment_version (
  only_one boolean primary key default true check (only_one),
  version integer not null
);
insert into assortment_version (version) values (0);
