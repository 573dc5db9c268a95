-- The time of a journal was that at which its transaction had begun, which may be before another one, that held the
-- user's balance meanwhile, booked. The statement that writes a journal begins while its user's balance is locked, so
-- from now on the journals of a user have times in the order in which they were booked, all by the database's clock.
-- Those from before keep theirs. Statements and trial balances read the time from the view.
alter table journals alter column created_at set default statement_timestamp();
create or replace view postings as
select j.user_id, j.journal_id, p.line, j.publisher_id, p.account, p.owner, j.currency, p.amount, j.kind, j.cause_id,
  j.cause_version, j.effective_at, j.created_at
from journals j cross join lateral unnest(j.accounts, j.owners, j.amounts) with ordinality as p (account, owner, amount, line);
