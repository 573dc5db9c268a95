import { countEntries, iterateValues, lookUp } from '../../../platform/sharded-map.ts'
import type { Brand, CatalogOffer, Category } from '../catalog.ts'
import { type BrandTable, createEmptyTable, findBrand, getLiveOffers, type Pause, updateTable } from './brand-table.ts'

/** The facts that matching uses to find the brand of a purchase. */
type IndexedFacts = Pick<Brand, 'brandUid' | 'name' | 'aliases' | 'domains' | 'merchantIds' | 'mccs' | 'countries'>
type ChangedBrands = { readonly changed: readonly IndexedFacts[]; readonly removedUids: readonly string[] }

/** Read access by key. A `Map` satisfies it. */
type Lookup<Value> = {
  readonly size: number
  get(key: string): Value | undefined
  has(key: string): boolean
  values(): Iterable<Value>
}

/** An immutable state of the whole catalog. Retired brands and offers can be found only by id. */
export type Catalog = {
  readonly version: number
  readonly categories: readonly Category[]
  readonly brands: Lookup<Brand>
  readonly offers: Lookup<CatalogOffer>
  /** Live brands in catalog order. */
  readonly brandFacts: readonly IndexedFacts[]
  /** Returns the live offers of a brand, oldest first, regardless of their dates. */
  getOffers(brandUid: string): readonly CatalogOffer[]
  /**
   * Returns the brands that changed since an earlier state; null if that state is older than the history or belongs to
   * another catalog.
   */
  changedSince(earlier: Catalog): ChangedBrands | null
  readonly history: History
  /** The columns that lists read. */
  readonly table: BrandTable
}

/** The rows that changed in a version, in their current state. */
export type Changes = {
  readonly version: number
  readonly categories: readonly Category[]
  readonly brands: readonly Brand[]
  readonly offers: readonly CatalogOffer[]
}

/** The brands changed by each version. Complete for all versions after `since`. */
type History = { readonly since: number; readonly steps: readonly { version: number; brandUids: readonly string[] }[] }

// A process that missed more changes than this starts over with all brands.
const STEPS_MAX = 64
// Unused words stay in the vocabulary. Once it has grown by this factor, everything is rebuilt.
const GROWTH_MAX = 2
const SMALL = 50_000

/** Builds a catalog from all its rows. */
export async function assembleCatalog(rows: Changes, pause: Pause): Promise<Catalog> {
  const table = await updateTable(createEmptyTable(), rows.brands, rows.offers, pause)
  if (table === null) throw new Error('two brands in the catalog have the same position')
  const wordsAtFirst = table.vocabulary.words.length
  return buildCatalog(rows, { ...table, wordsAtFirst }, { since: rows.version, steps: [] })
}

/** Builds the next state at a cost proportional to the changes. Returns null if it must be built from all rows. */
export async function changeCatalog(earlier: Catalog, changes: Changes, pause: Pause): Promise<Catalog | null> {
  if (changes.version < earlier.version) return null
  const { vocabulary, wordsAtFirst } = earlier.table
  if (vocabulary.words.length > Math.max(SMALL, GROWTH_MAX * wordsAtFirst)) return null
  const table = await updateTable(earlier.table, changes.brands, changes.offers, pause)
  if (table === null) return null
  const step = { version: changes.version, brandUids: changes.brands.map(({ brandUid }) => brandUid) }
  const steps = [...earlier.history.steps, step]
  const since = steps.length > STEPS_MAX ? (steps[0]?.version ?? 0) : earlier.history.since
  return buildCatalog(changes, table, { since, steps: steps.slice(-STEPS_MAX) })
}

function buildCatalog({ version, categories }: Changes, table: BrandTable, history: History): Catalog {
  let facts: readonly Brand[] | null = null
  return {
    version,
    categories,
    brands: {
      size: table.count,
      get: (brandUid) => findBrand(table, brandUid),
      has: (brandUid) => lookUp(table.placesByUid, brandUid) !== undefined,
      values: () => table.blocks.flatMap(({ brands }) => brands),
    },
    offers: {
      size: countEntries(table.offers),
      get: (offerUid) => lookUp(table.offers, offerUid),
      has: (offerUid) => lookUp(table.offers, offerUid) !== undefined,
      values: () => iterateValues(table.offers),
    },
    get brandFacts() {
      facts ??= table.blocks.flatMap(({ brands }) => brands.filter((brand) => !brand.retired))
      return facts
    },
    getOffers: (brandUid) => getLiveOffers(table, brandUid),
    changedSince: (earlier) => {
      // States of the same catalog share a vocabulary.
      if (earlier.table?.vocabulary !== table.vocabulary || earlier.version < history.since) return null
      const steps = history.steps.filter((step) => step.version > earlier.version)
      const brands = [...new Set(steps.flatMap(({ brandUids }) => brandUids))].flatMap(
        (uid) => findBrand(table, uid) ?? [],
      )
      return {
        changed: brands.filter((brand) => !brand.retired),
        removedUids: brands.filter((brand) => brand.retired).map(({ brandUid }) => brandUid),
      }
    },
    history,
    table,
  }
}
