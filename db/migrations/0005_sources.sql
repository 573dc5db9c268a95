-- Sources of purchases: linked cards, which decide eligibility, and affiliate links with the networks' reports of
-- sales.

-- A user's login at an institution. Its secrets are in linker_items.
create table links (
  user_id uuid not null,
  link_id uuid not null,
  publisher_id uuid not null,
  institution_id text not null,
  institution_name text not null,
  -- Applies to every card of the login; null while it works.
  error text check (error in ('NEED_AUTHENTICATION', 'UNKNOWN')),
  linked_at timestamptz not null,
  unlinked_at timestamptz,
  -- When the user must have signed in again; null if no end is known.
  reauthentication_deadline timestamptz,
  -- Set from the announcement that the login broke until it works again.
  break_told_at timestamptz,
  -- When the shown state was observed. Earlier observations do not overrule it.
  observed_at timestamptz,
  -- Accounts of this login, by the provider's IDs, that are not linked because another user of the publisher holds
  -- them. Each is announced once, however often the login is inspected.
  left_out text[] not null default '{}',
  -- The bank has new accounts, and the user has yet to choose among them. The publisher is notified, because users can
  -- only share them in a repair.
  new_accounts_available boolean not null default false,
  primary key (user_id, link_id),
  foreign key (user_id, publisher_id) references users (user_id, publisher_id)
);
create index links_by_error on links (error) where error is not null and unlinked_at is null;
-- For operators' lists, which span all publishers.
create index links_broken on links (linked_at, link_id) where error is not null and unlinked_at is null;

create table cards (
  user_id uuid not null,
  card_id uuid not null,
  publisher_id uuid not null,
  link_id uuid not null,
  -- The provider's ID, which may change when the user links again. card_id stays.
  account_id text not null,
  -- Set by the few institutions with permanent account IDs.
  persistent_account_id text,
  name text not null,
  mask text,
  subtype text,
  version integer not null default 1,
  linked_at timestamptz not null,
  unlinked_at timestamptz,
  -- Another user of the publisher unlinked this account, or one like it, on the day it was linked. Many banks report
  -- only the day of a purchase, so a purchase of that day may already have been rewarded.
  taken_over boolean not null default false,
  primary key (user_id, card_id),
  foreign key (user_id, link_id) references links (user_id, link_id)
);
create index cards_by_link on cards (user_id, link_id);
create index cards_by_id on cards (card_id);
-- However often an account is linked, it is one card at a time.
create unique index cards_one_live_account on cards (user_id, account_id) where unlinked_at is null;
-- The features by which an account that another user of the publisher holds is recognized.
create index cards_live_by_account on cards (publisher_id, account_id) where unlinked_at is null;
create index cards_live_by_persistent_account on cards (publisher_id, persistent_account_id)
  where unlinked_at is null and persistent_account_id is not null;
create index cards_live_by_likeness on cards (publisher_id, mask, name) where unlinked_at is null and mask is not null;
create index cards_unlinked on cards (publisher_id, unlinked_at) where unlinked_at is not null;

-- All account IDs that a card ever had. Purchases reported under an old one are still that card's.
create table card_accounts (
  user_id uuid not null,
  card_id uuid not null,
  account_id text not null,
  publisher_id uuid not null,
  primary key (user_id, card_id, account_id),
  foreign key (user_id, card_id) references cards (user_id, card_id)
);

-- That an account was not linked because another user holds it is announced once a day, however often its user tries.
-- Each attempt has new IDs, so the account is identified by what the user sees of it.
create table announced_duplicates (
  user_id uuid not null,
  publisher_id uuid not null,
  institution_id text not null,
  -- All three are null for a login whose accounts could not be seen.
  name text,
  mask text,
  subtype text,
  announced_on date not null,
  -- Logical replication needs a primary key, and a key with nulls cannot be one.
  announced_duplicate_id uuid not null default gen_random_uuid(),
  primary key (user_id, announced_duplicate_id),
  constraint announced_duplicates_key unique nulls not distinct (user_id, institution_id, name, mask, subtype),
  foreign key (user_id, publisher_id) references users (user_id, publisher_id)
);

-- Affiliate networks. They are reference data, as are programs. Clicks belong to users.
create table networks (
  network text primary key check (network ~ '^[a-z0-9][a-z0-9_-]{0,63}$'),
  -- A keyed fingerprint suffices to compare the secret.
  secret_fingerprint bytea not null,
  updated_at timestamptz not null,
  -- Days that a pending sale waits. Networks lock sales after 30 to 90 days, so the default is the longest.
  lock_days integer not null default 90 constraint networks_lock_days check (lock_days between 1 and 365),
  -- A format in src/sources/affiliate/formats/, and the fields that an operator renamed for this network.
  format text not null default 'generic',
  fields jsonb not null default '{}',
  -- A sale only counts for a click that is at most this many days old.
  window_days integer not null default 30
);

create table programs (
  offer_uid text primary key,
  network text not null,
  -- The advertiser's address, with {sub_id} in the place of the click's sub-ID. Links lead nowhere else.
  address_template text not null
    check (address_template ~ '^https://' and position('{sub_id}' in address_template) > 0),
  -- The currency of reported amounts that name none.
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  first_day date,
  last_day date,
  ended_at timestamptz
);

create table clicks (
  user_id uuid not null,
  click_id uuid not null,
  publisher_id uuid not null,
  offer_uid text not null,
  clicked_at timestamptz not null,
  primary key (user_id, click_id),
  foreign key (user_id, publisher_id) references users (user_id, publisher_id)
);
create index clicks_by_time on clicks (user_id, clicked_at);
create trigger publisher_stays after insert on clicks
  referencing new table as inserted for each statement execute function publisher_stays();

-- A network knows a click only by its sub-ID. This maps it to the click's user.
create table sub_ids (
  sub_id text primary key,
  user_id uuid not null,
  click_id uuid not null,
  publisher_id uuid not null references publishers,
  offer_uid text not null,
  -- The program's network at the time of the click. No other may report a sale for it.
  network text not null,
  clicked_at timestamptz not null,
  -- A sub-ID without a sale is dropped once none can follow.
  is_sold boolean not null default false
);
create index sub_ids_unsold on sub_ids (clicked_at) where not is_sold;

-- Reports of sales, as received except for the secret. The table is keyed by network, because the user is known only
-- once the sub-ID is.
create table postbacks (
  network text not null references networks,
  -- SHA-256 of the identity of the report: its number, its time, or else the report that it follows
  -- (src/sources/affiliate/sales). A repeated report is not stored again.
  content_sha256 bytea not null,
  postback_id uuid not null,
  content jsonb not null,
  sub_id text not null,
  -- All three are null while the sub-ID is unknown.
  publisher_id uuid,
  user_id uuid,
  offer_uid text,
  -- amended: a report that only changes an amount. The status that it keeps is known once all reports of the sale are.
  status text not null check (status in ('pending', 'approved', 'rejected', 'amended')),
  order_id text,
  transaction_id text,
  -- Minor units; null if a rejection has no amount. An amendment to zero keeps the sale until it is rejected.
  amount bigint constraint postbacks_amount_check check (amount > 0 or (amount = 0 and status = 'amended')),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  sold_at timestamptz,
  date_only boolean not null,
  received_at timestamptz not null,
  report_id text,
  reported_at timestamptz,
  -- Some networks report corrections as records whose amounts add up. Then amount and status are the total so far, and
  -- these are the record's own.
  added bigint,
  added_status text,
  commission bigint,
  -- Why the report is credited to no click.
  unmatched text,
  primary key (network, content_sha256),
  constraint postbacks_id_unique unique (postback_id),
  constraint postbacks_name_a_sale check (order_id is not null or transaction_id is not null),
  constraint postbacks_known_whole check (num_nulls(publisher_id, user_id, offer_uid) in (0, 3)),
  constraint postbacks_amount_unless_rejected check (amount is not null or status = 'rejected')
);
create index postbacks_of_sub_id on postbacks (sub_id, received_at);
-- A network's report is compared with what is known about its orders, most of which have not changed. Some items are
-- reported without an order.
create index postbacks_of_order on postbacks (network, order_id) where order_id is not null;
create index postbacks_without_order on postbacks (network, transaction_id) where order_id is null;
-- Operators list reports without a click, and rejections of unknown sales.
create index postbacks_unknown on postbacks (received_at) where user_id is null;
create index postbacks_rejected on postbacks (received_at) where status = 'rejected';

-- Reports stay as received. Only what identifies an erased user is removed.
create function postbacks_are_immutable() returns trigger language plpgsql as $$
begin
  if tg_level = 'ROW' and tg_op = 'UPDATE' then
    if to_jsonb(new) - array['content', 'order_id', 'transaction_id', 'report_id']
      = to_jsonb(old) - array['content', 'order_id', 'transaction_id', 'report_id']
      and new.content = '{}'
      and (select every(reference is null or reference like 'erased-%')
        from unnest(array[new.order_id, new.transaction_id, new.report_id]) as reference)
      and exists (
        select from erasures e
        where e.salt is not null
          and (e.user_id = old.user_id
            or e.user_id = (select s.user_id from sub_ids s where s.sub_id = lower(old.sub_id))
            or e.user_id in (
              select s.user_id from postback_answers a join sub_ids s on s.sub_id = a.click_sub_id
              where a.postback_id = old.postback_id
            ))
      )
    then
      return new;
    end if;
  end if;
  raise exception 'postbacks are kept as they came'
    using errcode = 'restrict_violation', constraint = 'postbacks_are_immutable';
end $$;
create trigger postbacks_immutable before delete or truncate on postbacks
  for each statement execute function postbacks_are_immutable();
create trigger postbacks_immutable_rows before update on postbacks
  for each row execute function postbacks_are_immutable();
create trigger publisher_stays after insert on postbacks
  referencing new table as inserted for each statement execute function publisher_stays();

-- An operator's decision on a report that belongs to no click, or that rejects an unknown sale. Later reports of an
-- assigned sale are credited to the same click.
create table postback_answers (
  postback_id uuid primary key references postbacks (postback_id),
  network text not null,
  sub_id text not null,
  order_id text,
  transaction_id text,
  click_sub_id text,
  answered_by text not null,
  reason text,
  answered_at timestamptz not null
);
create index postback_answers_of_sub_id on postback_answers (network, sub_id, order_id);
create index postback_answers_of_transaction on postback_answers (network, transaction_id);

-- Where to fetch the reports that a network does not push.
create table network_reports (
  network text primary key references networks (network),
  url text not null,
  body text,
  header text not null,
  sealed_header bytea,
  every_minutes integer not null check (every_minutes between 5 and 10080),
  days integer not null check (days between 1 and 365),
  page_days integer not null check (page_days between 1 and 92),
  next_at timestamptz not null,
  failures integer not null default 0,
  last_success_at timestamptz,
  last_error text,
  last_error_at timestamptz
);
create index network_reports_due on network_reports (next_at);

-- A network's report is imported in batches of one commit each. A row exists until all of it is imported, so that an
-- interrupted import resumes, and what is left is visible.
create table report_imports (
  network text not null references networks,
  sha256 bytea not null,
  rows integer not null check (rows >= 0),
  read_rows integer not null default 0 check (read_rows between 0 and rows),
  begun_at timestamptz not null,
  advanced_at timestamptz not null,
  primary key (network, sha256)
);

select guard_sealed_columns();
