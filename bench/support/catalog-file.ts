import { buildBrandName } from './catalog.ts'

const CATEGORIES = 20
const TYPES = ['CARD_LINKED', 'AFFILIATE', 'GIFT_CARD', 'VOUCHER_CODE', 'CARD_LINKED'] as const
// One in this many offers has stores.
const STORES_EVERY = 20

/**
 * Yields the lines of a catalog file like those of a real feed: with descriptions, the feed's own ids, five offers per
 * brand, and stores for some of them.
 */
export function* yieldCatalogLines(brands: number): Generator<string> {
  for (let id = 1; id <= CATEGORIES; id++) yield `${JSON.stringify({ category_id: id, category: `CATEGORY ${id}` })}\n`
  for (let number = 0; number < brands; number++) yield `${JSON.stringify(buildBrand(number))}\n`
}

function buildBrand(number: number): object {
  const name = `${buildBrandName(number)} ${number}`
  return {
    brand_uid: `brand-${number}`,
    category_id: (number % CATEGORIES) + 1,
    name,
    website: `https://www.brand${number}.example`,
    aliases: [`${name} Online`, `${name} Outlet`],
    mccs: ['5999'],
    description: `${name} sells what people need, in town and on the web, since longer than anyone remembers.`,
    offers: TYPES.map((type, nth) => buildOffer(number, nth, type, name)),
  }
}

function buildOffer(number: number, nth: number, type: (typeof TYPES)[number], name: string): object {
  const rate = 1 + ((number + nth) % 12) / 2
  return {
    offer_uid: `offer-${number}-${nth}`,
    name: `${rate}% back at ${name}, ${nth}`,
    description: `Pay at ${name} as you always do and get ${rate}% of the purchase back.`,
    formatted_description: `Earn ${rate}% cashback`,
    offer_type: type,
    reward_type: 'CASHBACK_PERCENTAGE',
    commission: { rate },
    refund_period_days: 14,
    ...(type === 'AFFILIATE' ? { tracking_url: `https://www.brand${number}.example/?from=laurel&sub={sub_id}` } : {}),
    ...(type === 'VOUCHER_CODE' ? { voucher_code: `SAVE${number}` } : {}),
    ...(type === 'GIFT_CARD' ? { denominations: [25, 50, 100] } : {}),
    ...(number % 2 === 0 ? { min_spend: 10, max_spend: 200 } : {}),
    start_date: '2026-01-01',
    ...((number * TYPES.length + nth) % STORES_EVERY === 0 ? { store_addresses: [1, 2].map(buildStore) } : {}),
    terms_and_conditions: 'Taxes, tips and shipping do not count. Not to be combined with other offers of the brand.',
  }
}

function buildStore(nth: number): object {
  return {
    location_name: `Store ${nth}`,
    store_number: String(nth),
    street_address1: `${nth} Main Street`,
    city: 'Springfield',
    state: 'NY',
    zip_code: '10001',
    latitude: 40.7 + nth / 100,
    longitude: -74,
  }
}
