-- Operators list the offers that have a budget, which are few among those of the catalog.
create index concurrently offers_with_budgets on offers (ordinal)
  where retired_at is null and conditions -> 'budgets' is not null;
