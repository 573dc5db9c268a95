-- A catalog of half a million offers cannot be read anew for each change of it: rows say in which version of the catalog
-- they changed last, and whoever holds an earlier one reads those alone. Stamped by triggers, so that no writer can forget.

alter table brands add column changed_in integer not null default 0;
alter table offers add column changed_in integer not null default 0;
create index brands_changed_in on brands (changed_in);
create index offers_changed_in on offers (changed_in);

-- Whoever changes the catalog holds its version until the commit, so nothing is stamped with a version that others have
-- seen already. Raised before or after the rows, within the transaction: the next one is never too low.
create function catalog_is_changing() returns trigger language plpgsql as $$
declare
  current integer;
begin
  select version into current from catalog_version for update;
  perform set_config('laurel.catalog_changes_in', (coalesce(current, 0) + 1)::text, true);
  return null;
end
$$;

create function stamp_catalog_row() returns trigger language plpgsql as $$
begin
  new.changed_in := current_setting('laurel.catalog_changes_in')::integer;
  return new;
end
$$;

create trigger brands_are_changing before insert or update on brands
  for each statement execute function catalog_is_changing();
create trigger brands_stamped before insert or update on brands
  for each row execute function stamp_catalog_row();
create trigger offers_are_changing before insert or update on offers
  for each statement execute function catalog_is_changing();
create trigger offers_stamped before insert or update on offers
  for each row execute function stamp_catalog_row();
