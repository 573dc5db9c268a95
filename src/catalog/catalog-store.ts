import { type Clock, systemClock } from '../platform/clock.ts'
import type { Database } from '../platform/database.ts'
import type { Log } from '../platform/log.ts'
import type { Publisher } from '../publishers/index.ts'
import { getAliasVersion } from './alias-queries.ts'
import { ALIASES_CHANGED, emptyAliasBook, loadAliasBook } from './aliases.ts'
import { type Assortment, assortmentsOf } from './assortment.ts'
import { assembleCatalog, type Catalog } from './catalog.ts'
import * as queries from './queries.ts'

/** Announced by each import that changed something. */
export const CATALOG_CHANGED = 'laurel_catalog_changed'

export type CatalogStore = {
  /** The newest catalog that is loaded. Waits for the database the first time only. */
  current(): Promise<Catalog>
  /** The same catalog as a publisher carries it; waits no longer than `current`. */
  assortmentOf(publisher: Publisher): Promise<Assortment>
  /** Waits until the catalog is as new as the database's. */
  refresh(): Promise<Catalog>
}

// Changes are announced; asking covers an announcement that was lost with a connection.
const ASK_EVERY_MS = 5_000

/**
 * Keeps the whole catalog in memory: it is read for every request and every purchase, and changes seldom. A newer one
 * is loaded beside the old one, which is served until then: callers hold database connections, and waiting for one
 * more while every other caller does the same would never end.
 */
export function createCatalogStore(
  db: Database,
  options: { readonly clock?: Clock; readonly log?: Log } = {},
): CatalogStore {
  const clock = options.clock ?? systemClock
  let catalog: Catalog | null = null
  let aliases = emptyAliasBook
  let assortments: ((publisher: Publisher) => Assortment) | null = null
  let askedAtMs = 0
  let listening: Promise<void> | null = null
  let asking: Promise<Catalog> | null = null

  const ask = async (): Promise<Catalog> => {
    listening ??= listen().catch((error: unknown) => {
      listening = null
      throw error
    })
    await listening
    askedAtMs = clock.now().getTime()
    const version = await queries.getVersion(db.reader)
    if (catalog?.version !== version) {
      catalog = await loadCatalog(db)
      assortments = null
    }
    // A new alias loads no catalog: aliases are learnt and decided far more often than offers change.
    if (aliases.version !== (await getAliasVersion(db.reader))) {
      aliases = await loadAliasBook(db.reader)
      assortments = null
    }
    return catalog
  }
  const listen = async (): Promise<void> => {
    await db.listen(CATALOG_CHANGED, askBeside)
    await db.listen(ALIASES_CHANGED, askBeside)
  }
  // One question at a time; a new one begins after the one under way, so it sees what was announced meanwhile.
  const askNext = (): Promise<Catalog> => {
    const turn: Promise<Catalog> = (asking?.catch(() => null) ?? Promise.resolve()).then(ask).finally(() => {
      if (asking === turn) asking = null
    })
    asking = turn
    return turn
  }
  function askBeside(): void {
    askedAtMs = clock.now().getTime()
    // The old catalog stays good; the question is put again when it is next due.
    askNext().catch((error: unknown) => options.log?.warn({ err: error }, 'the catalog could not be loaded'))
  }
  const current = async (): Promise<Catalog> => {
    if (catalog === null) return asking ?? askNext()
    if (Math.abs(clock.now().getTime() - askedAtMs) >= ASK_EVERY_MS) askBeside()
    return catalog
  }
  return {
    current,
    assortmentOf: async (publisher) => {
      const newest = await current()
      assortments ??= assortmentsOf(newest, aliases)
      return assortments(publisher)
    },
    refresh: askNext,
  }
}

/** All parts as of one instant, so that no import is seen half. */
async function loadCatalog(db: Database): Promise<Catalog> {
  return db.transaction(async (tx) => {
    await tx`set transaction isolation level repeatable read, read only`
    const version = await queries.getVersion(tx)
    const categories = await queries.listCategories(tx)
    const brands = await queries.listBrands(tx)
    const stores = Map.groupBy(await queries.listStores(tx), (store) => store.offerUid)
    const offers = await queries.listOffers(tx)
    return assembleCatalog({
      version,
      categories,
      brands,
      offers: offers.map((row) => queries.offerOf(row, stores.get(row.offerUid) ?? [])),
    })
  })
}
