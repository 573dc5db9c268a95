/**
 * A user's real purchase, without IDs, feeds or events. The final reward depends only on the purchase's last state, so
 * the model needs nothing else.
 */
export type Bought = {
  readonly merchant: string
  /** True if customers tip here. */
  readonly isRestaurant: boolean
  cents: number
  refundedCents: number
  /** The sum of the purchase's amounts before each change by the bank; 0 if the bank never changed it. */
  formerCents: number
  /** `held`: the bank dropped the hold and has not posted the purchase yet. */
  state: 'pending' | 'held' | 'posted' | 'gone'
  /** True for a hold that was not posted within the time a bank may take. */
  hasLapsed: boolean
  /** The simulator's last ID for a row it no longer returns; null once even the bank has forgotten the row. */
  lastId: string | null
}

/** Every offer in the catalog below pays this rate without limits, so rewards depend on nothing else. */
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
        name: `${PERCENT}% back`,
        description: `${PERCENT}% back`,
        offer_type: 'CARD_LINKED',
        reward_type: 'CASHBACK_PERCENTAGE',
        commission: { rate: Number(PERCENT) },
        refund_period_days: 30,
        terms_and_conditions: 'Sample.',
      },
    ],
  })),
}

/**
 * Returns a merchant where this user has not bought yet, because two purchases at one merchant are indistinguishable.
 * Null if none is left.
 */
export function nextMerchant(
  bought: readonly Bought[],
  pick: number,
): Pick<Bought, 'merchant' | 'isRestaurant'> | null {
  const left = MERCHANTS.filter((name) => !bought.some(({ merchant }) => merchant === name))
  const merchant = left[pick % Math.max(1, left.length)]
  return merchant === undefined ? null : { merchant, isRestaurant: RESTAURANTS.has(merchant) }
}

/** Returns the total reward in cents once every hold has lapsed and every refund period has ended. */
export function earnedCents(bought: readonly Bought[]): bigint {
  return addUp(bought.filter(({ state }) => state === 'posted'))
}

/**
 * Returns bounds on the total reward, in cents, before the clock advances. Holds count too, and a row that the bank
 * removed may still count, because the bank may restore it. Nothing counts twice.
 */
export function shownCents(bought: readonly Bought[]): { readonly least: bigint; readonly most: bigint } {
  const stands = bought.filter(({ state, hasLapsed }) => state === 'posted' || (state === 'pending' && !hasLapsed))
  const least = addUp(stands)
  // A purchase whose amount and ID change at the same time counts as a second purchase until the old one has waited
  // long enough. While both exist, a refund may be applied to either.
  const changed = bought.filter(({ formerCents }) => formerCents > 0)
  const former = addUp(changed.map((one) => ({ cents: one.formerCents + one.refundedCents, refundedCents: 0 })))
  return { least, most: least + former + addUp(bought.filter((one) => !stands.includes(one))) }
}

function addUp(bought: readonly Pick<Bought, 'cents' | 'refundedCents'>[]): bigint {
  return bought.reduce((sum, one) => sum + (BigInt(one.cents - one.refundedCents) * PERCENT) / 100n, 0n)
}
