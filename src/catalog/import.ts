import { endPrograms, savePrograms } from '../affiliate/index.ts'
import { type Clock, systemClock } from '../platform/clock.ts'
import { announce, type Database, type Reader, type Tx } from '../platform/database.ts'
import { checkInput, Problem } from '../platform/http/index.ts'
import { Refusal } from '../platform/refusal.ts'
import { CATALOG_CHANGED } from './catalog-store.ts'
import { readCsvFile } from './csv-file.ts'
import type { CatalogRefusal } from './errors.ts'
import { type CatalogFile, CatalogFileSchema, type Fault, type ReadFile } from './file.ts'
import { readJsonFile } from './json-file.ts'
import { type Known, type Plan, planImport } from './plan.ts'
import * as queries from './queries.ts'

export type ImportFile = { readonly format: 'json' | 'csv'; readonly text: string }
export type ImportCounts = { readonly categories: number; readonly brands: number; readonly offers: number }

// More would not be read; the rest shows when these are put right.
const FAULTS_MAX = 50
const checkFile = checkInput(CatalogFileSchema)

/**
 * Takes a catalog file into the catalog, whole or not at all: what it names is added or changed, everything else stays.
 * The same file again changes nothing. `check` only looks for faults. Answers what the file holds.
 * @throws Refusal catalog_invalid with `faults`: line, path and message of each.
 */
export async function importCatalog(
  db: Database,
  file: ImportFile,
  options: { readonly check?: boolean; readonly clock?: Clock } = {},
): Promise<ImportCounts> {
  const read = file.format === 'json' ? readJsonFile(file.text) : readCsvFile(file.text)
  if (read.faults.length > 0) throw faulty(read, read.faults)
  const shaped = shapedFile(read)
  const plan = options.check
    ? planOrRefuse(read, shaped, await knownOf(db.reader))
    : await db.transaction(async (tx) => {
        await queries.lockVersion(tx)
        const known = await knownOf(tx)
        const whole = planOrRefuse(read, shaped, known)
        await store(tx, whole, known, (options.clock ?? systemClock).now())
        return whole
      })
  const categories = new Set(
    [...(shaped.categories ?? []), ...(shaped.brands ?? [])].map((one) => Number(one.category_id)),
  )
  return { categories: categories.size, brands: plan.brands.length, offers: plan.offers.length }
}

async function knownOf(reader: Reader): Promise<Known> {
  const categories = await queries.listCategories(reader)
  const brands = await queries.listKnownBrands(reader)
  return { categories, brands, offers: await queries.listKnownOffers(reader) }
}

function shapedFile(read: ReadFile): CatalogFile {
  try {
    return checkFile(read.value)
  } catch (error) {
    if (!(error instanceof Problem) || error.errors === null) throw error
    const faults = error.errors.map(({ field, message }) => ({
      path: field === 'body' ? [] : field.split('.'),
      message,
    }))
    throw faulty(read, faults)
  }
}

function planOrRefuse(read: ReadFile, file: CatalogFile, known: Known): Plan {
  const { plan, faults } = planImport(file, known)
  if (faults.length > 0) throw faulty(read, faults)
  return plan
}

function faulty(read: ReadFile, faults: readonly Fault[]): Refusal<CatalogRefusal> {
  const shown = faults
    .slice(0, FAULTS_MAX)
    .map(({ path, message }) => ({ line: read.lineOf(path), path: path.join('.'), message }))
    .sort((a, b) => a.line - b.line)
  const told = shown.map(({ line, path, message }) => `line ${line}${path === '' ? '' : `, ${path}`}: ${message}`)
  const more = faults.length > shown.length ? ` (and ${faults.length - shown.length} more)` : ''
  const detail = `Nothing was imported. ${told.join('; ')}${more}`
  return new Refusal<CatalogRefusal>('catalog_invalid', detail, { members: { faults: shown } })
}

/** Writes what differs from what is there; if that is anything, the version moves on and every process hears of it. */
async function store(tx: Tx, plan: Plan, known: Known, now: Date): Promise<void> {
  const named = new Map(known.categories.map(({ categoryId, category }) => [categoryId, category]))
  const categories = plan.categories.filter(({ categoryId, category }) => named.get(categoryId) !== category)
  const knownBrands = new Map(known.brands.map((brand) => [brand.brandUid, brand.sha256]))
  const brands = plan.brands.filter((brand) => knownBrands.get(brand.brandUid) !== brand.sha256)
  const knownOffers = new Map(known.offers.map((offer) => [offer.offerUid, offer.sha256]))
  const offers = plan.offers.filter((offer) => knownOffers.get(offer.offerUid) !== offer.sha256)
  if (categories.length + brands.length + offers.length === 0) return
  await queries.upsertCategories(tx, categories)
  await queries.upsertBrands(tx, brands, now)
  await queries.upsertOffers(tx, offers, now)
  await queries.deleteStores(
    tx,
    offers.map((offer) => offer.offerUid),
  )
  await queries.insertStores(
    tx,
    offers.flatMap(({ offerUid, stores }) => stores.map((one, position) => ({ ...one, offerUid, position }))),
  )
  await storePrograms(tx, plan, offers, known, now)
  await queries.bumpVersion(tx)
  await announce(tx, CATALOG_CHANGED)
}

/** Links lead somewhere as long as offer and brand do: a retired brand ends those of all its offers, named or not. */
async function storePrograms(tx: Tx, plan: Plan, changed: Plan['offers'], known: Known, now: Date): Promise<void> {
  const retiredBrands = new Set(plan.brands.filter((brand) => brand.retired).map((brand) => brand.brandUid))
  const orphans = known.offers.filter((offer) => retiredBrands.has(offer.brandUid))
  const programs = changed.flatMap(({ program }) => (program === null ? [] : [program]))
  const ended = [...changed.filter(({ program }) => program === null), ...orphans].map((offer) => offer.offerUid)
  await savePrograms(tx, programs)
  await endPrograms(tx, ended, now)
}
