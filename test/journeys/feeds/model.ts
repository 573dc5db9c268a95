/**
 * The actual purchases of a user, without ids, feeds or events. The final reward of each purchase follows from its
 * last state alone; that is the whole model.
 */
export type Bought = {
  readonly merchant: string
  /** Whether people tip there. */
  readonly isRestaurant: boolean
  cents: number
  refundedCents: number
  /** What the bank said before it changed the amount. */
  formerCents: number
  /** held: the bank dropped the hold and has not posted the purchase yet. */
  state: 'pending' | 'held' | 'posted' | 'gone'
  /** A hold that was never posted in all the time that a bank may take. */
  hasLapsed: boolean
  /** The id under which the simulator last knew a row that it shows no more; null once even the bank forgot it. */
  lastId: string | null
}

/** Every offer of the catalog below pays this rate, without bounds, so that rewards depend on nothing else. */
const PERCENT = 5n

const MERCHANTS = [
  ...['Alder Goods', 'Birch Supply', 'Cedar Market', 'Dogwood Outfitters', 'Elm Street Books', 'Fir Hardware'],
  ...['Ginkgo Grill', 'Hazel Diner', 'Ivy Kitchen', 'Juniper Tavern'],
]
const RESTAURANTS = new Set(['Ginkgo Grill', 'Hazel Diner', 'Ivy Kitchen', 'Juniper Tavern'])

export const FEED_CATALOG = {
  categories: [{ category_id: 1, category: 'ANYTHING' }],
  brands: MERCHANTS.map((name, index) => ({
    brand_uid: `brand-${index}`,
    category_id: 1,
    name,
    website: `https://${name.toLowerCase().replaceAll(' ', '')}.example`,
    offers: [
      {
        offer_uid: `offer-${index}`,
        name: `${PERCENT} % back`,
        description: `${PERCENT} % back`,
        offer_type: 'CARD_LINKED',
        reward_type: 'CASHBACK_PERCENTAGE',
        commission: { rate: Number(PERCENT) },
        refund_period_days: 30,
        terms_and_conditions: 'Sample.',
      },
    ],
  })),
}

/** A merchant where this user has not bought yet, because two purchases at one could not be distinguished. */
export function nextMerchant(
  bought: readonly Bought[],
  pick: number,
): Pick<Bought, 'merchant' | 'isRestaurant'> | null {
  const left = MERCHANTS.filter((name) => !bought.some(({ merchant }) => merchant === name))
  const merchant = left[pick % Math.max(1, left.length)]
  return merchant === undefined ? null : { merchant, isRestaurant: RESTAURANTS.has(merchant) }
}

/** In cents, once every hold has lapsed and every refund period is over. */
export function earnedCents(bought: readonly Bought[]): bigint {
  return sumOf(bought.filter(({ state }) => state === 'posted'))
}

/**
 * In cents, before the clock moves: holds count as well, and a row that a bank removed may still count, because it may
 * come back. Nothing counts twice.
 */
export function shownCents(bought: readonly Bought[]): { readonly least: bigint; readonly most: bigint } {
  const stands = bought.filter(({ state, hasLapsed }) => state === 'posted' || (state === 'pending' && !hasLapsed))
  const least = sumOf(stands)
  // A purchase whose amount and id change together counts as another purchase until the former one has waited long
  // enough; while there are two, either may be the one that is refunded.
  const changed = bought.filter(({ formerCents }) => formerCents > 0)
  const former = sumOf(changed.map((one) => ({ cents: one.formerCents + one.refundedCents, refundedCents: 0 })))
  return { least, most: least + former + sumOf(bought.filter((one) => !stands.includes(one))) }
}

function sumOf(bought: readonly Pick<Bought, 'cents' | 'refundedCents'>[]): bigint {
  return bought.reduce((sum, one) => sum + (BigInt(one.cents - one.refundedCents) * PERCENT) / 100n, 0n)
}
