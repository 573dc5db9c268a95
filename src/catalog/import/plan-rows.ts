import { hash } from 'node:crypto'
import { type Program, templateFault } from '../../affiliate/index.ts'
import { toMinor } from '../../platform/money.ts'
import type { Brand, CatalogOffer } from '../catalog.ts'
import type { BrandInFile, Fault, OfferInFile, Path, StoreInFile } from '../feed/file-schema.ts'
import type { Store } from '../offer.ts'
import { isPercentage } from '../offer.ts'
import { locationFault } from '../offer-location.ts'
import type { ConditionsRow, GroupRow } from '../queries.ts'
import { groupsOf } from './commission-groups.ts'
import { addressLine, DEFAULTS, normalBrand, normalOffer, websiteAddress } from './normal-form.ts'

/** A row as JSON, without null columns. */
type Said<Row> = { readonly [Column in keyof Row]: Exclude<Row[Column], null> | undefined }

type BrandEntry = Said<Omit<Brand, 'ordinal' | 'brandUid' | 'retired'>>
type OfferEntry = Said<
  Omit<
    CatalogOffer,
    | ('ordinal' | 'version' | 'offerUid' | 'brandUid' | 'retired' | 'stores')
    | ('groups' | 'minSpend' | 'maxSpend' | 'denominations' | 'conditions')
  > & {
    readonly conditions: ConditionsRow
    readonly groups: readonly GroupRow[]
    readonly minSpend: string | null
    readonly maxSpend: string | null
    readonly denominations: readonly string[]
  }
>

/** A brand or an offer to be written, as JSON: its row, its normal form, and a hash of its content. */
export type PlannedRow = {
  readonly entry: string
  readonly content: string
  readonly sha256: string
  readonly retired: boolean
}
export type PlannedOffer = PlannedRow & { readonly program: string | null; readonly stores: string | null }
type PlannedBrand = {
  readonly brand: PlannedRow
  readonly offers: readonly PlannedOffer[]
  readonly faults: readonly Fault[]
}

/**
 * The rows of a brand of a file that has the right shape, or its faults. Pure; ids and categories are checked
 * elsewhere.
 */
export function planBrand(brand: BrandInFile, path: Path): PlannedBrand {
  const faults: Fault[] = []
  const offers = (brand.offers ?? []).map((offer, index) => planOffer(offer, brand, [...path, 'offers', index], faults))
  const content = JSON.stringify(normalBrand(brand))
  const row = { entry: JSON.stringify(brandOf(brand)), content, sha256: hashOf(content) }
  return { brand: { ...row, retired: brand.retired ?? false }, offers, faults }
}

/** What an offer takes from its brand is part of its content: when it changes, so does the offer. */
function planOffer(offer: OfferInFile, brand: BrandInFile, path: Path, faults: Fault[]): PlannedOffer {
  const complain = (field: string, message: string): null => {
    faults.push({ path: [...path, field], message })
    return null
  }
  const entry = offerOf(bounded(offer, brand), brand, { path, faults, complain })
  const retired = (offer.retired ?? false) || (brand.retired ?? false)
  const program = retired ? null : programOf(offer, brand, complain)
  const content = JSON.stringify(normalOffer(offer, brand))
  const { store_addresses: stores = [] } = offer
  return {
    entry: JSON.stringify(entry),
    content,
    sha256: hashOf(`${content}${entry.name} ${retired} ${program}`),
    retired,
    program,
    stores: stores.length === 0 ? null : JSON.stringify(stores.map(storeOf)),
  }
}

function hashOf(text: string): string {
  return hash('sha256', text)
}

/** A brand's max_customer_offer bounds its offers of the same unit. */
function bounded(offer: OfferInFile, brand: BrandInFile): OfferInFile {
  const { max_customer_offer: bound, reward_type: rewardType } = brand
  if (bound === undefined || offer.max_customer_offer !== undefined) return offer
  const sameUnit = rewardType === undefined || isPercentage(rewardType) === isPercentage(offer.reward_type)
  return sameUnit ? { ...offer, max_customer_offer: bound } : offer
}

function brandOf(brand: BrandInFile): BrandEntry {
  return {
    categoryId: Number(brand.category_id),
    name: brand.name,
    website: brand.website,
    aliases: brand.aliases ?? [],
    domains: [...new Set([...(brand.website === undefined ? [] : [brand.website]), ...(brand.domains ?? [])])],
    merchantIds: brand.merchant_ids ?? [],
    mccs: brand.mccs ?? [],
    countries: (brand.countries ?? []).map((code) => code.toLowerCase()),
    description: brand.description || undefined,
    logoImgUrl: brand.logo_img_url,
    largeImgUrl: brand.large_img_url,
    smallImgUrl: brand.small_img_url,
    offerDescription: brand.offer_description || undefined,
    rewardType: brand.reward_type,
    globalTerms: brand.global_terms_and_conditions || undefined,
  }
}

type Complaint = (field: string, message: string) => null
type Judged = { readonly path: Path; readonly faults: Fault[]; readonly complain: Complaint }

function offerOf(offer: OfferInFile, brand: BrandInFile, { path, faults, complain }: Judged): OfferEntry {
  const currency = offer.currency ?? DEFAULTS.currency
  const minor = (field: string, given: number | undefined): string | undefined => {
    const read = given === undefined ? null : toMinor(given, currency)
    if (given !== undefined && read === null) complain(field, `must have no more decimals than ${currency}`)
    return read === null ? undefined : String(read)
  }
  const commission = groupsOf(offer, currency, path)
  faults.push(...commission.faults)
  checkTogether(offer, complain)
  // Retired offers may predate these rules.
  if (offer.retired !== true) checkMeaning(offer, { path, faults, complain })
  return {
    offerType: offer.offer_type,
    rewardType: offer.reward_type,
    currency,
    name: offer.name ?? brand.name,
    description: offer.description || undefined,
    formattedDescription: offer.formatted_description || undefined,
    bannerUrl: offer.banner_url,
    groups: commission.groups,
    refundPeriodDays: offer.refund_period_days ?? DEFAULTS.refund_period_days,
    voucherCode: offer.voucher_code,
    location: offer.location,
    channels: offer.channels,
    oneTimeUse: offer.one_time_use ?? false,
    newCustomerOnly: offer.new_customer_only ?? false,
    newCustomerDays: offer.new_customer_days ?? DEFAULTS.new_customer_days,
    conditions: conditionsOf(offer, minor),
    minSpend: minor('min_spend', offer.min_spend),
    maxSpend: minor('max_spend', offer.max_spend),
    denominations: (offer.denominations ?? []).map((one) => minor('denominations', one) ?? '0'),
    startDate: offer.start_date,
    endDate: offer.end_date,
    termsAndConditions: offer.terms_and_conditions || undefined,
  }
}

/** Stores only given conditions, so that a new condition changes no row without it. */
function conditionsOf(
  offer: OfferInFile,
  minor: (field: string, given: number | undefined) => string | undefined,
): ConditionsRow {
  const { user_limits: limits, budgets } = offer
  const asked: { [Name in keyof ConditionsRow]: ConditionsRow[Name] | undefined } = {
    days: offer.days_of_week,
    hours: offer.hours,
    lapsedCustomerOnly: offer.lapsed_customer_only,
    lapsedCustomerDays: offer.lapsed_customer_days,
    activationRequired: offer.activation_required,
    userLimits: limits?.map(({ period, uses, reward }) => ({
      period,
      uses: uses ?? null,
      reward: minor('user_limits', reward) ?? null,
    })),
    budgets: budgets?.map(({ period, amount }) => ({ period, amount: minor('budgets', amount) ?? '0' })),
    uniqueCodes: offer.unique_codes,
    localRadiusMetres: offer.local_radius_metres,
  }
  return Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined))
}

/** Rules between fields. */
function checkTogether(offer: OfferInFile, complain: Complaint): void {
  const { offer_type: type, min_spend, max_spend, start_date, end_date } = offer
  if (min_spend !== undefined && max_spend !== undefined && max_spend < min_spend) {
    complain('max_spend', 'must not be below min_spend')
  }
  if (start_date !== undefined && end_date !== undefined && end_date < start_date) {
    complain('end_date', 'must not be before start_date')
  }
  if (type !== 'AFFILIATE' && offer.tracking_url !== undefined) complain('tracking_url', 'is only for AFFILIATE offers')
  if (type !== 'GIFT_CARD' && (offer.denominations ?? []).length > 0)
    complain('denominations', 'is only for GIFT_CARD offers')
  if (type !== 'VOUCHER_CODE' && offer.voucher_code !== undefined)
    complain('voucher_code', 'is only for VOUCHER_CODE offers')
  if (type === 'VOUCHER_CODE' && offer.voucher_code === undefined && offer.unique_codes !== true)
    complain('voucher_code', 'is required for VOUCHER_CODE offers, or unique_codes')
  if (offer.unique_codes === true && (type !== 'VOUCHER_CODE' || offer.voucher_code !== undefined))
    complain('unique_codes', 'is only for VOUCHER_CODE offers without a voucher_code')
  if (offer.new_customer_only === true && offer.lapsed_customer_only === true)
    complain('lapsed_customer_only', 'cannot stand beside new_customer_only')
  // The first would hide the second, and which one was meant is unknown.
  if (hasTwice((offer.budgets ?? []).map(({ period }) => period))) complain('budgets', 'names a period twice')
  if (hasTwice((offer.user_limits ?? []).map(({ period }) => period))) complain('user_limits', 'names a period twice')
  if (hasTwice((offer.commission_groups ?? []).map(({ name }) => name)))
    complain('commission_groups', 'names two groups the same')
}

/** Values that mean nothing, or that no purchase can meet. */
function checkMeaning(offer: OfferInFile, { path, faults, complain }: Judged): void {
  const { location, store_addresses: stores = [], commission_groups: groups = [] } = offer
  const fault = location === undefined ? null : locationFault(location)
  if (fault !== null) complain('location', fault)
  for (const [index, store] of stores.entries()) {
    const message = 'needs a store number, an address, a zip code or both coordinates'
    if (!isPlaced(store)) faults.push({ path: [...path, 'store_addresses', index], message })
  }
  const isForLapsed = offer.lapsed_customer_only === true || groups.some(({ customer }) => customer === 'lapsed')
  // The default may be written out.
  const { lapsed_customer_days: days = DEFAULTS.lapsed_customer_days } = offer
  if (days !== DEFAULTS.lapsed_customer_days && !isForLapsed)
    complain('lapsed_customer_days', 'is only for offers with lapsed_customer_only, or groups for lapsed customers')
  if (offer.local_radius_metres !== undefined && stores.length === 0 && location === undefined)
    complain('local_radius_metres', 'is only for offers with store_addresses or a location')
}

function isPlaced(store: StoreInFile): boolean {
  const { store_number, zip_code, latitude, longitude, complete_address } = store
  if (store_number !== undefined || zip_code !== undefined || complete_address !== undefined) return true
  if (latitude !== undefined && longitude !== undefined) return true
  // A country alone is no address.
  return addressLine({ ...store, country: undefined }) !== null
}

function hasTwice(names: readonly string[]): boolean {
  return new Set(names).size < names.length
}

/** The target of an affiliate offer's links: its template, else the brand's website. */
function programOf(offer: OfferInFile, brand: BrandInFile, complain: Complaint): string | null {
  if (offer.offer_type !== 'AFFILIATE') return null
  const addressTemplate = offer.tracking_url ?? websiteAddress(brand.website)
  if (addressTemplate === null) return complain('tracking_url', 'is required for AFFILIATE offers')
  const fault = templateFault(addressTemplate)
  if (fault !== null) return complain('tracking_url', fault)
  const program: Omit<Program, 'offerUid'> = {
    network: offer.network ?? DEFAULTS.network,
    addressTemplate,
    currency: offer.currency ?? DEFAULTS.currency,
    firstDay: offer.start_date ?? null,
    lastDay: offer.end_date ?? null,
  }
  return JSON.stringify(program)
}

function storeOf(store: StoreInFile): Store {
  const number = (given: number | string | undefined): number | null => (given === undefined ? null : Number(given))
  const state = store.state?.toUpperCase()
  return {
    locationName: store.location_name ?? null,
    storeNumber: store.store_number ?? null,
    streetAddress1: store.street_address1 ?? null,
    streetAddress2: store.street_address2 ?? null,
    city: store.city ?? null,
    state: state ?? null,
    zipCode: store.zip_code ?? null,
    latitude: number(store.latitude),
    longitude: number(store.longitude),
    phone: store.phone?.replaceAll(/\D/g, '').slice(-10) ?? null,
    completeAddress: store.complete_address ?? addressLine({ ...store, state }),
    country: store.country ?? null,
  }
}
