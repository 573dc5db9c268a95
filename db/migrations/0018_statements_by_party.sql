-- Operators page through the statements of all parties by party, and through those of one advertiser.
create index concurrently statements_by_party on statements (party, statement_id);
