-- A refund that publisher and feed attach to different purchases counts once, where the publisher has it
-- (docs/decisions/0020-stacking.md). What was found to be one is kept, so that it can be verified.
create table refund_pairs (
  user_id uuid not null,
  -- The source events, by their external ids.
  reported_refund text not null,
  feed_refund text not null,
  publisher_id uuid not null,
  since timestamptz not null,
  -- One to one, whoever writes.
  primary key (user_id, reported_refund),
  constraint refund_pairs_one_to_one unique (user_id, feed_refund),
  foreign key (user_id, publisher_id) references users (user_id, publisher_id)
);
