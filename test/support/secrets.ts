import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { openDatabase } from '../../src/platform/db/database.ts'
import { listMasterKeys, openSecrets, type Secrets, type Vault } from '../../src/platform/vault/index.ts'
import { parseMasterKey } from '../../src/platform/vault/vault.ts'
import { testDatabase } from './postgres.ts'

/** The open databases, folders and processes. Each process is a separate vault on the same database. */
const opened = new Set<{ close(): Promise<void> }>()
after(async () => {
  for (const one of [...opened].reverse()) await one.close()
})

export const newKey = (): string => randomBytes(32).toString('base64')
export const toKeyId = (key: string): string => parseMasterKey(key).id

type Sealing = { readonly vault: Vault }

/** Opens a database with a table of records that stands in for every table with sealed columns. */
export async function openWorld() {
  const db = openDatabase((await testDatabase('secrets')).url)
  opened.add(db)
  await db.reader`create table records (name text primary key, sealed_secret bytea, sealed_more bytea)`
  await db.reader`select guard_sealed_columns()`
  const dataDir = await mkdtemp(join(tmpdir(), 'laurel-secrets-'))
  opened.add({ close: () => rm(dataDir, { recursive: true }) })
  /** On an empty database, the first of these keys becomes the sealing key. */
  const enter = async (...keys: string[]): Promise<Secrets> => {
    const secrets = await openSecrets({ db, keys, dataDir, name: 'a process', log: () => undefined })
    opened.add(secrets)
    return secrets
  }
  /** Starts a process with the keys in the data folder. */
  const enterFolder = (): Promise<Secrets> => enter()
  const leave = async (secrets: Secrets): Promise<void> => {
    opened.delete(secrets)
    await secrets.close()
  }
  const put = async ({ vault }: Sealing, name: string, secret = `secret of ${name}`): Promise<void> => {
    await db.reader`
      insert into records (name, sealed_secret) values (${name}, ${vault.seal(secret, name)})
      on conflict (name) do update set sealed_secret = excluded.sealed_secret`
  }
  const get = async ({ vault }: Sealing, name: string): Promise<string> => {
    const [row] = await db.reader<
      { sealed: Buffer }[]
    >`select sealed_secret as sealed from records where name = ${name}`
    return vault.open(row?.sealed ?? Buffer.alloc(0), name)
  }
  const states = async (): Promise<Record<string, string>> =>
    Object.fromEntries((await listMasterKeys(db.reader)).map((row) => [row.keyId, row.state]))
  /** Starts a process with both keys on a database that still seals with the old one. */
  const enterWithBoth = async () => {
    const [old, next] = [newKey(), newKey()]
    await leave(await enter(old))
    return { old, next, both: await enter(next, old) }
  }
  return { dataDir, db, enter, enterFolder, leave, put, get, states, enterWithBoth }
}
