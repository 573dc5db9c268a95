-- The feed of everything that happened, written in the commit that caused it, and its delivery to publishers' webhooks.
-- Old events are dropped in batches, from where the indexes begin. The low vacuum thresholds keep their remains from
-- piling up there.

create table events (
  -- The user that the event is about. Without one, the publisher's own ID.
  user_id uuid not null,
  event_id uuid not null,
  publisher_id uuid not null references publishers,
  type text not null,
  -- Without member names (src/platform/packed-json.ts). json instead of jsonb: the bytes that are signed and delivered
  -- never change.
  stored_data json not null,
  previous json,
  created_at timestamptz not null,
  primary key (user_id, event_id)
) with (autovacuum_vacuum_scale_factor = 0.02);
create trigger publisher_stays after insert on events
  referencing new table as inserted for each statement execute function publisher_stays();

-- Events that have no number yet. One sequencer empties it, after the commits that filled it.
create table event_queue (
  ordinal bigint generated always as identity primary key,
  publisher_id uuid not null,
  user_id uuid not null,
  event_id uuid not null,
  type text not null,
  -- The only recipient of a test event. Null means every endpoint that subscribes to the type.
  endpoint_id uuid
);
-- Publishers take turns being numbered, so that a flood from one does not delay the others.
create unique index event_queue_publishers on event_queue (publisher_id, ordinal);

-- Numbers without gaps: a reader who has seen 1..n knows that nothing is missing.
create table event_feed (
  publisher_id uuid not null,
  sequence bigint not null,
  user_id uuid not null,
  event_id uuid not null,
  type text not null,
  primary key (publisher_id, sequence)
) with (autovacuum_vacuum_scale_factor = 0.02);
create table event_sequences (
  publisher_id uuid primary key references publishers,
  last_sequence bigint not null,
  -- Events up to this number have been dropped. Readers learn from it where the feed begins.
  dropped_until bigint not null default 0
);

-- A database restored from a backup reassigns the numbers of lost events. Readers notice by the epoch in their cursors,
-- which each restore renews.
create table feed_epochs (
  publisher_id uuid not null references publishers,
  -- The second in which it began, so that no two restores of a backup share an epoch. The first is 0 and has no row.
  epoch bigint not null,
  -- Readers of earlier epochs know the events up to this number.
  begins_after bigint not null,
  primary key (publisher_id, epoch)
);

create table webhook_endpoints (
  publisher_id uuid not null references publishers,
  endpoint_id uuid not null,
  url text not null check (length(url) between 1 and 2048),
  -- Null means every type, including future ones.
  event_types text[],
  status text not null default 'enabled' check (status in ('enabled', 'paused', 'disabled')),
  -- Everything up to this number was queued before the endpoint stopped. Later events can be replayed.
  stopped_after_sequence bigint,
  sealed_secret bytea not null,
  sealed_old_secret bytea,
  old_secret_until timestamptz,
  -- Failed attempts since the last successful one, and when the first of them was.
  failures integer not null default 0 check (failures >= 0),
  failing_since timestamptz,
  -- Set when the receiver asks for a pause (429 with Retry-After).
  throttled_until timestamptz,
  created_at timestamptz not null,
  deleted_at timestamptz,
  -- When the endpoint was last found or declared to work again; null once everything waiting for it is due.
  recovered_at timestamptz,
  description text,
  -- Events of the feed after the first and up to the second number are still to be sent if the endpoint lacks them.
  resend_after bigint,
  resend_until bigint,
  -- Deliveries for an endpoint that was stopped long ago do not hold back the retention of their events.
  stopped_at timestamptz,
  -- The receiver's response to redemption.sent may decide the outcome of the redemption.
  decides_outcomes boolean not null default false,
  primary key (publisher_id, endpoint_id),
  constraint webhook_endpoints_id_unique unique (endpoint_id),
  constraint webhook_endpoints_failing_since check ((failures = 0) = (failing_since is null)),
  constraint webhook_endpoints_old_secret check ((sealed_old_secret is null) = (old_secret_until is null)),
  constraint webhook_endpoints_resend check ((resend_after is null) = (resend_until is null))
);
create index webhook_endpoints_recovered on webhook_endpoints (recovered_at) where recovered_at is not null;
create index webhook_endpoints_resend on webhook_endpoints (endpoint_id) where resend_until is not null;

-- One row per event and endpoint, and another for each replay. The sequencer writes them from rows it has just read, at
-- the rate of all events; foreign keys would cost as much as the row itself. No index has the columns that an attempt
-- changes, and each page has room for a second version of all its rows, so recording an attempt touches one page. The
-- space is not wasted: moved rows and their index entries took as much.
create table webhook_deliveries (
  publisher_id uuid not null,
  delivery_id uuid not null default gen_random_uuid(),
  -- The order of delivery for an endpoint and user.
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
  -- Set between a failed attempt and the next one.
  next_attempt_at timestamptz,
  response_status smallint,
  error text,
  -- The position once it is exhausted, so that the few exhausted ones can be listed without reading all others.
  exhausted_position bigint,
  -- Deliveries to an endpoint that works again are attempted immediately. Such extra attempts use up nothing of the
  -- retry plan.
  planned_at timestamptz,
  extra_attempts smallint not null default 0,
  latency_ms integer,
  -- The first KB of the receiver's response.
  answer text,
  -- Most deliveries need one attempt. Earlier ones are stored in the same row, so recording an attempt is one write.
  earlier_attempts jsonb,
  primary key (publisher_id, delivery_id),
  constraint webhook_deliveries_exhausted check ((status = 'exhausted') = (exhausted_position is not null))
) with (fillfactor = 45, autovacuum_vacuum_scale_factor = 0.02);
create index webhook_deliveries_by_position on webhook_deliveries (publisher_id, position);
create index webhook_deliveries_by_lane on webhook_deliveries (endpoint_id, user_id, position);
create index webhook_deliveries_exhausted on webhook_deliveries (publisher_id, exhausted_position)
  where exhausted_position is not null;
-- Retention looks for the oldest. A BRIN index would read every page where new deliveries have replaced dropped ones.
create index webhook_deliveries_by_creation on webhook_deliveries (created_at);
create index all_webhook_deliveries_in_order on webhook_deliveries (position, delivery_id);

-- One row per endpoint and user with a pending delivery. The worker that leases the row is the only one to deliver that
-- user's events, in order. Without it, finding what is due would mean passing over everything behind a failed delivery
-- again and again.
create table webhook_queues (
  endpoint_id uuid not null,
  user_id uuid not null,
  publisher_id uuid not null,
  -- The position of its first pending delivery; everything before it is finished.
  position bigint not null,
  -- -infinity means immediately, in order of arrival.
  due_at timestamptz not null,
  -- The lease of a dead worker expires. In no index, so that leasing touches one page.
  claim_id uuid,
  leased_until timestamptz,
  primary key (endpoint_id, user_id),
  constraint webhook_queues_lease check ((claim_id is null) = (leased_until is null))
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000, fillfactor = 40);
create index webhook_queues_due on webhook_queues (endpoint_id, due_at, position);

select guard_sealed_columns();
