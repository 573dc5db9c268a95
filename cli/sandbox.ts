import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../src/platform/config/config.ts'
import type { Database } from '../src/platform/db/database.ts'
import { readIfThere } from '../src/platform/files.ts'
import { linkForFirstAdmin } from '../src/tenants/accounts/index.ts'
import { listPublishers } from '../src/tenants/publishers/index.ts'
import { getActor } from './actor.ts'
import { createAuditedKey } from './audited-key.ts'
import { createPortalLink } from './portal-link.ts'
import { probe } from './probe.ts'
import { SANDBOX_NAME, STORY_USER, seedEmptyDatabase } from './seed/seed.ts'

/**
 * Creates the sample sandbox on the first start and returns its API key. With the embedded database, the key is stored
 * in the data folder, readable only by its owner, so every start can print it. With an external database, it is printed
 * once, like any other key.
 */
export async function settleSandbox(
  { config, db, address }: { readonly config: Config; readonly db: Database; readonly address: string },
  now: Date,
): Promise<string | null> {
  const seeded = config.demo ? await seedEmptyDatabase(db, now) : null
  if (config.databaseUrl !== null) return seeded
  const kept = seeded === null ? await readSandboxKey(config.dataDir) : null
  // A stored key that no longer works was probably revoked, and a restart must not undo that.
  if (kept !== null) return (await isKeyValid(address, kept)) ? kept : null
  const fresh = seeded ?? (config.demo ? await replaceKey(db, now) : null)
  if (fresh !== null) await writeSandboxKey(config.dataDir, fresh)
  return fresh
}

// The sandbox sends no mail, so the address need not exist.
const ADMIN_EMAIL = 'admin@laurel.localhost'

/** Creates the token of a sign-in link for the sandbox's first admin; null once an admin has a password. */
export async function createFirstAdmin(db: Database, now: Date): Promise<string | null> {
  return db.transaction((tx) => linkForFirstAdmin(tx, ADMIN_EMAIL, getActor(undefined), now))
}

/** Creates a portal link for the sample user with purchases. */
export async function createStoryLink(address: string, apiKey: string | null): Promise<string | null> {
  return apiKey === null ? null : createPortalLink(address, apiKey, STORY_USER)
}

export async function readSandboxKey(dataDir: string): Promise<string | null> {
  return (await readIfThere(buildKeyPath(dataDir))) || null
}

/** True if the service responds to the key with any status other than 401. */
export async function isKeyValid(address: string, apiKey: string): Promise<boolean> {
  const answer = await probe(`${address}/terms`, { headers: { authorization: `Bearer ${apiKey}` } })
  return answer !== null && answer.status !== 401
}

const buildKeyPath = (dataDir: string): string => join(dataDir, 'sandbox.key')

async function writeSandboxKey(dataDir: string, apiKey: string): Promise<void> {
  await mkdir(dataDir, { recursive: true })
  await writeFile(buildKeyPath(dataDir), `${apiKey}\n`, { mode: 0o600 })
  // Writing to an existing file does not change its mode.
  await chmod(buildKeyPath(dataDir), 0o600)
}

/**
 * Creates a new key if the file was lost, or if the process was killed after the commit but before writing the file.
 */
async function replaceKey(db: Database, now: Date): Promise<string | null> {
  const sandbox = (await listPublishers(db.reader)).find(
    (one) => one.environment === 'sandbox' && one.name === SANDBOX_NAME,
  )
  if (sandbox === undefined) return null
  return db.transaction((tx) => createAuditedKey(tx, sandbox, now))
}
