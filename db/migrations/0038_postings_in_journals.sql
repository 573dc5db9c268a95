-- A journal and its postings are one row: less than half of the bytes, and no journal without its postings. The postings of a
-- journal are in one currency. The view `postings` shows them as rows.
alter table journals
  add column currency text,
  add column accounts text[],
  add column owners text[],
  add column amounts bigint[];

alter table journals disable trigger journals_append_only;
update journals j set currency = p.currency, accounts = p.accounts, owners = p.owners, amounts = p.amounts
from (
  select user_id, journal_id, min(currency) as currency, array_agg(account order by line) as accounts,
    array_agg(owner order by line) as owners, array_agg(amount order by line) as amounts
  from postings group by user_id, journal_id) as p
where p.user_id = j.user_id and p.journal_id = j.journal_id;
delete from journals where currency is null;
alter table journals enable trigger journals_append_only;

drop table postings;
drop function postings_must_balance();

alter table journals
  alter column currency set not null,
  alter column accounts set not null,
  alter column owners set not null,
  alter column amounts set not null,
  add constraint journals_currency_check check (currency ~ '^[A-Z]{3}$'),
  add constraint journals_accounts_check check (accounts <@ array[
    'advertiser_receivable', 'user_pending', 'user_available', 'user_held', 'user_debt', 'publisher_pending',
    'publisher_payable', 'fee_pending', 'fee_earned', 'payout_clearing', 'clawback_loss']),
  add constraint journals_amounts_check check (
    cardinality(amounts) > 0 and cardinality(accounts) = cardinality(amounts) and cardinality(owners) = cardinality(amounts)
    and array_position(amounts, null) is null and array_position(owners, null) is null and 0 <> all (amounts));

create function postings_must_balance() returns trigger language plpgsql as $$
begin
  -- A statement trigger with a transition table: one pass over the new rows.
  if exists (select 1 from inserted where (select sum(amount) from unnest(amounts) as amount) is distinct from 0) then
    raise exception 'the postings of a journal must sum to zero'
      using errcode = 'check_violation', constraint = 'postings_sum_to_zero';
  end if;
  return null;
end $$;
create trigger postings_sum_to_zero after insert on journals
  referencing new table as inserted for each statement execute function postings_must_balance();

-- The owner is the brand of an advertiser_receivable, otherwise empty.
create view postings as
select j.user_id, j.journal_id, p.line, j.publisher_id, p.account, p.owner, j.currency, p.amount
from journals j cross join lateral unnest(j.accounts, j.owners, j.amounts) with ordinality as p (account, owner, amount, line);
