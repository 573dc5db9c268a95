-- What a receiver answers to redemption.sent may be the outcome of the redemption, where a key that may decide that says so.
alter table webhook_endpoints add column decides_outcomes boolean not null default false;
