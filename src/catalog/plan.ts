import { createHash } from 'node:crypto'
import { type Program, templateFault } from '../affiliate/index.ts'
import { derivedUuid, encodeId } from '../platform/ids.ts'
import { toMinor } from '../platform/money.ts'
import type { Brand, CatalogOffer, Category } from './catalog.ts'
import { groupsOf, isPercentage } from './commission.ts'
import type { BrandInFile, CatalogFile, Fault, OfferInFile, Path, StoreInFile } from './file.ts'
import type { Store } from './offer.ts'
import type { ConditionsRow, GroupRow, KnownBrand, KnownOffer } from './queries.ts'

export type PlannedBrand = Omit<Brand, 'ordinal'> & { readonly sha256: string; readonly position: number }
export type PlannedOffer = Omit<
  CatalogOffer,
  'ordinal' | 'version' | 'groups' | 'stores' | 'minSpend' | 'maxSpend' | 'denominations' | 'conditions'
> & {
  readonly conditions: ConditionsRow
  readonly groups: readonly GroupRow[]
  readonly minSpend: string | null
  readonly maxSpend: string | null
  readonly denominations: readonly string[]
  readonly stores: readonly Store[]
  readonly program: Program | null
  readonly sha256: string
  readonly position: number
}
export type Plan = {
  readonly categories: readonly Category[]
  readonly brands: readonly PlannedBrand[]
  readonly offers: readonly PlannedOffer[]
}
/** What stands in the catalog already, as far as the file can refer to it. */
export type Known = {
  readonly categories: readonly Category[]
  readonly brands: readonly KnownBrand[]
  readonly offers: readonly KnownOffer[]
}

// Long enough for returns at most shops, for files that do not say.
const REFUND_PERIOD_DAYS = 30
const NEW_CUSTOMER_DAYS = 365
const NETWORK = 'default'

/** What a file, right in shape, says: rows with their ids, or what is wrong with it. Pure. */
export function planImport(
  file: CatalogFile,
  known: Known,
): { readonly plan: Plan; readonly faults: readonly Fault[] } {
  const faults: Fault[] = []
  const categories = categoriesOf(file, known, faults)
  const uidOfBrand = brandNaming(known)
  const uidOfOffer = offerNaming(known)
  const seen = new Set<string>()
  const brands: PlannedBrand[] = []
  const offers: PlannedOffer[] = []
  const once = (uid: string, path: Path): void => {
    if (seen.has(uid)) faults.push({ path, message: `stands in the file twice (${uid})` })
    seen.add(uid)
  }
  for (const [index, brand] of (file.brands ?? []).entries()) {
    const path: Path = ['brands', index]
    const brandUid = uidOfBrand(brand)
    once(brandUid, path)
    checkCategory(brand, categories, path, faults)
    brands.push(withHash({ ...brandOf(brand, brandUid), position: index }))
    for (const [position, offer] of (brand.offers ?? []).entries()) {
      const offerPath: Path = [...path, 'offers', position]
      const offerUid = uidOfOffer(brandUid, offer.name ?? brand.name, offer, offerPath, faults)
      once(offerUid, offerPath)
      const planned = offerOf(
        bounded(offer, brand),
        { offerUid, brandUid, brand, position: offers.length },
        offerPath,
        faults,
      )
      offers.push(withHash(planned))
    }
  }
  const named = [...categories].map(([categoryId, category]) => ({ categoryId, category }))
  return { plan: { categories: named, brands, offers }, faults }
}

/** All categories after the import: those that are there, those of the file, and those that a brand names itself. */
function categoriesOf(file: CatalogFile, known: Known, faults: Fault[]): Map<number, string> {
  const categories = new Map(known.categories.map(({ categoryId, category }) => [categoryId, category]))
  const listed = new Set<number>()
  for (const [index, { category_id, category }] of (file.categories ?? []).entries()) {
    const id = Number(category_id)
    if (listed.has(id)) faults.push({ path: ['categories', index], message: `stands in the file twice (${id})` })
    listed.add(id)
    categories.set(id, category)
  }
  for (const { category_id, category } of file.brands ?? []) {
    if (category !== undefined && !categories.has(Number(category_id))) categories.set(Number(category_id), category)
  }
  return categories
}

function checkCategory(brand: BrandInFile, categories: ReadonlyMap<number, string>, path: Path, faults: Fault[]): void {
  const category = categories.get(Number(brand.category_id))
  if (category === undefined) {
    faults.push({ path: [...path, 'category_id'], message: `names no category (${brand.category_id})` })
  } else if (brand.category !== undefined && brand.category !== category) {
    faults.push({
      path: [...path, 'category'],
      message: `is not the name of category ${brand.category_id} (${category})`,
    })
  }
}

/** A brand without a uid is the one with its name and website; a new one gets a uid that follows from the two. */
function brandNaming(known: Known): (brand: BrandInFile) => string {
  const key = (name: string, website: string | null | undefined): string =>
    JSON.stringify([name.toLowerCase(), website?.toLowerCase() ?? null])
  // Of two with one name and website the older one is meant: it comes first, and is set last.
  const byName = new Map(known.brands.toReversed().map((brand) => [key(brand.name, brand.website), brand.brandUid]))
  return (brand) =>
    brand.brand_uid ??
    byName.get(key(brand.name, brand.website)) ??
    encodeId('brd', derivedUuid('brand', key(brand.name, brand.website)))
}

/** An offer without a uid is the one of its brand with its name and type. */
function offerNaming(known: Known) {
  const key = (brandUid: string, name: string, type: string): string =>
    JSON.stringify([brandUid, name.toLowerCase(), type])
  const byName = new Map(
    known.offers.toReversed().map((offer) => [key(offer.brandUid, offer.name, offer.offerType), offer.offerUid]),
  )
  const brandOfOffer = new Map(known.offers.map((offer) => [offer.offerUid, offer.brandUid]))
  return (brandUid: string, name: string, offer: OfferInFile, path: Path, faults: Fault[]): string => {
    const own = key(brandUid, name, offer.offer_type)
    const uid = offer.offer_uid ?? byName.get(own) ?? encodeId('off', derivedUuid('offer', own))
    const owner = brandOfOffer.get(uid)
    if (owner !== undefined && owner !== brandUid) {
      faults.push({ path: [...path, 'offer_uid'], message: `belongs to another brand (${owner})` })
    }
    return uid
  }
}

/** A brand's max_customer_offer bounds those of its offers that are measured in the same unit. */
function bounded(offer: OfferInFile, brand: BrandInFile): OfferInFile {
  const { max_customer_offer: bound, reward_type: rewardType } = brand
  if (bound === undefined || offer.max_customer_offer !== undefined) return offer
  const sameUnit = rewardType === undefined || isPercentage(rewardType) === isPercentage(offer.reward_type)
  return sameUnit ? { ...offer, max_customer_offer: bound } : offer
}

function brandOf(brand: BrandInFile, brandUid: string): Omit<PlannedBrand, 'sha256' | 'position'> {
  return {
    brandUid,
    categoryId: Number(brand.category_id),
    name: brand.name,
    website: brand.website ?? null,
    aliases: brand.aliases ?? [],
    domains: [...new Set([...(brand.website === undefined ? [] : [brand.website]), ...(brand.domains ?? [])])],
    merchantIds: brand.merchant_ids ?? [],
    mccs: brand.mccs ?? [],
    countries: (brand.countries ?? []).map((code) => code.toLowerCase()),
    description: brand.description ?? null,
    logoImgUrl: brand.logo_img_url ?? null,
    largeImgUrl: brand.large_img_url ?? null,
    smallImgUrl: brand.small_img_url ?? null,
    offerDescription: brand.offer_description ?? null,
    rewardType: brand.reward_type ?? null,
    globalTerms: brand.global_terms_and_conditions ?? null,
    retired: brand.retired ?? false,
  }
}

type Owner = {
  readonly offerUid: string
  readonly brandUid: string
  readonly brand: BrandInFile
  readonly position: number
}

function offerOf(offer: OfferInFile, owner: Owner, path: Path, faults: Fault[]): Omit<PlannedOffer, 'sha256'> {
  const currency = offer.currency ?? 'USD'
  const complain = (field: string, message: string): null => {
    faults.push({ path: [...path, field], message })
    return null
  }
  const minor = (field: string, given: number | undefined): string | null => {
    const read = given === undefined ? null : toMinor(given, currency)
    if (given !== undefined && read === null) complain(field, `must have no more decimals than ${currency}`)
    return read === null ? null : String(read)
  }
  const commission = groupsOf(offer, currency, path)
  faults.push(...commission.faults)
  checkTogether(offer, complain)
  const retired = (offer.retired ?? false) || (owner.brand.retired ?? false)
  return {
    offerUid: owner.offerUid,
    brandUid: owner.brandUid,
    position: owner.position,
    offerType: offer.offer_type,
    rewardType: offer.reward_type,
    currency,
    name: offer.name ?? owner.brand.name,
    description: offer.description ?? null,
    formattedDescription: offer.formatted_description ?? null,
    bannerUrl: offer.banner_url ?? null,
    groups: commission.groups,
    refundPeriodDays: offer.refund_period_days ?? REFUND_PERIOD_DAYS,
    voucherCode: offer.voucher_code ?? null,
    location: offer.location ?? null,
    channels: offer.channels ?? null,
    oneTimeUse: offer.one_time_use ?? false,
    newCustomerOnly: offer.new_customer_only ?? false,
    newCustomerDays: offer.new_customer_days ?? NEW_CUSTOMER_DAYS,
    conditions: conditionsOf(offer, minor),
    minSpend: minor('min_spend', offer.min_spend),
    maxSpend: minor('max_spend', offer.max_spend),
    denominations: (offer.denominations ?? []).map((one) => minor('denominations', one) ?? '0'),
    startDate: offer.start_date ?? null,
    endDate: offer.end_date ?? null,
    termsAndConditions: offer.terms_and_conditions ?? null,
    stores: (offer.store_addresses ?? []).map(storeOf),
    retired,
    program: retired ? null : programOf(offer, owner, currency, complain),
  }
}

/** Only what is asked is kept, so that a member that came later changes no row that does not use it. */
function conditionsOf(
  offer: OfferInFile,
  minor: (field: string, given: number | undefined) => string | null,
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
      reward: minor('user_limits', reward),
    })),
    budgets: budgets?.map(({ period, amount }) => ({ period, amount: minor('budgets', amount) ?? '0' })),
    uniqueCodes: offer.unique_codes,
    localRadiusMetres: offer.local_radius_metres,
  }
  return Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined))
}

/** What fields say about each other. */
function checkTogether(offer: OfferInFile, complain: (field: string, message: string) => null): void {
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
}

/** Where an affiliate offer's links lead: its template, or else the brand's website. */
function programOf(
  offer: OfferInFile,
  { offerUid, brand }: Owner,
  currency: string,
  complain: (field: string, message: string) => null,
): Program | null {
  if (offer.offer_type !== 'AFFILIATE') return null
  const addressTemplate = offer.tracking_url ?? websiteAddress(brand.website)
  if (addressTemplate === null) return complain('tracking_url', 'is required for AFFILIATE offers')
  const fault = templateFault(addressTemplate)
  if (fault !== null) return complain('tracking_url', fault)
  const network = offer.network ?? NETWORK
  return {
    offerUid,
    network,
    addressTemplate,
    currency,
    firstDay: offer.start_date ?? null,
    lastDay: offer.end_date ?? null,
  }
}

function websiteAddress(website: string | undefined): string | null {
  return website === undefined ? null : `https://${website.replace(/^https?:\/\//i, '')}`
}

function storeOf(store: StoreInFile): Store {
  const number = (given: number | string | undefined): number | null => (given === undefined ? null : Number(given))
  const parts = [store.street_address1, store.street_address2, store.city, placeOf(store), store.country]
  const told = parts.filter((part) => part !== undefined && part !== '')
  return {
    locationName: store.location_name ?? null,
    storeNumber: store.store_number ?? null,
    streetAddress1: store.street_address1 ?? null,
    streetAddress2: store.street_address2 ?? null,
    city: store.city ?? null,
    state: store.state?.toUpperCase() ?? null,
    zipCode: store.zip_code ?? null,
    latitude: number(store.latitude),
    longitude: number(store.longitude),
    phone: store.phone?.replaceAll(/\D/g, '').slice(-10) ?? null,
    completeAddress: store.complete_address ?? (told.length === 0 ? null : told.join(', ')),
    country: store.country ?? null,
  }
}

function placeOf(store: StoreInFile): string {
  return [store.state?.toUpperCase(), store.zip_code].filter((part) => part !== undefined).join(' ')
}

/** The position is no content: moving a row within a file changes nothing. */
function withHash<T extends { readonly position: number }>(row: T): T & { readonly sha256: string } {
  const { position: _, ...content } = row
  return { ...row, sha256: createHash('sha256').update(JSON.stringify(content)).digest('hex') }
}
