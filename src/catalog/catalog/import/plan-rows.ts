import { hash } from 'node:crypto'
import { toMinor } from '../../../platform/money.ts'
import { findTemplateFault, type Program } from '../../../sources/affiliate/index.ts'
import type { BrandInFile, Fault, OfferInFile, Path, StoreInFile } from '../feed/file-schema.ts'
import {
  DEFAULTS,
  formatAddressLine,
  normalizeBrand,
  normalizeOffer,
  type OfferContent,
  toWebsiteUrl,
} from '../feed/normal-form.ts'
import { isPercentage } from '../offer.ts'
import { findLocationFault } from '../offer-location.ts'
import type { ConditionsRow } from '../queries.ts'
import { buildGroups, type Complain, type ReadMinor } from './commission-groups.ts'

/**
 * A brand or offer ready to be written: its normal form as JSON, the columns that are computed rather than copied from
 * it, and its hash.
 */
export type PlannedRow = {
  readonly content: string
  readonly computed: object
  readonly sha256: string
  readonly retired: boolean
}
/** An offer ready to be written, with the target of its tracking links. */
export type PlannedOffer = PlannedRow & { readonly program: object | null }
type PlannedBrand = {
  readonly brand: PlannedRow
  readonly offers: readonly PlannedOffer[]
  readonly faults: readonly Fault[]
}

/** Plans a brand's rows from a file and reports its errors. The schema, ids and categories are checked elsewhere. */
export function planBrand(brand: BrandInFile, path: Path): PlannedBrand {
  const faults: Fault[] = []
  const offers = (brand.offers ?? []).map((offer, index) => {
    const complain: Complain = (steps, message) => {
      faults.push({ path: [...path, 'offers', index, ...steps], message })
      return null
    }
    return planOffer(offer, brand, complain)
  })
  const normal = normalizeBrand(brand)
  const { aliases = [], merchant_ids = [], mccs = [], countries = [], website, domains = [] } = normal
  const allDomains = website === undefined ? domains : [website, ...domains]
  const computed = { aliases, merchant_ids, mccs, countries, domains: allDomains }
  const content = JSON.stringify(normal)
  const row = { content, computed, sha256: hash('sha256', content), retired: brand.retired ?? false }
  return { brand: row, offers, faults }
}

/** Plans an offer. Values inherited from the brand are part of its content, so the offer changes when they do. */
function planOffer(offer: OfferInFile, brand: BrandInFile, complain: Complain): PlannedOffer {
  const currency = offer.currency ?? DEFAULTS.currency
  const minor: ReadMinor = (given, steps) => {
    if (given === undefined) return null
    const read = toMinor(given, currency)
    return read === null ? complain(steps, `must have no more decimal places than ${currency} allows`) : String(read)
  }
  const normal = normalizeOffer(offer, brand)
  const name = offer.name ?? brand.name
  const groups = buildGroups(offer, findBound(offer, brand), complain, minor)
  checkTogether(offer, complain)
  // Retired offers may predate these rules.
  if (offer.retired !== true) checkMeaning(offer, complain)
  const retired = (offer.retired ?? false) || (brand.retired ?? false)
  const program = retired ? null : buildProgram(offer, brand, complain)
  const content = JSON.stringify(normal)
  return {
    content,
    computed: { name, currency, commission_groups: groups, ...computedColumns(normal, minor) },
    sha256: hash('sha256', `${content}${name} ${retired} ${program === null ? null : JSON.stringify(program)}`),
    retired,
    program,
  }
}

/** Returns the bound on the offer's reward. A brand's max_customer_offer applies to offers in the same unit. */
function findBound(
  offer: OfferInFile,
  { max_customer_offer: bound, reward_type: unit }: BrandInFile,
): number | undefined {
  if (offer.max_customer_offer !== undefined) return offer.max_customer_offer
  return unit === undefined || isPercentage(unit) === isPercentage(offer.reward_type) ? bound : undefined
}

/**
 * Computes the derived columns. Amounts are minor units as text. Only conditions that the offer sets are stored, so
 * introducing a new condition leaves rows without it unchanged.
 */
function computedColumns(offer: OfferContent, minor: ReadMinor): object {
  const conditions: { [Name in keyof ConditionsRow]: ConditionsRow[Name] | undefined } = {
    days: offer.days_of_week,
    hours: offer.hours,
    lapsedCustomerOnly: offer.lapsed_customer_only,
    lapsedCustomerDays: offer.lapsed_customer_days,
    activationRequired: offer.activation_required,
    userLimits: offer.user_limits?.map(({ period, uses = null, reward }) => ({
      period,
      uses,
      reward: minor(reward, ['user_limits']),
    })),
    budgets: offer.budgets?.map(({ period, amount }) => ({ period, amount: minor(amount, ['budgets']) ?? '0' })),
    uniqueCodes: offer.unique_codes,
    localRadiusMetres: offer.local_radius_metres,
  }
  return {
    refund_period_days: offer.refund_period_days ?? DEFAULTS.refund_period_days,
    one_time_use: offer.one_time_use ?? false,
    new_customer_only: offer.new_customer_only ?? false,
    new_customer_days: offer.new_customer_days ?? DEFAULTS.new_customer_days,
    min_spend: minor(offer.min_spend, ['min_spend']),
    max_spend: minor(offer.max_spend, ['max_spend']),
    denominations: (offer.denominations ?? []).map((one) => minor(one, ['denominations'])),
    conditions,
    store_addresses: offer.store_addresses?.map((store) => ({ complete_address: formatAddressLine(store), ...store })),
  }
}

/** Checks rules that span several fields. */
function checkTogether(offer: OfferInFile, complain: Complain): void {
  const { offer_type: type, min_spend, max_spend, start_date, end_date, voucher_code: code } = offer
  const hasPool = offer.unique_codes === true
  const limits = [offer.budgets, offer.user_limits].map((list = []) => list.map(({ period }) => period))
  const [budgetPeriods = [], limitPeriods = []] = limits
  const names = (offer.commission_groups ?? []).map(({ name }) => name)
  const rules: readonly (readonly [broken: boolean | undefined, field: keyof OfferInFile, message: string])[] = [
    [
      min_spend !== undefined && max_spend !== undefined && max_spend < min_spend,
      'max_spend',
      'must not be less than min_spend',
    ],
    [
      start_date !== undefined && end_date !== undefined && end_date < start_date,
      'end_date',
      'must not be before start_date',
    ],
    [type !== 'AFFILIATE' && offer.tracking_url !== undefined, 'tracking_url', 'is only for AFFILIATE offers'],
    [type !== 'GIFT_CARD' && (offer.denominations ?? []).length > 0, 'denominations', 'is only for GIFT_CARD offers'],
    [type !== 'VOUCHER_CODE' && code !== undefined, 'voucher_code', 'is only for VOUCHER_CODE offers'],
    [
      type === 'VOUCHER_CODE' && code === undefined && !hasPool,
      'voucher_code',
      'is required for VOUCHER_CODE offers without unique_codes',
    ],
    [
      hasPool && (type !== 'VOUCHER_CODE' || code !== undefined),
      'unique_codes',
      'is only for VOUCHER_CODE offers without a voucher_code',
    ],
    [
      offer.new_customer_only && offer.lapsed_customer_only,
      'lapsed_customer_only',
      'cannot be combined with new_customer_only',
    ],
    // The first entry would hide the second, and there is no telling which was intended.
    [hasDuplicates(budgetPeriods), 'budgets', 'lists a period twice'],
    [hasDuplicates(limitPeriods), 'user_limits', 'lists a period twice'],
    [hasDuplicates(names), 'commission_groups', 'has two groups with the same name'],
  ]
  for (const [broken, field, message] of rules) if (broken === true) complain([field], message)
}

/** Rejects values that are meaningless or that no purchase can satisfy. */
function checkMeaning(offer: OfferInFile, complain: Complain): void {
  const { location, store_addresses: stores = [], commission_groups: groups = [] } = offer
  const fault = location === undefined ? null : findLocationFault(location)
  if (fault !== null) complain(['location'], fault)
  for (const [index, store] of stores.entries()) {
    const message = 'needs a store number, an address, a zip code or both coordinates'
    if (!isPlaced(store)) complain(['store_addresses', index], message)
  }
  const isForLapsed = offer.lapsed_customer_only === true || groups.some(({ customer }) => customer === 'lapsed')
  // Specifying the default explicitly is fine.
  const { lapsed_customer_days: days = DEFAULTS.lapsed_customer_days } = offer
  if (days !== DEFAULTS.lapsed_customer_days && !isForLapsed)
    complain(['lapsed_customer_days'], 'is only for offers with lapsed_customer_only, or groups for lapsed customers')
  if (offer.local_radius_metres !== undefined && stores.length === 0 && location === undefined)
    complain(['local_radius_metres'], 'is only for offers with store_addresses or a location')
}

function isPlaced(store: StoreInFile): boolean {
  const { store_number, zip_code, latitude, longitude, complete_address } = store
  if (store_number !== undefined || zip_code !== undefined || complete_address !== undefined) return true
  if (latitude !== undefined && longitude !== undefined) return true
  // A country by itself is not an address.
  return formatAddressLine({ ...store, country: undefined }) !== null
}

function hasDuplicates(names: readonly string[]): boolean {
  return new Set(names).size < names.length
}

/**
 * Returns the program of an affiliate offer. Its links lead to the tracking URL template or, without one, to the
 * brand's website.
 */
function buildProgram(offer: OfferInFile, brand: BrandInFile, complain: Complain): Omit<Program, 'offerUid'> | null {
  if (offer.offer_type !== 'AFFILIATE') return null
  const addressTemplate = offer.tracking_url ?? toWebsiteUrl(brand.website)
  if (addressTemplate === null) return complain(['tracking_url'], 'is required for AFFILIATE offers')
  const fault = findTemplateFault(addressTemplate)
  if (fault !== null) return complain(['tracking_url'], fault)
  return {
    network: offer.network ?? DEFAULTS.network,
    addressTemplate,
    currency: offer.currency ?? DEFAULTS.currency,
    firstDay: offer.start_date ?? null,
    lastDay: offer.end_date ?? null,
  }
}
