import { setImmediate } from 'node:timers/promises'
import { type Clock, systemClock } from '../../../platform/clock.ts'
import { coalescedRefresh } from '../../../platform/coalesced-refresh.ts'
import type { Database, Reader } from '../../../platform/db/database.ts'
import type { Log } from '../../../platform/telemetry/log.ts'
import type { Publisher } from '../../../tenants/publishers/index.ts'
import { ALIASES_CHANGED, loadAliasBook } from '../aliases/aliases.ts'
import { type Assortment, type AssortmentSources, buildAssortment } from '../assortment/assortment.ts'
import { ASSORTMENTS_CHANGED, loadAssortmentBook } from '../assortment/load-assortments.ts'
import { getVersion } from '../queries.ts'
import { assembleCatalog, type Catalog, changeCatalog } from '../table/assemble.ts'
import { prepareHomes } from '../table/block-stores.ts'
import { type FormerOffers, readFormerOffers } from './former-offers.ts'
import { loadChanges } from './load.ts'
import type { BrandVersion } from './load-queries.ts'

/** The topic on which imports that change something are announced. */
export const CATALOG_CHANGED = 'laurel_catalog_changed'

/** Ids that the catalog might not contain yet. */
type CatalogNames = { readonly brandUid?: string | undefined; readonly offerUid?: string | undefined }

export type CatalogStore = {
  /** Returns the newest loaded catalog. Only the first call waits for the database. */
  current(): Promise<Catalog>
  /** Returns the catalog as a publisher carries it. Waits no longer than `current`. */
  getAssortment(publisher: Publisher): Promise<Assortment>
  /** Returns the offers of brands as they were in earlier versions of this catalog. */
  readFormerOffers(reader: Reader, catalog: Catalog, wanted: readonly BrandVersion[]): Promise<FormerOffers>
  /** Waits until the catalog is as recent as the one in the database. */
  refresh(): Promise<Catalog>
  /**
   * If an id is unknown, loads all imports acknowledged by any process. Call it before rejecting an unknown id. Known
   * ids cost nothing. Never call it inside a transaction, because it might wait for a connection.
   */
  lookFor(names: readonly CatalogNames[]): Promise<void>
}

// Changes are announced. Polling covers announcements lost with a connection.
const ASK_EVERY_MS = 5_000

type StoreOptions = {
  readonly clock?: Clock
  readonly log?: Log
  /** Called before a state is published, to prepare data that other modules derive from it. */
  readonly prepare?: (newest: Catalog, held: Catalog | null) => Promise<void>
}

/**
 * Keeps the whole catalog in memory, because every request and purchase reads it and it rarely changes. A newer state
 * is built from the changes, in small steps, while the old one is still being served. Waiting here for a database
 * connection could deadlock, because callers might already hold one.
 */
export function createCatalogStore(db: Database, options: StoreOptions = {}): CatalogStore {
  const clock = options.clock ?? systemClock
  let state: AssortmentSources | null = null
  let askedAtMs = 0
  let listening: Promise<void> | null = null
  let asking: Promise<AssortmentSources> | null = null

  const ask = async (): Promise<AssortmentSources> => {
    listening ??= listenTo(db, askBeside).catch((error: unknown) => {
      listening = null
      throw error
    })
    await listening
    askedAtMs = clock.now().getTime()
    const held = state
    const newest = await newestSources(db, held)
    if (newest.catalog !== held?.catalog) await options.prepare?.(newest.catalog, held?.catalog ?? null)
    state = newest
    return newest
  }
  // Only one load runs at a time. The next one starts after the current one finishes, so it sees everything announced
  // in between.
  const askNext = (): Promise<AssortmentSources> => {
    const turn: Promise<AssortmentSources> = (asking?.catch(() => null) ?? Promise.resolve()).then(ask).finally(() => {
      if (asking === turn) asking = null
    })
    asking = turn
    return turn
  }
  const look = coalescedRefresh(async () => {
    if (state?.catalog.version !== (await getVersion(db.reader))) await askNext()
  })
  function askBeside(): void {
    askedAtMs = clock.now().getTime()
    // The old catalog stays valid, and the next poll tries again.
    askNext().catch((error: unknown) => options.log?.warn({ err: error }, 'the catalog could not be loaded'))
  }
  const current = async (): Promise<AssortmentSources> => {
    if (state === null) return asking ?? askNext()
    if (Math.abs(clock.now().getTime() - askedAtMs) >= ASK_EVERY_MS) askBeside()
    return state
  }
  return {
    current: async () => (await current()).catalog,
    getAssortment: async (publisher) => buildAssortment(await current(), publisher),
    readFormerOffers,
    refresh: async () => (await askNext()).catalog,
    lookFor: async (names) => {
      const { catalog } = await current()
      if (names.some((one) => isUnknown(catalog, one))) await look()
    },
  }
}

async function listenTo(db: Database, heard: () => void): Promise<void> {
  for (const topic of [CATALOG_CHANGED, ALIASES_CHANGED, ASSORTMENTS_CHANGED]) await db.listen(topic, heard)
}

function isUnknown({ brands, offers }: Catalog, { brandUid, offerUid }: CatalogNames): boolean {
  return (brandUid !== undefined && !brands.has(brandUid)) || (offerUid !== undefined && !offers.has(offerUid))
}

/**
 * Loads what has changed. Versions are read first, so that anything added in between is loaded twice rather than
 * missed. All parts are replaced together, because without assortments every publisher would carry the whole catalog.
 */
async function newestSources(db: Database, held: AssortmentSources | null): Promise<AssortmentSources> {
  const { reader } = db
  const [version, aliasVersion, contentVersion] = await Promise.all([
    getVersion(reader),
    getVersion(reader, 'alias_version'),
    getVersion(reader, 'assortment_version'),
  ])
  const catalog = held?.catalog.version === version ? held.catalog : await newestCatalog(db, held?.catalog ?? null)
  const aliases = held?.aliases.version === aliasVersion ? held.aliases : await loadAliasBook(reader, aliasVersion)
  const isSame = catalog === held?.catalog && aliases === held.aliases
  return {
    catalog,
    aliases,
    contents:
      held?.contents.version === contentVersion ? held.contents : await loadAssortmentBook(reader, contentVersion),
    made: isSame ? held.made : new Map(),
  }
}

/**
 * Returns the newest state by applying the changes to the current one, or by loading everything if that is impossible.
 */
async function newestCatalog(db: Database, held: Catalog | null): Promise<Catalog> {
  const changed = held === null ? null : await changeCatalog(held, await loadChanges(db, held.version), setImmediate)
  const newest = changed ?? (await assembleCatalog(await loadChanges(db, null), setImmediate))
  if (newest.table.blocks.some(({ stores }) => stores.localOffers.length > 0)) prepareHomes()
  return newest
}
