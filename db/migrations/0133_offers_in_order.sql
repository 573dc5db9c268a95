-- Operators list the offers of the catalog in the order in which they came.
create unique index concurrently offers_in_order on offers (ordinal);
