-- A source event names its purchase itself. The purchase of an id that was only referred to so far is that of the event
-- that refers to it, so no table of keys is needed beside the events.
alter table source_events add column transaction_id uuid;
alter table source_events disable trigger source_events_kept;
-- Half of a SHA-256 tells two inputs apart, and a time is the rule where a day alone is the exception.
update source_events e set transaction_id = k.transaction_id, input_hash = substring(e.input_hash for 16),
  facts = case when e.facts -> 'dateOnly' = 'false' then e.facts - 'dateOnly' else e.facts end
from transaction_keys k
where k.user_id = e.user_id and k.source = e.source and k.external_id = e.external_id;
alter table source_events alter column transaction_id set not null;
drop table transaction_keys;

create index source_events_of_purchase on source_events (user_id, transaction_id);
create index source_events_referring on source_events (user_id, source, original_external_id)
  where original_external_id is not null;

-- An event is found by its own id or its purchase, a journal by its cause.
alter table source_events drop constraint source_events_pkey, drop constraint source_events_once;
alter table source_events add constraint source_events_once primary key (user_id, source, external_id);
alter table journals drop constraint journals_pkey, drop constraint journals_once_per_cause;
alter table journals add constraint journals_once_per_cause primary key (user_id, cause_id, kind, cause_version);

-- Purchases are merged when an event connects them. Nothing else of an event changes.
drop trigger source_events_kept on source_events;
create trigger source_events_kept before update of
  user_id, event_id, publisher_id, source, external_id, kind, original_external_id, amount, currency, occurred_at, received_at,
  input_hash, facts
  or delete or truncate on source_events
  for each statement execute function source_events_are_kept();

create or replace view postings as
select j.user_id, j.journal_id, p.line, j.publisher_id, p.account, p.owner, j.currency, p.amount,
  j.kind, j.cause_id, j.cause_version, j.effective_at
from journals j cross join lateral unnest(j.accounts, j.owners, j.amounts) with ordinality as p (account, owner, amount, line);
