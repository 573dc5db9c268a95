-- A key of the operating company may be somebody's own: it then counts as that person where two people must agree. Null:
-- a key of a tool, or from before. The column is empty, so the constraint has nothing to check.
alter table operators add column account_id uuid references accounts;
