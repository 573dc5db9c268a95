-- A purchase is judged by the offers as they were when it became known (docs/decisions/0022-replay.md), so each state of an
-- offer is kept as the rules read it: from the version of the catalog that made it to the version that replaced it.
create table former_offers (
  like offers,
  stores jsonb not null,
  replaced_in integer not null,
  primary key (offer_uid, version)
);
alter table former_offers alter ordinal drop identity if exists;
create index former_offers_of_brand on former_offers (brand_uid, replaced_in);

-- The version of the catalog by which a purchase is judged; null for what was decided before versions were kept.
alter table transactions add column judged_in integer;
