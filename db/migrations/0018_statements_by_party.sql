-- Operators page through the statements of all parties by party, and an advertiser's.
create index concurrently statements_by_party on statements (party, statement_id);
