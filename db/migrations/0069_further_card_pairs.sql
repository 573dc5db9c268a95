-- A card purchase that the publisher clears in parts may be several rows of the feed of the linked card
-- (docs/decisions/0020-stacking.md). The first of them is in card_pairs, whose key allows no more; the others are here.
create table further_card_pairs (
  user_id uuid not null,
  feed_id uuid not null,
  reported_id uuid not null,
  publisher_id uuid not null,
  -- What earns nothing because another report does; null: neither gives way.
  stacked text check (stacked in ('REPORTED', 'FEED', 'BOTH')),
  since timestamptz not null,
  primary key (user_id, feed_id),
  foreign key (user_id, publisher_id) references users (user_id, publisher_id)
);
