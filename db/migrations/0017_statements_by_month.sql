-- Operators page through the statements of all parties newest month first.
create index concurrently statements_by_month on statements (month, statement_id);
