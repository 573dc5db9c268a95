import type { Database } from '../../../platform/db/database.ts'
import type { Brand, CatalogOffer } from '../catalog.ts'
import { noConditions, type OfferConditions } from '../offer.ts'
import { normalizeLocation } from '../offer-location.ts'
import { type ConditionsRow, type GroupRow, getVersion, listCategories } from '../queries.ts'
import type { Store } from '../store.ts'
import type { Changes } from '../table/assemble.ts'
import { type OfferRow, readBrands, readOffers, readStores } from './load-queries.ts'

/** Loads what has changed after a version of the catalog, or everything if `since` is null. */
export async function loadChanges(db: Database, since: number | null): Promise<Changes> {
  const after = since ?? -1
  // Reads a single snapshot, so that it never sees half an import.
  return db.snapshot(async (tx) => {
    const version = await getVersion(tx)
    const categories = await listCategories(tx)
    const share = createSharing()
    const brands: Brand[] = []
    await readBrands(tx, after, (row) => brands.push(share.row(row, BRAND_SHARED)))
    const stores = new Map<string, Store[]>()
    await readStores(tx, after, ({ offerUid, ...row }) => {
      const list = stores.get(offerUid) ?? []
      stores.set(offerUid, list)
      list.push(share.row<Store>(row, STORE_SHARED))
    })
    const offers: CatalogOffer[] = []
    await readOffers(tx, after, (row) => offers.push(sharedOffer(row, stores.get(row.offerUid), share)))
    return { version, categories, brands, offers }
  })
}

/**
 * Interns values that many rows share, because the driver creates a new string for every value. Half a million copies
 * of "USD" take 12 MB, and as many copies of typical terms take 100 MB.
 */
type Sharing = {
  /** Copies a row, interning the given members where they are strings or empty lists. */
  row<Row extends object>(row: Row, names: readonly (keyof Row)[]): Row
  parsed<Value>(kind: string, text: string, parse: () => Value): Value
}

// Limits memory use, because sharing gains nothing for strings that occur in only one row.
const SHARED_MAX = 200_000
const NONE: readonly never[] = []

export function createSharing(): Sharing {
  const texts = new Map<unknown, unknown>()
  const values = new Map<string, unknown>()
  return {
    row: <Row extends object>(row: Row, names: readonly (keyof Row)[]): Row => {
      const copy: Record<keyof Row, unknown> = { ...row }
      for (const name of names) {
        const value = copy[name]
        const known = Array.isArray(value) && value.length === 0 ? NONE : texts.get(value)
        if (known !== undefined) copy[name] = known
        else if (typeof value === 'string' && texts.size < SHARED_MAX) texts.set(value, value)
      }
      return copy as Row
    },
    parsed: <Value>(kind: string, text: string, parse: () => Value): Value => {
      const key = `${kind} ${text}`
      const known = values.get(key)
      if (known !== undefined) return known as Value
      const value = parse()
      if (values.size < SHARED_MAX) values.set(key, value)
      return value
    },
  }
}

const BRAND_SHARED = [
  'brandUid',
  'rewardType',
  'globalTerms',
  'aliases',
  'domains',
  'merchantIds',
  'mccs',
  'countries',
] as const
const STORE_SHARED = ['city', 'state', 'zipCode', 'country'] as const
const OFFER_SHARED = [
  'brandUid',
  'offerType',
  'rewardType',
  'currency',
  'formattedDescription',
  'termsAndConditions',
  'location',
  'startDate',
  'endDate',
  'denominations',
] as const

export function sharedOffer(
  row: OfferRow,
  stores: readonly Store[] = NONE,
  { row: copy, parsed }: Sharing,
): CatalogOffer {
  const { channels, conditions } = row
  const location = row.location === null ? null : normalizeLocation(row.location)
  return {
    ...copy({ ...row, location }, OFFER_SHARED),
    channels: channels === null ? null : parsed('channels', channels.join(' '), () => channels),
    stores,
    // Figures are cached by groups, so only offers of the same type and currency may share them.
    groups: parsed(`groups ${row.rewardType} ${row.currency}`, row.groups, () => toGroups(JSON.parse(row.groups))),
    conditions:
      conditions === '{}' ? noConditions : parsed('conditions', conditions, () => toConditions(JSON.parse(conditions))),
  }
}

function toGroups(rows: readonly GroupRow[]): CatalogOffer['groups'] {
  return rows.map((group) => ({
    ...group,
    skus: group.skus ?? [],
    amount: parseMinor(group.amount),
    minAmount: parseMinor(group.minAmount),
    maxAmount: parseMinor(group.maxAmount),
  }))
}

function toConditions(row: ConditionsRow): OfferConditions {
  return {
    ...noConditions,
    ...row,
    userLimits: (row.userLimits ?? []).map((one) => ({ ...one, reward: parseMinor(one.reward) })),
    budgets: (row.budgets ?? []).map((one) => ({ ...one, amount: BigInt(one.amount) })),
  }
}

function parseMinor(text: string | null): bigint | null {
  return text === null ? null : BigInt(text)
}
