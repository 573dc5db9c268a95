import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { makeBrand, makeGroup, makeOffer, makeStore } from '../../../../test/support/catalog.ts'
import { runs } from '../../../../test/support/runs.ts'
import { computeDistanceMetres, findZipCentroid } from '../../../platform/geography.ts'
import { carryWholeCatalog } from '../assortment/assortment.ts'
import type { Brand, CatalogOffer } from '../catalog.ts'
import { computeOfferNet, displayNumber } from '../net.ts'
import { OFFER_TYPES, REWARD_TYPES } from '../offer.ts'
import { getChannels } from '../offer-location.ts'
import type { Store } from '../store.ts'
import { assembleCatalog, type Catalog, type Changes, changeCatalog } from '../table/assemble.ts'
import { viewBrandAt } from './brand-view.ts'
import { readLocation } from './location-filter.ts'
import { type BrandFilter, type BrandSort, everything, selectBrands } from './select-brands.ts'
import { anyUser, buildUserFilter, findHome, type UserFilter } from './user-filter.ts'

const SPLIT = { feePpm: 100_000, sharePpm: 150_000 }
const TODAY = '2026-11-21'
const CATEGORIES = [
  { categoryId: 1, category: 'GROCERY' },
  { categoryId: 2, category: 'ELECTRONICS' },
  { categoryId: 7, category: 'BOOKS' },
]
const none = async (): Promise<void> => undefined
const days = fc.constantFrom(null, null, null, null, '2026-11-20', TODAY, '2026-11-22')
const seldom = fc.integer({ min: 0, max: 5 }).map((number) => number === 0)
const coordinates = fc.option(fc.constantFrom([40.75, -73.99], [40.9, -74.2], [30.27, -97.74]), { nil: null })

const store = fc
  .record({
    at: coordinates,
    state: fc.constantFrom('NY', 'TX', null),
    zipCode: fc.constantFrom('10001', '78701-1', null),
  })
  .map(({ at, ...rest }) => makeStore({ ...rest, latitude: at?.[0] ?? null, longitude: at?.[1] ?? null }))

const brandRow = fc.record({
  at: fc.nat(150),
  name: fc.constantFrom('Alpha', 'alpha', 'Beta Shop', 'Gamma', 'Ägir'),
  categoryId: fc.constantFrom(1, 2, 7),
  rewardType: fc.option(fc.constantFrom(...REWARD_TYPES), { nil: null }),
  retired: seldom,
})
const offerRow = fc.record({
  at: fc.nat(40),
  // Most offers belong to a few brands, so that those brands have several to choose from.
  brand: fc.nat(4).map((number) => number * 31),
  offerType: fc.constantFrom(...OFFER_TYPES),
  rewardType: fc.constantFrom(...REWARD_TYPES),
  value: fc.integer({ min: 1, max: 900_000 }),
  startDate: days,
  endDate: days,
  location: fc.constantFrom(null, null, null, 'Austin, TX', 'Austin', '78701', 'NY'),
  stores: fc.array(store, { maxLength: 2 }),
  channels: fc.constantFrom(null, null, ['IN_STORE' as const, 'ONLINE' as const], ['ONLINE' as const]),
  retired: seldom,
})

/** Rows as found in a database after several imports. Later rows replace earlier ones. */
type World = { readonly brands: Map<string, Brand>; readonly offers: Map<string, CatalogOffer> }

function take(world: World, brands: readonly BrandRow[], offers: readonly OfferRow[], version: number): Changes {
  const changed = new Map<string, Brand>()
  for (const { at, ...row } of brands) {
    // Ids are ordered differently from places. New brands are added at the end.
    const brandUid = `brd_${(at * 53) % 151}`
    const ordinal = world.brands.get(brandUid)?.ordinal ?? world.brands.size
    const brand = makeBrand({ ...row, brandUid, ordinal })
    changed.set(brandUid, brand)
    world.brands.set(brandUid, brand)
  }
  const changedOffers = new Map<string, CatalogOffer>()
  const uids = [...world.brands.keys()]
  for (const { at, brand, value, ...row } of uids.length === 0 ? [] : offers) {
    const offerUid = `off_${(at * 17) % 41}`
    const percentage = row.rewardType.endsWith('PERCENTAGE')
    // Some of the amounts need more than 32 bits as sort keys.
    const groups = [
      makeGroup(percentage ? { ratePpm: value } : { amount: BigInt(value) * (value % 2 === 0 ? 1n : 100n) }),
    ]
    const ordinal = world.offers.get(offerUid)?.ordinal ?? world.offers.size
    const brandUid = world.offers.get(offerUid)?.brandUid ?? uids[brand % uids.length] ?? ''
    const offer = makeOffer({ ...row, offerUid, brandUid, ordinal, groups, name: offerUid })
    changedOffers.set(offerUid, offer)
    world.offers.set(offerUid, offer)
  }
  return { version, categories: CATEGORIES, brands: [...changed.values()], offers: [...changedOffers.values()] }
}
type BrandRow = typeof brandRow extends fc.Arbitrary<infer Row> ? Row : never
type OfferRow = typeof offerRow extends fc.Arbitrary<infer Row> ? Row : never

const imports = fc.array(
  fc.tuple(fc.array(brandRow, { minLength: 15, maxLength: 60 }), fc.array(offerRow, { minLength: 20, maxLength: 40 })),
  {
    minLength: 1,
    maxLength: 4,
  },
)

async function catalogAfter(world: World, steps: readonly [BrandRow[], OfferRow[]][]): Promise<Catalog[]> {
  const states: Catalog[] = []
  for (const [index, [brands, offers]] of steps.entries()) {
    const changes = take(world, brands, offers, index + 1)
    const held = states.at(-1)
    const next = held === undefined ? await assembleCatalog(changes, none) : await changeCatalog(held, changes, none)
    states.push(next ?? assert.fail('a change was not taken in'))
  }
  return states
}

const pickFacts = (catalog: Catalog) => ({
  facts: catalog.brandFacts.map(({ brandUid, name }) => [brandUid, name]),
  offers: [...catalog.brands.values()].map(({ brandUid }) => catalog.getOffers(brandUid)),
  known: [catalog.brands.size, catalog.offers.size],
})

test('an incrementally updated catalog equals one built from scratch, and earlier versions do not change', async () => {
  await fc.assert(
    fc.asyncProperty(imports, async (steps) => {
      const world: World = { brands: new Map(), offers: new Map() }
      const held: { catalog: Catalog; facts: object }[] = []
      let newest: Catalog | null = null
      for (const [index, [brands, offers]] of steps.entries()) {
        const changes = take(world, brands, offers, index + 1)
        newest = newest === null ? await assembleCatalog(changes, none) : await changeCatalog(newest, changes, none)
        assert(newest !== null)
        held.push({ catalog: newest, facts: pickFacts(newest) })
      }
      const fresh = await assembleCatalog(
        {
          version: steps.length,
          categories: CATEGORIES,
          brands: [...world.brands.values()],
          offers: [...world.offers.values()],
        },
        none,
      )
      assert.deepEqual(held.at(-1)?.facts, pickFacts(fresh))
      for (const { catalog, facts } of held) assert.deepEqual(pickFacts(catalog), facts)
      const [first] = held
      if (first === undefined || newest === null) return
      const changes = newest.changedSince(first.catalog) ?? assert.fail('the changes are not known')
      const followed = new Map(first.catalog.brandFacts.map((brand) => [brand.brandUid, brand]))
      for (const brand of changes.changed) followed.set(brand.brandUid, brand)
      for (const brandUid of changes.removedUids) followed.delete(brandUid)
      const toUids = (brands: Iterable<{ brandUid: string; name: string }>) =>
        [...brands].map(({ brandUid, name }) => `${brandUid} ${name}`).sort()
      assert.deepEqual(toUids(followed.values()), toUids(newest.brandFacts))
    }),
    { numRuns: runs(60) },
  )
})

// --- The model: evaluates one brand at a time, following the wording of the documentation.

type Asked = {
  readonly categoryId: number | null
  readonly offerTypes: readonly (typeof OFFER_TYPES)[number][]
  readonly location: readonly string[] | null
  readonly endsBy: string | null
  readonly sort: readonly { field: BrandSort; descending: boolean }[]
  readonly usedUp: readonly number[]
  readonly zip: string | null
}

function isListed(offer: CatalogOffer, { usedUp, zip }: Asked): boolean {
  if ((offer.startDate ?? '') > TODAY || (offer.endDate ?? '9') < TODAY) return false
  if (usedUp.some((number) => offer.offerUid === `off_${number}`)) return false
  const home = zip === null ? null : findZipCentroid(zip)
  if (home === null || getChannels(offer).includes('ONLINE')) return true
  const points = offer.stores.map(findPoint)
  if (points.length === 0 && offer.location === null) return true
  if (points.includes(null)) return true
  const state = zip === '10001' ? 'NY' : 'TX'
  const near = points.some((point) => point !== null && computeDistanceMetres(point, home) <= 50_000)
  const isAustin = offer.location !== null && offer.location !== 'NY'
  return near || (state === 'NY' ? offer.location === 'NY' : isAustin)
}

function findPoint({ latitude, longitude, zipCode }: Store) {
  return latitude !== null && longitude !== null ? { latitude, longitude } : findZipCentroid(zipCode ?? '')
}

function fits(offer: CatalogOffer, { offerTypes, location, endsBy }: Asked): boolean {
  if (endsBy !== null && (offer.endDate === null || offer.endDate > endsBy)) return false
  if (offerTypes.length > 0 && !offerTypes.includes(offer.offerType)) return false
  if (location === null) return true
  const channels = getChannels(offer)
  if (location.includes('ONLINE') && channels.includes('ONLINE')) return true
  if (!channels.includes('IN_STORE')) return false
  const named = location.filter((place) => place !== 'ONLINE' && place !== 'IN_STORE')
  if (named.length === 0) return location.includes('IN_STORE')
  return named.some((place) => {
    const words = offer.location?.split(/[^A-Z0-9]+/) ?? []
    if (/^[A-Z]{2}$/.test(place))
      return (
        words.includes(place) ||
        (place === 'TX' && offer.location === '78701') ||
        offer.stores.some((one) => one.state === place)
      )
    if (/^\d{5}$/.test(place))
      return (
        words.includes(place) ||
        (place === '10001' && offer.location === 'NY') ||
        offer.stores.some((one) => one.zipCode?.startsWith(place) === true)
      )
    return offer.stores.map(findPoint).some((point) => point !== null && computeDistanceMetres(point, CENTRE) <= RADIUS)
  })
}

const asksForOffers = ({ offerTypes, location, endsBy }: Asked): boolean =>
  offerTypes.length > 0 || location !== null || endsBy !== null

const firstEnd = (offers: readonly CatalogOffer[]): number =>
  Math.min(...offers.map(({ endDate }) => Date.parse(endDate ?? '9999-12-31')))

function computeModel(world: World, asked: Asked) {
  const listed = [...world.brands.values()]
    .filter((brand) => !brand.retired && (asked.categoryId === null || brand.categoryId === asked.categoryId))
    .map((brand) => {
      const own = [...world.offers.values()]
        .filter((offer) => offer.brandUid === brand.brandUid && !offer.retired && isListed(offer, asked))
        .sort((a, b) => a.ordinal - b.ordinal)
      return { brand, own, offers: own.filter((offer) => fits(offer, asked)) }
    })
    .filter(({ offers }) => !asksForOffers(asked) || offers.length > 0)
    .sort((a, b) => a.brand.ordinal - b.brand.ordinal)
  if (asked.endsBy !== null) listed.sort((a, b) => firstEnd(a.offers) - firstEnd(b.offers))
  const sortKeys: Record<BrandSort, (one: (typeof listed)[number]) => number | string | null> = {
    name: ({ brand }) => brand.name.toLowerCase(),
    brand_uid: ({ brand }) => brand.brandUid,
    category_id: ({ brand }) => brand.categoryId,
    category: ({ brand }) => CATEGORIES.find((one) => one.categoryId === brand.categoryId)?.category ?? '',
    max_customer_offer: ({ brand, own }) => {
      const unit = (type: string | null): boolean | undefined => type?.endsWith('PERCENTAGE')
      const same = own.filter((offer) => unit(offer.rewardType) === unit(brand.rewardType))
      const figures = (same.length > 0 ? same : own).map((offer) =>
        displayNumber(offer, computeOfferNet(offer, SPLIT).maxCustomerOffer),
      )
      return Math.max(-1, ...figures)
    },
    distance: ({ offers }) => {
      const metres = offers
        .filter((offer) => getChannels(offer).includes('IN_STORE'))
        .flatMap(({ stores }) => stores)
        .flatMap((one) => findPoint(one) ?? [])
        .map((point) => Math.round(computeDistanceMetres(point, CENTRE)))
      return metres.length === 0 ? null : Math.min(...metres)
    },
  }
  const fields = [...asked.sort, { field: 'brand_uid' as const, descending: asked.sort.at(-1)?.descending === true }]
  if (asked.sort.length > 0) {
    listed.sort((a, b) => {
      for (const { field, descending } of fields) {
        const [x, y] = [sortKeys[field](a), sortKeys[field](b)]
        if (x === y) continue
        if (x === null || y === null) return x === null ? 1 : -1
        return (x < y ? -1 : 1) * (descending ? -1 : 1)
      }
      return 0
    })
  }
  return listed.map(({ brand, offers }) => `${brand.brandUid}: ${offers.map((offer) => offer.offerUid)}`)
}

const RADIUS = 15_000
const CENTRE = { latitude: 40.75, longitude: -74 }
const places = ['IN_STORE', 'ONLINE', 'NY', 'TX', '10001', `${CENTRE.latitude},${CENTRE.longitude}`]
const asking = fc.record({
  categoryId: fc.constantFrom(null, null, null, 1, 2, 7),
  offerTypes: fc.oneof(fc.constant([]), fc.subarray([...OFFER_TYPES], { maxLength: 2 })),
  location: fc.option(fc.subarray(places, { minLength: 1, maxLength: 3 }), { nil: null }),
  endsBy: fc.constantFrom(null, null, TODAY, '2026-11-22'),
  sort: fc.uniqueArray(
    fc.record({
      field: fc.constantFrom<BrandSort>(
        'name',
        'brand_uid',
        'category_id',
        'category',
        'max_customer_offer',
        'distance',
      ),
      descending: fc.boolean(),
    }),
    { maxLength: 3, selector: ({ field }) => field },
  ),
  usedUp: fc.array(fc.nat(40), { maxLength: 6 }),
  zip: fc.constantFrom(null, '10001', '78701'),
})

const locationIn = (values: readonly string[]) => {
  const read = readLocation(values.join(',').split(','), RADIUS)
  assert('filter' in read)
  return read.filter
}

test('filtering and ranking each brand in isolation yields the same list in the same order', async () => {
  await fc.assert(
    fc.asyncProperty(imports, fc.array(asking, { minLength: 1, maxLength: 8 }), async (steps, questions) => {
      const world: World = { brands: new Map(), offers: new Map() }
      const catalog = (await catalogAfter(world, steps)).at(-1) ?? assert.fail()
      for (const question of questions) {
        const location = question.location === null ? null : locationIn(question.location)
        const { origins } = locationIn([`${CENTRE.latitude},${CENTRE.longitude}`])
        const filter: BrandFilter = { ...everything, ...question, location, origins }
        const uids = new Set(question.usedUp.map((number) => `off_${number}`))
        const personal: UserFilter = buildUserFilter(uids, new Set(), findHome(question.zip))
        const context = { assortment: carryWholeCatalog(catalog, SPLIT), day: TODAY, personal }
        const selection = selectBrands(context, filter)
        const found = [...selection.places].map((place) => {
          const shown = viewBrandAt(context, selection, place, filter.origins)
          return `${shown.brand.brandUid}: ${shown.offers.map(({ offer }) => offer.offerUid)}`
        })
        assert.deepEqual(found, computeModel(world, question))
      }
    }),
    { numRuns: runs(150) },
  )
})

test("lists follow the publisher's category order, then the catalog's", async () => {
  const brand = (at: number, categoryId: 1 | 2 | 7): BrandRow => ({
    at,
    name: 'Alpha',
    categoryId,
    rewardType: null,
    retired: false,
  })
  const world: World = { brands: new Map(), offers: new Map() }
  const rows = ([1, 2, 7, 1, 2] as const).map((categoryId, at) => brand(at, categoryId))
  const catalog = (await catalogAfter(world, [[rows, []]])).at(-1) ?? assert.fail()
  const assortment = { ...carryWholeCatalog(catalog, SPLIT), categoryOrder: [7, 1] }
  const { places: found } = selectBrands({ assortment, day: TODAY, personal: anyUser }, everything)
  assert.deepEqual([...found], [2, 0, 3, 1, 4])
})
