-- A row of the feed that is gone may come again under another id: it waits for that before what it told is taken back,
-- and meanwhile its reward does not mature. Refunds whose purchase is unknown wait for it, or for an operator.

alter table feed_rows
  -- The provider's account the row stands under; a card may have had several.
  add column account_id text,
  -- The row that has taken this one's place: the posting of a hold, or the same row under a new id.
  add column replaced_by text,
  -- Set while the row is gone and nothing has taken its place: until then its purchase stands. By the publisher's clock.
  add column waits_until timestamptz,
  -- All that tells the merchant from others; two rows that share one of these are of one merchant.
  add column merchant_keys text[] not null default '{}',
  -- A refund that has found no purchase and was not settled by an operator.
  add column is_orphan boolean not null default false;

update feed_rows set
  replaced_by = case when superseded then '' end,
  merchant_keys =
    case
      when merchant ~ '^[a-z0-9]{30,}$' then array['id:' || merchant]
      else array['web:' || merchant, 'name:' || merchant]
    end,
  is_orphan = coalesce(handed_as = 'REFUND' and refund_of is null and not removed, false);

-- An older item's row that a later one repeats has been replaced by it.
update feed_rows older set replaced_by = later.row_id
from feed_rows later
where later.user_id = older.user_id and later.link_id = older.link_id and later.generation > older.generation
  and later.external_id = older.external_id and older.replaced_by is null;

alter table feed_rows drop column superseded, drop column merchant;

create index feed_rows_waiting on feed_rows (publisher_id, waits_until) where waits_until is not null;
create index feed_rows_orphans on feed_rows (publisher_id, user_id) where is_orphan;

-- Rewards that must not mature now: the row of the feed that they stand on is gone, and may or may not come again.
create table withheld_rewards (
  user_id uuid not null,
  -- Which row; the same reward may be withheld for one reason at a time only, but each row lets go of its own.
  row_id text not null,
  publisher_id uuid not null,
  transaction_id uuid not null,
  since timestamptz not null,
  primary key (user_id, row_id),
  foreign key (user_id, publisher_id) references users (user_id, publisher_id)
);
create index withheld_rewards_by_transaction on withheld_rewards (user_id, transaction_id);

-- What operators decided about refunds that had found no purchase: who, when and why. Kept for ever.
create table orphan_decisions (
  user_id uuid not null,
  row_id text not null,
  publisher_id uuid not null,
  -- The purchase it was given to; null when it was dismissed.
  transaction_id uuid,
  decided_by text not null check (decided_by <> ''),
  reason text,
  decided_at timestamptz not null,
  primary key (user_id, row_id),
  foreign key (user_id, publisher_id) references users (user_id, publisher_id)
);
