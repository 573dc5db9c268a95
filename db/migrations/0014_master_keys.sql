-- The master key can be replaced while the service runs (docs/decisions/0009-master-keys.md). The database says which key
-- seals, so that all processes agree, and it refuses records under a key that is on its way out, so that "nothing is left
-- under it" stays true once it was counted.

create table master_keys (
  -- The four bytes that each sealed record carries.
  key_id text primary key check (key_id ~ '^[0-9a-f]{8}$'),
  -- announced: every process is to hold it before anything is sealed under it; sealing: new records are sealed under it;
  -- opening: sealed until now, and a process that has not heard yet still seals under it; closing: new records under it are
  -- refused, what is left is wrapped anew; retired: nothing is left.
  state text not null check (state in ('announced', 'sealing', 'opening', 'closing', 'retired')),
  -- Tells whether a key is this one, and nothing of the key.
  fingerprint bytea not null,
  changed_at timestamptz not null default now()
);
create unique index master_keys_one_of_each on master_keys (state) where state in ('announced', 'sealing');

-- Processes with this database open, and the keys they hold. One that has not been seen for a while has ended.
create table key_holders (
  holder_id uuid primary key,
  name text not null,
  held text[] not null,
  sealing text not null,
  seen_at timestamptz not null
);

-- Fingerprints and signatures are made from a secret of their own, which outlives every master key. An installation of
-- before has a fingerprint of its master key here until its next start.
alter table installation alter column master_key_fingerprint drop not null;
alter table installation add column sealed_derivation_secret bytea;

-- Closing a key takes the same lock alone, and so waits for the commits that are under way under it. The error is one after
-- which a transaction is run again: by then its process has heard which key seals.
create function refuse_closed_key() returns trigger language plpgsql as $$
declare
  sealed bytea;
  id text;
begin
  execute format('select substring(($1).%I from 1 for 5)', tg_argv[0]) into sealed using new;
  if octet_length(sealed) = 5 then
    id := encode(substring(sealed from 2), 'hex');
    perform pg_advisory_xact_lock_shared(7265004, ('x' || id)::bit(32)::int);
    if exists (select 1 from master_keys where key_id = id and state in ('closing', 'retired')) then
      raise exception 'a record for % was sealed under the master key %, which is closed', tg_table_name, id
        using errcode = 'serialization_failure', constraint = 'master_key_closed';
    end if;
  end if;
  return new;
end $$;

-- Whatever is sealed lies in a column named sealed_…; a later migration that adds one calls this again.
create function guard_sealed_columns() returns void language plpgsql as $$
declare
  one record;
begin
  for one in
    select c.oid::regclass as place, a.attname as name
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.atttypid = 'bytea'::regtype
      and a.attname like 'sealed\_%' and not a.attisdropped
      and not exists (select 1 from pg_trigger t where t.tgrelid = c.oid and t.tgname = 'closed_key_of_' || a.attname)
    order by c.relname, a.attname
  loop
    execute format(
      'create trigger %I before insert or update of %I on %s for each row execute function refuse_closed_key(%L)',
      'closed_key_of_' || one.name, one.name, one.place, one.name
    );
  end loop;
end $$;
select guard_sealed_columns();
