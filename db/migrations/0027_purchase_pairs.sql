-- A purchase that was seen by card and by affiliate link is one purchase (docs/decisions/0020-stacking.md). What was found to
-- be one is kept, so that it is paid once, and by the policy under which it was decided.

create table purchase_pairs (
  user_id uuid not null,
  card_id uuid not null,
  affiliate_id uuid not null,
  publisher_id uuid not null,
  policy text not null check (policy in ('AFFILIATE', 'CARD', 'BOTH')),
  -- The side that earns nothing because the other does; null: neither gives way.
  stacked text check (stacked in ('AFFILIATE', 'CARD')),
  since timestamptz not null,
  -- One to one, whoever writes.
  primary key (user_id, card_id),
  constraint purchase_pairs_one_to_one unique (user_id, affiliate_id),
  foreign key (user_id, publisher_id) references users (user_id, publisher_id)
);

-- Each purchase by card asks for affiliate sales of its user; most users have none, and that answer must cost nothing.
create index transactions_affiliate on transactions (user_id, brand_uid, authorized_at)
  where source = 'AFFILIATE' and adjusts is null;
