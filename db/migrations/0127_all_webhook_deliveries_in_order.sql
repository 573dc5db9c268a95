-- Operators list the webhook deliveries of all publishers in the order in which they were queued.
create index concurrently all_webhook_deliveries_in_order on webhook_deliveries (position, delivery_id);
