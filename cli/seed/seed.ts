import { readFile } from 'node:fs/promises'
import { type CatalogStore, createCatalogStore, importCatalog } from '../../src/catalog/catalog/index.ts'
import type { Database, Tx } from '../../src/platform/db/database.ts'
import { listPublishers } from '../../src/tenants/publishers/index.ts'
import { listDocuments, openPublisher, publishTerms } from '../../src/users/terms/index.ts'
import { createAuditedKey } from '../audited-key.ts'
import { subtractFromNow, tellStory } from './story.ts'

export const SANDBOX_NAME = 'Sandbox'
/** The sample user who has purchases. */
export const STORY_USER = 'ada'

const CATALOG = new URL('../../db/sample/catalog.json', import.meta.url)
// An arbitrary constant. The lock prevents two starting processes from both seeding the story.
const LOCK = 7_265_010
const OPENED_DAYS_AGO = 60

/**
 * Seeds a database that has no publisher with the sample catalog, terms, and a sandbox with a key and a story. Returns
 * the key, or null if a publisher already exists. The catalog is imported first, in a separate commit that can safely
 * be repeated. The rest is a single commit, so a killed process leaves nothing half done.
 */
export async function seedEmptyDatabase(db: Database, now: Date): Promise<string | null> {
  if ((await listPublishers(db.reader)).length > 0) return null
  const catalog = createCatalogStore(db)
  if ((await catalog.current()).brands.size === 0) {
    await importCatalog(db, { format: 'json', text: await readFile(CATALOG, 'utf8') })
    await catalog.refresh()
  }
  return db.transaction(async (tx) => {
    await takeTurn(tx)
    // Another process may have seeded the database while this one waited.
    if ((await listPublishers(tx)).length > 0) return null
    return openSandbox(tx, catalog, now)
  })
}

async function openSandbox(tx: Tx, catalog: CatalogStore, now: Date): Promise<string> {
  const opened = subtractFromNow(now, OPENED_DAYS_AGO)
  const publisher = await openPublisher(tx, { name: SANDBOX_NAME, environment: 'sandbox' }, opened)
  const apiKey = await createAuditedKey(tx, publisher, now)
  const published = (await listDocuments(tx, publisher.id)).at(-1)
  const terms =
    published ??
    (await publishTerms(
      tx,
      { url: 'https://example.com/terms/sample', revision: 'sample-1', requiredFrom: opened },
      opened,
    ))
  await tellStory(tx, { catalog, publisher, termsId: terms.documentId }, now)
  return apiKey
}

async function takeTurn(tx: Tx): Promise<void> {
  // all publishers: the lock belongs to none of them
  await tx`select pg_advisory_xact_lock(${LOCK})`
}
