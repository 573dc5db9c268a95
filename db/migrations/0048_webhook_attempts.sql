-- Publishers see what became of each attempt, describe their endpoints, and have what an endpoint missed sent in one call.

-- The last attempt is in the columns of its delivery; attempts before it, of which most deliveries have none, are kept
-- beside it, so that recording an attempt still writes one row.
alter table webhook_deliveries
  add column latency_ms integer,
  -- The first KB of the receiver's answer.
  add column answer text,
  add column earlier_attempts jsonb;

alter table webhook_endpoints
  add column description text,
  -- The events of the feed that are still to be sent if the endpoint has not got them: after this number, up to that.
  add column resend_after bigint,
  add column resend_until bigint,
  add constraint webhook_endpoints_resend check ((resend_after is null) = (resend_until is null));
create index webhook_endpoints_resend on webhook_endpoints (endpoint_id) where resend_until is not null;
