-- Finding the oldest deliveries by the BRIN index on created_at reads all pages of the table that new deliveries have
-- taken over from dropped ones.
create index concurrently webhook_deliveries_by_creation on webhook_deliveries (created_at);
