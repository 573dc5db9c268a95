import { type Clock, systemClock } from '../../../platform/clock.ts'
import { announce, type Database, type Tx } from '../../../platform/db/database.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { endPrograms, savePrograms } from '../../../sources/affiliate/index.ts'
import { type Actor, audit } from '../../../tenants/accounts/index.ts'
import type { CatalogRefusal } from '../errors.ts'
import type { Feed } from '../feed/feed.ts'
import { FAULTS_MAX, type Fault } from '../feed/file-schema.ts'
import { type CatalogInput, openFeed } from '../feed/read-feed.ts'
import { CATALOG_CHANGED } from '../loading/catalog-store.ts'
import * as queries from '../queries.ts'
import { type CatalogDiff, readDiff } from './diff.ts'
import { type Faults, type Held, type ImportProgress, type StagedFeed, stageFeed } from './staging.ts'
import * as staging from './staging-queries.ts'
import * as writing from './write-queries.ts'

type ImportOptions = {
  /** Reports errors and differences without changing the catalog. */
  readonly dryRun?: boolean
  /** Retires everything that is missing from the feed. */
  readonly replace?: boolean
  /** Recorded with every version of an offer and, if anything changes, in the audit log. */
  readonly actor?: Actor
  readonly clock?: Clock
  readonly progress?: ImportProgress
}
type ChangeCounts = staging.StagedCounts & { readonly unchanged: number }
export type ImportOutcome = Held & {
  /** The catalog version created by this import, or the current one if nothing changed. */
  readonly version: number
  readonly changes: { readonly brands: ChangeCounts; readonly offers: ChangeCounts }
  /** Set only for a dry run. */
  readonly diff: CatalogDiff | null
}

// The actor recorded for imports started by code that specifies none.
const UNNAMED_ACTOR = 'local:laurel'

/**
 * Imports a feed atomically. Adds or updates the feed's brands and offers. With `replace`, all others are retired.
 * Otherwise, they change only if they inherit a changed value from their brand. Importing the same feed again changes
 * nothing. Reading and staging run concurrently with other imports, but comparing and writing lock them out. If another
 * import commits first, the feed is read again under the lock.
 * @throws Refusal catalog_invalid with the line, path and message of each error in `faults`.
 */
export async function importCatalog(
  db: Database,
  input: CatalogInput,
  options: ImportOptions = {},
): Promise<ImportOutcome> {
  const feed = openFeed(input)
  const first = await db.transaction((tx) => importFeed(tx, feed, options, { alone: false }))
  return first ?? db.transaction((tx) => importAlone(tx, feed, options))
}

/**
 * Imports a feed within the caller's transaction and blocks other imports from the start. Intended for small catalogs.
 */
export async function importCatalogWithin(
  tx: Tx,
  input: CatalogInput,
  options: ImportOptions = {},
): Promise<ImportOutcome> {
  return importAlone(tx, openFeed(input), options)
}

async function importAlone(tx: Tx, feed: Feed, options: ImportOptions): Promise<ImportOutcome> {
  const outcome = await importFeed(tx, feed, options, { alone: true })
  if (outcome === null) throw new Error('another import overtook one that held the lock')
  return outcome
}

/** Returns null if another import committed first, because rows looked up earlier might be stale. */
async function importFeed(
  tx: Tx,
  feed: Feed,
  options: ImportOptions,
  { alone }: { readonly alone: boolean },
): Promise<ImportOutcome | null> {
  const { replace = false, progress = () => undefined, dryRun = false, actor } = options
  // A dry run changes nothing, so it takes no lock.
  const found = alone && !dryRun ? await queries.lockVersion(tx) : await queries.getVersion(tx)
  const staged = await stageFeed(tx, feed, { replace, progress })
  if (!dryRun && !alone && (await queries.lockVersion(tx)) !== found) return null
  refuseFaults(feed, staged.faults, await findClashes(tx))
  const changes = { brands: await countTableChanges(tx, 'brands'), offers: await countTableChanges(tx, 'offers') }
  const categories = staged.categories.changed()
  const same = [changes.brands, changes.offers].every((one) => one.added + one.changed + one.retired === 0)
  const outcome = { ...staged.held, version: found, changes, diff: null }
  if (dryRun) return { ...outcome, diff: await readDiff(tx, categories) }
  if (same && categories.length === 0) return outcome
  const made = { ...outcome, version: found + 1 }
  const now = (options.clock ?? systemClock).now()
  await write(tx, categories, { by: actor?.id ?? UNNAMED_ACTOR, now })
  if (actor !== undefined) {
    const before = { version: found }
    const after = { version: made.version, ...changes, ...(replace ? { replaced: true } : {}) }
    await audit(tx, { actor, action: 'catalog.imported', subject: 'catalog', before, after }, now)
  }
  return made
}

/** Compares the staged rows with the catalog and drops the unchanged ones. */
async function countTableChanges(tx: Tx, table: 'brands' | 'offers'): Promise<ChangeCounts> {
  const unchanged = await staging.dropUnchanged(tx, table)
  return { ...(await staging.countChanges(tx, table)), unchanged }
}

/** Writes the changes, increments the version, and announces it to every process. */
async function write(
  tx: Tx,
  categories: ReturnType<StagedFeed['categories']['changed']>,
  { by, now }: { readonly by: string; readonly now: Date },
): Promise<void> {
  await writing.upsertCategories(tx, categories)
  await writing.writeBrands(tx, now)
  await writing.keepFormerOffers(tx)
  await writing.writeOffers(tx, now)
  await writing.writeVersions(tx, by, now)
  await writing.writeStores(tx)
  await writePrograms(tx, now)
  // Runs after the rows are written, because they are stamped with the next version.
  await queries.bumpVersion(tx)
  await announce(tx, CATALOG_CHANGED)
}

/**
 * Saves the programs of changed offers that are live, and ends those of all other changed offers. A tracking link works
 * only while its offer and brand are live.
 */
async function writePrograms(tx: Tx, now: Date): Promise<void> {
  for await (const rows of staging.eachProgram(tx)) {
    const live = rows.flatMap(({ offerUid, program }) => (program === null ? [] : [{ offerUid, ...program }]))
    const ended = rows.filter(({ program }) => program === null).map(({ offerUid }) => offerUid)
    await savePrograms(tx, live)
    await endPrograms(tx, ended, now)
  }
}

/**
 * Lists errors that are detectable only in the entire feed: a duplicate uid, or an offer that belongs to another brand
 * or changes its currency. The currency is fixed because an offer's spent budgets and user limits are counted in it.
 */
async function findClashes(tx: Tx): Promise<Fault[]> {
  const clashes = await staging.listClashes(tx, FAULTS_MAX)
  return clashes.map(({ brand, offer, uid, owner, currency }) => {
    const path = ['brands', brand, ...(offer === null ? [] : ['offers', offer])]
    if (owner !== null) return { path: [...path, 'offer_uid'], message: `belongs to another brand (${owner})` }
    return currency === null
      ? { path, message: `appears in the file twice (${uid})` }
      : { path: [...path, 'currency'], message: `is ${currency} and cannot change; use a new offer_uid` }
  })
}

function refuseFaults(feed: Feed, { first, count }: Faults, clashes: readonly Fault[]): void {
  const faults = [...first, ...clashes]
  if (faults.length === 0) return
  const shown = faults
    .slice(0, FAULTS_MAX)
    .map(({ path, message }) => ({ line: feed.findLine(path), path: path.join('.'), message }))
    .sort((a, b) => a.line - b.line)
  const lines = shown.map(({ line, path, message }) => `line ${line}${path === '' ? '' : `, ${path}`}: ${message}`)
  const unseen = count + clashes.length - shown.length
  const detail = `Nothing was imported. ${lines.join('; ')}${unseen > 0 ? ` (and ${unseen} more)` : ''}`
  throw new Refusal<CatalogRefusal>('catalog_invalid', detail, { members: { faults: shown } })
}
