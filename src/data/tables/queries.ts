import type { Reader } from '../../platform/db/database.ts'
import type { SchemaTable } from './registry.ts'

/** Reads the definitions of all tables in the database. */
export async function readSchema(reader: Reader): Promise<SchemaTable[]> {
  return reader<SchemaTable[]>`
    select c.relname as name,
      array(select a.attname::text from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped order by a.attnum) as columns,
      array(select a.attname::text from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and a.attidentity <> '' order by a.attnum) as generated,
      array(select a.attname::text from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0
          and (a.atttypid = any ('{uuid,timestamptz,boolean,smallint,integer,bigint}'::regtype[])
            or exists (select from pg_constraint k
              where k.conrelid = c.oid and k.conkey = array[a.attnum] and (k.contype = 'f'
                or pg_get_constraintdef(k.oid) ~ '^CHECK \\(\\(\\w+ = ANY \\(ARRAY\\[[^]]*\\]\\)\\)\\)')))
      ) as textless,
      array(select a.attname::text from pg_index i
        cross join lateral unnest(i.indkey) with ordinality as k (attnum, place)
        join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.attnum
        where i.indrelid = c.oid and i.indisprimary order by k.place) as key,
      array(select distinct t.relname::text from pg_constraint f join pg_class t on t.oid = f.confrelid
        where f.conrelid = c.oid and f.contype = 'f' and t.oid <> c.oid) as needs
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
    order by c.relname`
}
