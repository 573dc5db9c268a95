-- A sale may be amended to nothing for a while: the amendment keeps its state, and only a rejection ends it.
alter table postbacks drop constraint postbacks_amount_check;
alter table postbacks add constraint postbacks_amount_check check (
  amount > 0 or (amount = 0 and status = 'amended')) not valid;
