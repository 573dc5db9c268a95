-- Old events are dropped from the feed, so it begins after a number that readers are told. What waits for an endpoint
-- that its owner stopped long ago would keep its events for ever, so it is known since when an endpoint is stopped.
alter table event_sequences add column dropped_until bigint not null default 0;
alter table webhook_endpoints add column stopped_at timestamptz;
update webhook_endpoints set stopped_at = now() where status <> 'enabled';
