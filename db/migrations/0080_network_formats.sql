-- Networks name and write what they report in their own way, which is data in src/affiliate/formats/; an operator may
-- name fields differently for a network. A sale counts for a click that is not older than the network's window.
alter table networks add column format text not null default 'generic';
alter table networks add column fields jsonb not null default '{}';
alter table networks add column window_days integer not null default 30;

-- Some networks report corrections as further records whose amounts add up. Their postback states the sum so far, and
-- keeps what the record itself said. What is credited to no click keeps why.
alter table postbacks add column added bigint;
alter table postbacks add column added_status text;
alter table postbacks add column commission bigint;
alter table postbacks add column unmatched text;

-- Where the reports of a network are fetched, for what it does not push.
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

create trigger closed_key_of_sealed_header before insert or update of sealed_header on network_reports
  for each row execute function refuse_closed_key('sealed_header');

-- What an operator decided on a report that belongs to no click, or that rejects a sale nobody knows. Later reports of
-- an assigned sale are credited to the same click.
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
