-- The feed of everything that happened, written in the commit that caused it, and its delivery to publishers.

create table events (
  -- The user it is about; the publisher's own id where there is none.
  user_id uuid not null,
  event_id uuid not null,
  publisher_id uuid not null references publishers,
  type text not null,
  -- json, not jsonb: the bytes that are signed and delivered stay the same for ever.
  data json not null,
  previous json,
  created_at timestamptz not null,
  primary key (user_id, event_id)
);

-- Events that have no number yet. One sequencer empties it, after the commit that filled it.
create table event_queue (
  ordinal bigint generated always as identity primary key,
  publisher_id uuid not null,
  user_id uuid not null,
  event_id uuid not null,
  type text not null,
  -- The only endpoint that gets it, for a test event; null: every endpoint that asked for the type.
  endpoint_id uuid
);

-- Gap-free numbers: a reader who has seen 1..n knows that nothing is missing.
create table event_feed (
  publisher_id uuid not null,
  sequence bigint not null,
  user_id uuid not null,
  event_id uuid not null,
  type text not null,
  primary key (publisher_id, sequence)
);
create table event_sequences (
  publisher_id uuid primary key references publishers,
  last_sequence bigint not null
);

create table webhook_endpoints (
  publisher_id uuid not null references publishers,
  endpoint_id uuid not null,
  url text not null check (length(url) between 1 and 2048),
  -- null: every type, also those that are invented later.
  event_types text[],
  status text not null default 'enabled' check (status in ('enabled', 'paused', 'disabled')),
  -- Everything up to this number was queued before the endpoint stopped; what came later can be replayed.
  stopped_after_sequence bigint,
  sealed_secret bytea not null,
  sealed_old_secret bytea,
  old_secret_until timestamptz,
  -- Tries that failed since the last one that succeeded, and when the first of them was.
  failures integer not null default 0 check (failures >= 0),
  failing_since timestamptz,
  -- The endpoint asked for rest (429 with Retry-After).
  throttled_until timestamptz,
  created_at timestamptz not null,
  deleted_at timestamptz,
  primary key (publisher_id, endpoint_id),
  constraint webhook_endpoints_id_unique unique (endpoint_id),
  constraint webhook_endpoints_failing_since check ((failures = 0) = (failing_since is null)),
  constraint webhook_endpoints_old_secret check ((sealed_old_secret is null) = (old_secret_until is null))
);

-- One row for each event and endpoint, and one more for each replay. Rows are made by the sequencer from rows it has
-- just read, at the rate of all events; foreign keys would cost as much as the row itself. What a try changes stands in
-- no index, and pages keep room for it, so that recording a try touches one page and nothing else.
create table webhook_deliveries (
  publisher_id uuid not null,
  delivery_id uuid not null default gen_random_uuid(),
  -- The order of delivery within one endpoint and user.
  position bigint generated always as identity,
  endpoint_id uuid not null,
  user_id uuid not null,
  event_id uuid not null,
  type text not null,
  sequence bigint not null,
  status text not null default 'pending' check (status in ('pending', 'delivered', 'exhausted')),
  attempts integer not null default 0,
  created_at timestamptz not null default now(),
  last_attempt_at timestamptz,
  -- Set between a failed try and the next one.
  next_attempt_at timestamptz,
  response_status smallint,
  error text,
  -- Its position once it is exhausted: the few that are can be listed without reading all the others.
  exhausted_position bigint,
  primary key (publisher_id, delivery_id),
  constraint webhook_deliveries_exhausted check ((status = 'exhausted') = (exhausted_position is not null))
) with (fillfactor = 70);
create index webhook_deliveries_by_position on webhook_deliveries (publisher_id, position);
create index webhook_deliveries_by_lane on webhook_deliveries (endpoint_id, user_id, position);
create index webhook_deliveries_exhausted on webhook_deliveries (publisher_id, exhausted_position)
  where exhausted_position is not null;
create index webhook_deliveries_by_age on webhook_deliveries using brin (created_at);

-- One row for each endpoint and user with something pending: whoever claims the row delivers that user's events in
-- order, and nobody else does. Without it, finding what is due would mean passing over everything that waits behind a
-- failed delivery, again and again.
create table webhook_lanes (
  endpoint_id uuid not null,
  user_id uuid not null,
  publisher_id uuid not null,
  -- The position of its first pending delivery: everything before it is finished.
  position bigint not null,
  -- -infinity: at once, first come, first served.
  due_at timestamptz not null,
  -- A worker that dies needs no cleaning up: its claim runs out. In no index, so that claiming touches one page.
  claim_id uuid,
  leased_until timestamptz,
  primary key (endpoint_id, user_id),
  constraint webhook_lanes_lease check ((claim_id is null) = (leased_until is null))
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
create index webhook_lanes_due on webhook_lanes (endpoint_id, due_at, position);
