-- A publisher can move to another installation (docs/decisions/0056-moving-a-publisher.md). From moves_at on, this one
-- records nothing more of it, so that what the last take-out holds is everything: a call or a worker that is late fails
-- instead of being lost. imported_at says since when a publisher that came from elsewhere is here.
alter table publishers
  add column moves_at timestamptz,
  add column imported_at timestamptz;

-- A statement trigger with a transition table looks once for all rows of a statement, and almost always at an empty index.
create function publisher_stays() returns trigger language plpgsql as $$
begin
  if exists (
    select from publishers p
    where p.moves_at <= clock_timestamp() and p.publisher_id in (select publisher_id from inserted)
  ) then
    raise exception 'This publisher has moved to another installation.'
      using errcode = 'restrict_violation', constraint = 'publisher_moved';
  end if;
  return null;
end $$;

-- Whatever changes money, a purchase or what a publisher is told inserts into one of these, in the same commit.
create trigger publisher_stays after insert on journals
  referencing new table as inserted for each statement execute function publisher_stays();
create trigger publisher_stays after insert on payment_journals
  referencing new table as inserted for each statement execute function publisher_stays();
create trigger publisher_stays after insert on source_events
  referencing new table as inserted for each statement execute function publisher_stays();
create trigger publisher_stays after insert on events
  referencing new table as inserted for each statement execute function publisher_stays();
create trigger publisher_stays after insert on clicks
  referencing new table as inserted for each statement execute function publisher_stays();
create trigger publisher_stays after insert on postbacks
  referencing new table as inserted for each statement execute function publisher_stays();
