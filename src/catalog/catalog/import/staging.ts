import Type from 'typebox'
import type { Tx } from '../../../platform/db/database.ts'
import { createShapeCheck } from '../feed/check-shape.ts'
import type { Feed, FeedItem } from '../feed/feed.ts'
import {
  BrandFileSchema,
  type BrandInFile,
  CategoryFileSchema,
  FAULTS_MAX,
  type Fault,
  type Path,
} from '../feed/file-schema.ts'
import { listCategories } from '../queries.ts'
import { openCategories } from './feed-categories.ts'
import { planBrand } from './plan-rows.ts'
import * as queries from './staging-queries.ts'
import { createBrandNaming, createOfferNaming } from './uids.ts'

/** A feed in the staging tables, ready to be compared with the catalog. */
export type StagedFeed = {
  readonly held: Held
  readonly categories: ReturnType<typeof openCategories>
  readonly faults: Faults
}
export type Held = { readonly categories: number; readonly brands: number; readonly offers: number }
/** The first errors and the total count. */
export type Faults = { readonly first: Fault[]; count: number }
export type ImportProgress = (held: Pick<Held, 'brands' | 'offers'>) => void
type Options = { readonly replace: boolean; readonly progress: ImportProgress }

const shapeCategory = createShapeCheck(CategoryFileSchema)
const shapeBrand = createShapeCheck(BrandFileSchema)
const { category_id, category } = BrandFileSchema.properties
const shapeNaming = createShapeCheck(Type.Object({ category_id, category }))
type PlacedBrand = { readonly brand: BrandInFile; readonly path: Path; readonly position: number }

/**
 * Reads a feed from its beginning into the staging tables. The next batch is planned while the database stores the
 * current one. With `replace`, everything missing from the feed is staged as retired.
 */
export async function stageFeed(tx: Tx, feed: Feed, options: Options): Promise<StagedFeed> {
  const faults: Faults = { first: [], count: 0 }
  const categories = openCategories(await listCategories(tx))
  const held = { brands: 0, offers: 0 }
  let copying: Promise<void> = Promise.resolve()
  await queries.createStaging(tx)
  try {
    for await (const batch of feed.batches()) {
      note(faults, batch.faults)
      const brands = shaped(batch.items, categories, faults)
      held.brands += brands.length
      held.offers += brands.reduce((sum, { brand }) => sum + (brand.offers?.length ?? 0), 0)
      const planned = await planBatch(tx, brands, faults)
      await copying
      copying = copy(tx, planned)
      // A failure surfaces where the promise is awaited.
      copying.catch(() => undefined)
      options.progress(held)
    }
  } finally {
    // Wait even if the feed fails, because a statement sent after the rollback would run in another transaction.
    await copying
  }
  await queries.indexStaging(tx)
  note(faults, categories.faults())
  if (faults.count === 0) {
    if (options.replace) await retireUnnamed(tx)
    await stageFollowers(tx, options, faults)
  }
  return { held: { categories: categories.count(), ...held }, categories, faults }
}

function note(faults: Faults, found: readonly Fault[]): void {
  faults.count += found.length
  faults.first.push(...found.slice(0, FAULTS_MAX - faults.first.length))
}

function shaped(items: readonly FeedItem[], categories: StagedFeed['categories'], faults: Faults): PlacedBrand[] {
  const brands: PlacedBrand[] = []
  for (const { of, path, value } of items) {
    if (of === 'category') {
      const checked = shapeCategory(value, path)
      if ('faults' in checked) note(faults, checked.faults)
      else categories.list(Number(checked.shaped.category_id), checked.shaped.category, path)
      continue
    }
    const checked = shapeBrand(value, path)
    if ('faults' in checked) {
      note(faults, checked.faults)
      // The brand's category is still recorded, so that brands relying on it are not reported as invalid themselves.
      const naming = shapeNaming(value, path)
      if ('shaped' in naming) categories.ask(naming.shaped, path)
      continue
    }
    categories.ask(checked.shaped, path)
    brands.push({ brand: checked.shaped, path, position: Number(path[1]) })
  }
  return brands
}

type Rows = { readonly brands: queries.StagedBrand[]; readonly offers: queries.StagedOffer[] }

async function planBatch(tx: Tx, batch: readonly PlacedBrand[], faults: Faults): Promise<Rows> {
  const uids = await resolveUids(tx, batch)
  const toOfferUids = await offerUids(tx, batch, uids)
  const rows: Rows = { brands: [], offers: [] }
  for (const [index, { brand, path, position }] of batch.entries()) {
    const brandUid = uids[index] ?? ''
    const planned = planBrand(brand, path)
    note(faults, planned.faults)
    rows.brands.push({ position, brandUid, ...planned.brand })
    const ids = toOfferUids(brand, brandUid)
    for (const [at, offer] of planned.offers.entries())
      rows.offers.push({ brandPosition: position, position: at, brandUid, offerUid: ids[at] ?? '', ...offer })
  }
  return rows
}

/** Resolves the uids of brands. Most feeds include them, so only missing ones are looked up. */
async function resolveUids(tx: Tx, batch: readonly PlacedBrand[]): Promise<string[]> {
  const open = batch.filter(({ brand }) => brand.brand_uid === undefined)
  const names = open.map(({ brand }) => brand.name)
  const toUid = createBrandNaming(open.length === 0 ? [] : await queries.listBrandsNamed(tx, names))
  return batch.map(({ brand }) => toUid(brand))
}

async function offerUids(tx: Tx, batch: readonly PlacedBrand[], uids: readonly string[]) {
  const open = uids.filter((_, at) => batch[at]?.brand.offers?.some((offer) => offer.offer_uid === undefined))
  return createOfferNaming(open.length === 0 ? [] : await queries.listOffersNamed(tx, open))
}

// Higher than any brand's position in a feed and any offer's position within a brand, respectively.
const UNNAMED_POSITION = 1_000_000_000
const FOLLOWER_POSITION = 1_000

/** Stages the brands missing from the feed as retired. */
async function retireUnnamed(tx: Tx): Promise<void> {
  let position = UNNAMED_POSITION
  for await (const unnamed of queries.eachUnnamedBrand(tx)) {
    const brands = unnamed.map(({ brandUid, content }) => {
      const { brand } = planBrand({ ...content, retired: true }, [])
      return { position: position++, brandUid, ...brand }
    })
    await queries.stageBrands(tx, brands)
  }
}

/**
 * Replans offers that are missing from the feed but inherit a changed value from their staged brand. With `replace`,
 * retires all missing offers of staged brands.
 */
async function stageFollowers(tx: Tx, { replace }: Options, faults: Faults): Promise<void> {
  let position = FOLLOWER_POSITION
  for await (const followers of queries.eachFollower(tx, replace)) {
    const offers = followers.flatMap(({ brandUid, brandPosition, brand, offerUid, content }) => {
      const path = ['brands', brandPosition]
      const offer = replace ? { ...content, retired: true } : content
      const planned = planBrand({ ...brand, offers: [offer] }, path)
      // The offer has no line in the feed, so the error is reported against its brand.
      const found = planned.faults.map((one) => {
        return { path, message: `offer ${offerUid}, which is not in the file: ${one.path.at(-1)} ${one.message}` }
      })
      note(faults, found)
      return planned.offers.map((one) => ({ brandPosition, position: position++, brandUid, offerUid, ...one }))
    })
    await queries.stageOffers(tx, offers)
  }
}

async function copy(tx: Tx, { brands, offers }: Rows): Promise<void> {
  if (brands.length > 0) await queries.stageBrands(tx, brands)
  if (offers.length > 0) await queries.stageOffers(tx, offers)
}
