-- What the provider says about institutions, of each of its environments: a simulator may say anything about the bank
-- of an id that production has, too. The table of before, `institutions`, did not tell them apart and is unused from
-- here on; the new one fills itself.
create table provider_institutions (
  environment text not null check (environment in ('sandbox', 'production')),
  institution_id text not null,
  name text not null,
  logo text,
  color text,
  fetched_at timestamptz not null,
  primary key (environment, institution_id)
);
