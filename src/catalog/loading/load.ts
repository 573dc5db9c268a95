import type { Database } from '../../platform/database.ts'
import type { Brand, CatalogOffer } from '../catalog.ts'
import { noConditions, type OfferConditions, type Store } from '../offer.ts'
import { plainLocation } from '../offer-location.ts'
import { type ConditionsRow, type GroupRow, getVersion, listCategories } from '../queries.ts'
import type { Changes } from '../table/assemble.ts'
import { type OfferRow, readBrands, readOffers, readStores, startReading } from './load-queries.ts'

/** What changed after a version of the catalog; null: everything. */
export async function loadChanges(db: Database, since: number | null): Promise<Changes> {
  const after = since ?? -1
  return db.transaction(async (tx) => {
    await startReading(tx)
    const version = await getVersion(tx)
    const categories = await listCategories(tx)
    const share = createSharing()
    const brands: Brand[] = []
    await readBrands(tx, after, (row) => brands.push(sharedBrand(row, share)))
    const stores = new Map<string, Store[]>()
    await readStores(tx, after, ({ offerUid, ...row }) => {
      const list = stores.get(offerUid)
      if (list === undefined) stores.set(offerUid, [sharedStore(row, share)])
      else list.push(sharedStore(row, share))
    })
    const offers: CatalogOffer[] = []
    await readOffers(tx, after, (row) => offers.push(sharedOffer(row, stores.get(row.offerUid), share)))
    return { version, categories, brands, offers }
  })
}

/**
 * Rows share what many of them have in common: the driver creates a new string for every text, and half a million times USD takes 12 MB,
 * the usual terms a hundred.
 */
type Sharing = {
  text<Text extends string | null>(text: Text): Text
  list<Item>(list: readonly Item[]): readonly Item[]
  parsed<Value>(kind: string, text: string, parse: () => Value): Value
}

// Texts that differ in every row would only fill the memory.
const SHARED_MAX = 200_000
const NONE: readonly never[] = []

export function createSharing(): Sharing {
  const texts = new Map<string, string>()
  const values = new Map<string, unknown>()
  return {
    text: (text) => {
      if (text === null) return text
      const known = texts.get(text)
      if (known !== undefined) return known as typeof text
      if (texts.size < SHARED_MAX) texts.set(text, text)
      return text
    },
    list: (list) => (list.length === 0 ? NONE : list),
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

function sharedBrand(row: Brand, { text, list }: Sharing): Brand {
  return {
    ...row,
    brandUid: text(row.brandUid),
    aliases: list(row.aliases),
    domains: list(row.domains),
    merchantIds: list(row.merchantIds),
    mccs: list(row.mccs),
    countries: list(row.countries),
    rewardType: text(row.rewardType),
    globalTerms: text(row.globalTerms),
  }
}

function sharedStore(row: Store, { text }: Sharing): Store {
  return {
    ...row,
    city: text(row.city),
    state: text(row.state),
    zipCode: text(row.zipCode),
    country: text(row.country),
  }
}

export function sharedOffer(row: OfferRow, stores: readonly Store[] | undefined, share: Sharing): CatalogOffer {
  const { text, list, parsed } = share
  const { channels } = row
  return {
    ...row,
    brandUid: text(row.brandUid),
    offerType: text(row.offerType),
    rewardType: text(row.rewardType),
    currency: text(row.currency),
    formattedDescription: text(row.formattedDescription),
    termsAndConditions: text(row.termsAndConditions),
    location: text(row.location === null ? null : plainLocation(row.location)),
    startDate: text(row.startDate),
    endDate: text(row.endDate),
    channels: channels === null ? null : parsed('channels', channels.join(' '), () => channels),
    denominations: list(row.denominations),
    stores: stores ?? NONE,
    // A commission is known by its groups, so only offers of one type and currency share them.
    groups: parsed(`groups ${row.rewardType} ${row.currency}`, row.groups, () => groupsOf(JSON.parse(row.groups))),
    conditions:
      row.conditions === '{}'
        ? noConditions
        : parsed('conditions', row.conditions, () => conditionsOf(JSON.parse(row.conditions))),
  }
}

function groupsOf(rows: readonly GroupRow[]): CatalogOffer['groups'] {
  return rows.map((group) => ({
    ...group,
    skus: group.skus ?? [],
    amount: minorOf(group.amount),
    minAmount: minorOf(group.minAmount),
    maxAmount: minorOf(group.maxAmount),
  }))
}

function conditionsOf(row: ConditionsRow): OfferConditions {
  return {
    ...noConditions,
    ...row,
    userLimits: (row.userLimits ?? []).map((one) => ({ ...one, reward: minorOf(one.reward) })),
    budgets: (row.budgets ?? []).map((one) => ({ ...one, amount: BigInt(one.amount) })),
  }
}

function minorOf(text: string | null): bigint | null {
  return text === null ? null : BigInt(text)
}
