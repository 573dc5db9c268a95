import { importCatalog } from '../../src/catalog/catalog/index.ts'
import type { Database } from '../../src/platform/db/database.ts'

export const BRANDS = 2_000

const SYLLABLES = [
  'bar',
  'cel',
  'dor',
  'fen',
  'gal',
  'hol',
  'jun',
  'kes',
  'lom',
  'mir',
  'nor',
  'pel',
  'quil',
  'ros',
  'sed',
  'tam',
  'vel',
  'wim',
  'yar',
  'zon',
]
const ENDINGS = ['a', 'o', 'ia', 'ex', 'on']
const TRADES = ['Market', 'Outfitters', 'Kitchen', 'Electronics', 'Travel', 'Garden', 'Books', 'Pharmacy']

/** Returns a name that no other name starts with, so that each brand is matched unambiguously. */
export function buildBrandName(number: number): string {
  const syllable = (place: number): string =>
    SYLLABLES[Math.floor(number / SYLLABLES.length ** place) % SYLLABLES.length] ?? ''
  const word = syllable(0) + syllable(1) + (ENDINGS[Math.floor(number / SYLLABLES.length ** 2) % ENDINGS.length] ?? '')
  return `${word[0]?.toUpperCase()}${word.slice(1)} ${TRADES[number % TRADES.length]}`
}

export function buildBrandSite(number: number): string {
  return `${buildBrandName(number).toLowerCase().replace(' ', '')}.example`
}

/** Imports 2,000 brands with one to three offers each. */
export async function fillCatalog(db: Database): Promise<void> {
  const file = {
    categories: TRADES.map((trade, index) => ({ category_id: index + 1, category: trade.toUpperCase() })),
    brands: Array.from({ length: BRANDS }, (_, number) => buildBrand(number)),
  }
  await importCatalog(db, { format: 'json', text: JSON.stringify(file) })
}

function buildBrand(number: number): object {
  const name = buildBrandName(number)
  return {
    brand_uid: `brand-${number}`,
    category_id: (number % TRADES.length) + 1,
    name,
    website: `https://www.${buildBrandSite(number)}`,
    aliases: [`${name} Online`, `${name} Outlet`],
    description: `${name} sells what people need, in town and on the web, since longer than anyone remembers.`,
    offers: [
      cardOffer(number, name),
      ...(number % 3 === 0 ? [linkOffer(number, name)] : []),
      ...(number % 5 === 0 ? [giftOffer(number, name)] : []),
    ],
  }
}

/**
 * Builds a card offer. A tenth of the brands pay more for new customers, so deciding their purchases requires looking
 * up the user's earlier ones.
 */
function cardOffer(number: number, name: string): object {
  const rate = 2 + (number % 7)
  return {
    offer_uid: `card-${number}`,
    name: `${rate}% back at ${name}`,
    description: `Pay at ${name} with a linked card and get ${rate}% of the purchase back.`,
    formatted_description: `Earn ${rate}% cashback`,
    offer_type: 'CARD_LINKED',
    reward_type: 'CASHBACK_PERCENTAGE',
    ...(number % 10 === 0
      ? {
          commission_groups: [
            { name: 'New customers', rate: rate + 3, customer: 'new' },
            { name: 'Returning customers', rate, customer: 'returning' },
          ],
        }
      : { commission: { rate } }),
    refund_period_days: 30,
    ...(number % 2 === 0 ? { min_spend: 10, max_spend: 200 } : {}),
    terms_and_conditions: 'Taxes, tips and shipping do not count. Not to be combined with other offers of the brand.',
  }
}

function linkOffer(number: number, name: string): object {
  return {
    offer_uid: `link-${number}`,
    name: `Shop ${name} online`,
    description: `Start at our link and earn 6% of the purchase at ${name}.`,
    formatted_description: 'Earn 6% cashback online',
    offer_type: 'AFFILIATE',
    reward_type: 'CASHBACK_PERCENTAGE',
    commission: { rate: 6 },
    refund_period_days: 45,
    tracking_url: `https://www.${buildBrandSite(number)}/?from=laurel&sub={sub_id}`,
    terms_and_conditions: 'The purchase must follow the click in the same browser.',
  }
}

function giftOffer(number: number, name: string): object {
  return {
    offer_uid: `gift-${number}`,
    name: `${name} gift card, 4% back`,
    description: `Buy a gift card of ${name} and get 4% back.`,
    formatted_description: 'Earn 4% on gift cards',
    offer_type: 'GIFT_CARD',
    reward_type: 'CASHBACK_PERCENTAGE',
    commission: { rate: 4 },
    refund_period_days: 7,
    denominations: [25, 50, 100],
    terms_and_conditions: 'Gift cards are not refunded.',
  }
}
