-- Calls that somebody outside never answers become visible by how long they have waited. An operator may end an order of
-- gift cards that the supplier does not decide; the supplier is asked about it for a while all the same, because it may
-- have delivered. What it then says, and what banks say against what is known of a payout, is kept for people to see.
alter table gift_card_queue
  add column queued_at timestamptz not null default now(),
  add column ended_at timestamptz;
alter table payout_queue add column queued_at timestamptz not null default now();

create table contradictions (
  user_id uuid not null,
  contradiction_id uuid not null,
  publisher_id uuid not null,
  subject text not null,
  known text not null,
  reported text not null,
  reported_by text not null,
  code text,
  text text,
  reference text,
  recorded_at timestamptz not null default now(),
  acknowledged_at timestamptz,
  acknowledged_by text,
  note text,
  primary key (user_id, contradiction_id),
  constraint contradictions_once unique (user_id, subject, known, reported),
  foreign key (user_id, publisher_id) references users (user_id, publisher_id)
);

create index contradictions_open on contradictions (recorded_at) where acknowledged_at is null;
create index contradictions_by_id on contradictions (contradiction_id);
