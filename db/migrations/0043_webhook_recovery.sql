-- What waits for an endpoint that works again is sent at once, however long its backoff. Attempts made before their time
-- use up nothing of the plan, so the plan stands beside the next attempt.
alter table webhook_deliveries
  add column planned_at timestamptz,
  add column extra_attempts smallint not null default 0;
update webhook_deliveries d set planned_at = d.next_attempt_at
from webhook_queues q
where q.due_at > '-infinity' and d.endpoint_id = q.endpoint_id and d.user_id = q.user_id and d.position = q.position;

-- When the endpoint was last found or declared to work again; null once all that waited for it is due.
alter table webhook_endpoints add column recovered_at timestamptz;
create index webhook_endpoints_recovered on webhook_endpoints (recovered_at) where recovered_at is not null;
