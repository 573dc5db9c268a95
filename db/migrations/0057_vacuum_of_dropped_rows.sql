-- Rows are dropped a batch at a time, from where the indexes begin; by default the remains of a fifth of a table would
-- lie there before they are cleared away. The BRIN index is unused since 0056.
drop index webhook_deliveries_by_age;
alter table events set (autovacuum_vacuum_scale_factor = 0.02);
alter table event_feed set (autovacuum_vacuum_scale_factor = 0.02);
alter table webhook_deliveries set (autovacuum_vacuum_scale_factor = 0.02);
