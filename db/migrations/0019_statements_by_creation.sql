-- Operators page through the statements of all parties by the time of closing.
create index concurrently statements_by_creation on statements (created_at, statement_id);
