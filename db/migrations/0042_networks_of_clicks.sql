-- A network may only report sales of clicks that were sent to it, so a sub-id keeps the network that its program had.
-- Sub-ids are dropped once no sale can come of them, so they keep their time and whether a sale was reported.

alter table sub_ids
  add column network text,
  add column clicked_at timestamptz,
  add column is_sold boolean not null default false;
update sub_ids s
set network = (select p.network from programs p where p.offer_uid = s.offer_uid),
  clicked_at = (select c.clicked_at from clicks c where c.user_id = s.user_id and c.click_id = s.click_id),
  is_sold = exists (select 1 from postbacks p where p.sub_id = s.sub_id and p.user_id is not null);
alter table sub_ids
  alter column network set not null,
  alter column clicked_at set not null;
create index sub_ids_unsold on sub_ids (clicked_at) where not is_sold;

-- Operators list the reports that belong to no click.
create index postbacks_unknown on postbacks (received_at) where user_id is null;
