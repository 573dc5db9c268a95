-- A network's report states what a sale is at one time. What tells two reports apart is when they were made, or their own
-- number; a pending sale waits for as long as its network takes to decide, not for the ten days of a card's hold.

-- content_sha256 is over that from now on: a number, a time, or else the report it follows (affiliate/service.ts).
alter table postbacks
  add column report_id text,
  add column reported_at timestamptz;

-- Nothing lists reports of unknown clicks.
drop index postbacks_unknown;

-- Networks lock sales after 30 to 90 days; until a network says otherwise, the longest.
alter table networks
  add column lock_days integer not null default 90 constraint networks_lock_days check (lock_days between 1 and 365);

-- When a purchase that has not cleared lapses. The old index goes by the day of purchase, which no longer decides.
alter table transactions add column lapses_at timestamptz;
update transactions
set lapses_at = authorized_at + case source when 'AFFILIATE' then interval '120 days' else interval '10 days' end
where status = 'PENDING' and cleared_on is null and adjusts is null;
create index transactions_lapsing on transactions (publisher_id, lapses_at) where lapses_at is not null;
drop index transactions_uncleared;
