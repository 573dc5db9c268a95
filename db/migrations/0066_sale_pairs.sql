-- A sale that a network reports for a click and the publisher posts, too, is one purchase
-- (docs/decisions/0020-stacking.md). What was found to be one is kept, so that it is paid once.
create table sale_pairs (
  user_id uuid not null,
  network_id uuid not null,
  reported_id uuid not null,
  publisher_id uuid not null,
  -- What earns nothing because another report does; null: neither gives way.
  stacked text check (stacked in ('NETWORK', 'REPORTED', 'BOTH')),
  since timestamptz not null,
  -- One to one, whoever writes.
  primary key (user_id, network_id),
  constraint sale_pairs_one_to_one unique (user_id, reported_id),
  foreign key (user_id, publisher_id) references users (user_id, publisher_id)
);
