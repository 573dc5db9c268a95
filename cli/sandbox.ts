import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { linkForFirstAdmin } from '../src/accounts/index.ts'
import type { Config } from '../src/platform/config.ts'
import type { Database } from '../src/platform/database.ts'
import { listPublishers } from '../src/publishers/index.ts'
import { actorHere } from './actor.ts'
import { createAuditedKey } from './audited-key.ts'
import { portalLink } from './portal-link.ts'
import { probe } from './probe.ts'
import { SANDBOX_NAME, STORY_USER, seedEmptyDatabase } from './seed/seed.ts'

/**
 * The sandbox of the first minute and its API key. With the embedded database the key is kept in the data folder, where
 * only its owner can read it, so that every start can show it; with a given database it is shown once, as any key is.
 */
export async function settleSandbox(
  { config, db, address }: { readonly config: Config; readonly db: Database; readonly address: string },
  now: Date,
): Promise<string | null> {
  const seeded = config.demo ? await seedEmptyDatabase(db, now) : null
  if (config.databaseUrl !== null) return seeded
  const kept = seeded === null ? await readSandboxKey(config.dataDir) : null
  // A kept key that does not work was probably revoked, which no start may undo.
  if (kept !== null) return (await keyWorks(address, kept)) ? kept : null
  const fresh = seeded ?? (config.demo ? await replaceKey(db, now) : null)
  if (fresh !== null) await writeSandboxKey(config.dataDir, fresh)
  return fresh
}

// A sandbox sends no mail, so its address need not exist.
const ADMIN_EMAIL = 'admin@laurel.localhost'

/** The token of a link that signs the admin of the sandbox in; null once an admin has a password. */
export async function firstAdmin(db: Database, now: Date): Promise<string | null> {
  return db.transaction((tx) => linkForFirstAdmin(tx, ADMIN_EMAIL, actorHere(undefined), now))
}

/** A link into the portal for the user who has purchases. */
export async function linkOfStory(address: string, apiKey: string | null): Promise<string | null> {
  return apiKey === null ? null : portalLink(address, apiKey, STORY_USER)
}

export async function readSandboxKey(dataDir: string): Promise<string | null> {
  try {
    return (await readFile(fileOf(dataDir), 'utf8')).trim() || null
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** Any answer but "who are you" shows that the service knows the key. */
export async function keyWorks(address: string, apiKey: string): Promise<boolean> {
  const answer = await probe(`${address}/terms`, { headers: { authorization: `Bearer ${apiKey}` } })
  return answer !== null && answer.status !== 401
}

const fileOf = (dataDir: string): string => join(dataDir, 'sandbox.key')

async function writeSandboxKey(dataDir: string, apiKey: string): Promise<void> {
  await mkdir(dataDir, { recursive: true })
  await writeFile(fileOf(dataDir), `${apiKey}\n`, { mode: 0o600 })
  // The mode of an existing file is not changed by writing it.
  await chmod(fileOf(dataDir), 0o600)
}

/** The file was lost, or the process was killed between the commit and the file. */
async function replaceKey(db: Database, now: Date): Promise<string | null> {
  const sandbox = (await listPublishers(db.reader)).find(
    (one) => one.environment === 'sandbox' && one.name === SANDBOX_NAME,
  )
  if (sandbox === undefined) return null
  return db.transaction((tx) => createAuditedKey(tx, sandbox, now))
}
