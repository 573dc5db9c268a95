-- A network's report that only amends an amount is stored as such: the state that it keeps is known only once all
-- reports of the sale are.
alter table postbacks drop constraint postbacks_status_check;
alter table postbacks add constraint postbacks_status_check check (
  status in ('pending', 'approved', 'rejected', 'amended')) not valid;
