import fc from 'fast-check'
import { handOutCode, importCodes } from '../../src/catalog/allowances/index.ts'
import type { CommissionGroup, Offer, OfferConditions } from '../../src/catalog/catalog/index.ts'
import { noConditions } from '../../src/catalog/catalog/offer.ts'
import { HOUR_MS } from '../../src/platform/calendar.ts'
import type { Database } from '../../src/platform/db/database.ts'
import type { UserId } from '../../src/platform/ids.ts'
import type { SourceEventInput } from '../../src/purchases/transactions/index.ts'
import type { Publisher } from '../../src/tenants/publishers/index.ts'
import { group, offerBase, START, type World } from './reward-world.ts'

// Random histories of a user at a brand with several limited offers. The user buys by card (some purchases also appear
// in the linked card's feed, or appear only there), by link and by voucher code. Refunds, reversals, declines, further
// holds and clearings, and corrections of any earlier event follow.

const SOURCES = ['CARD', 'CARD', 'CARD', 'FEED', 'AFFILIATE', 'NETWORK', 'VOUCHER'] as const
const SOURCE_OF = {
  CARD: 'CARD',
  FEED: 'CARD',
  AFFILIATE: 'AFFILIATE',
  NETWORK: 'AFFILIATE',
  VOUCHER: 'VOUCHER',
} as const
const FOLLOWING = ['REFUND', 'REVERSAL', 'AMENDMENT', 'CLEARING', 'DECLINE', 'AUTHORIZATION'] as const
const FOLLOWING_MAX = 4
const PURCHASES_MAX = 6
const EVENTS_MAX = PURCHASES_MAX * (FOLLOWING_MAX + 1)
const DAY_HOURS = 24

type Purchase = {
  readonly source: (typeof SOURCES)[number]
  readonly amount: number
  readonly hours: number
  readonly isHeld: boolean
  /** True if the purchase is reported with a date but no time. */
  readonly dateOnly: boolean
  readonly order: string | null
  /** The index of the user's voucher code that the purchase references; null if it references none. */
  readonly code: number | null
  /** `of` selects the earlier event of the purchase that this one refers to. */
  readonly next: readonly { readonly kind: SourceEventInput['kind']; readonly amount: number; readonly of: number }[]
}

const amount = fc.constantFrom(1_000, 4_000, 9_400, 10_000, 12_000, 20_000)
const purchase: fc.Arbitrary<Purchase> = fc.record({
  source: fc.constantFrom(...SOURCES),
  amount,
  // Few enough hours that some purchases share an instant.
  hours: fc.integer({ min: 1, max: 60 }),
  isHeld: fc.boolean(),
  dateOnly: fc.boolean(),
  order: fc.constantFrom(null, null, null, '1', '2'),
  code: fc.option(fc.integer({ min: 0, max: 1 }), { freq: 2 }),
  next: fc.array(fc.record({ kind: fc.constantFrom(...FOLLOWING), amount, of: fc.nat() }), {
    maxLength: FOLLOWING_MAX,
  }),
})

type OfferDraft = Partial<Omit<Offer, 'conditions'>> & { readonly conditions?: Partial<OfferConditions> }
export const paying = (ratePpm: number, customer: CommissionGroup['customer'] = null): CommissionGroup => ({
  ...group(ratePpm, null),
  customer,
})
const OFFERS: readonly OfferDraft[] = [
  { oneTimeUse: true, groups: [paying(100_000)] },
  { newCustomerOnly: true, newCustomerDays: 1, groups: [paying(90_000)] },
  { conditions: { userLimits: [{ period: 'DAY', uses: 1, reward: null }] }, groups: [paying(80_000)] },
  { conditions: { userLimits: [{ period: 'LIFETIME', uses: null, reward: 900n }] }, groups: [paying(70_000)] },
  { groups: [paying(60_000, 'new'), paying(20_000, 'returning')] },
  { minSpend: 9_400n, groups: [paying(50_000)] },
  { conditions: { lapsedCustomerOnly: true, lapsedCustomerDays: 1 }, groups: [paying(95_000)] },
  { offerType: 'AFFILIATE', groups: [paying(40_000)] },
  { offerType: 'AFFILIATE', oneTimeUse: true, groups: [paying(110_000)] },
  { offerType: 'VOUCHER_CODE', conditions: { uniqueCodes: true }, groups: [paying(120_000)] },
]

/** `orders` contains the sort keys for two arrival orders besides the chronological one. */
export const mixedHistory = fc.record({
  purchases: fc.array(purchase, { minLength: 2, maxLength: PURCHASES_MAX }),
  offers: fc.subarray([...OFFERS], { minLength: 1, maxLength: 5 }),
  policy: fc.constantFrom('AFFILIATE' as const, 'CARD' as const, 'BOTH' as const),
  orders: fc.array(fc.array(fc.nat(), { minLength: EVENTS_MAX, maxLength: EVENTS_MAX }), {
    minLength: 2,
    maxLength: 2,
  }),
  batch: fc.integer({ min: 1, max: 5 }),
})

let brands = 0

/** Returns the offers of a new brand. */
export function makeOffers(drafts: readonly OfferDraft[]): Offer[] {
  const brandUid = `brand_${brands++}`
  return drafts.map(({ conditions, ...more }, ordinal) => ({
    ...offerBase,
    offerUid: `${brandUid}_${ordinal}`,
    brandUid,
    rewardType: 'CASHBACK_PERCENTAGE',
    refundPeriodDays: 30,
    ordinal,
    conditions: { ...noConditions, ...conditions },
    ...more,
  }))
}

type MakeEvent = (userId: UserId, codes: readonly string[]) => SourceEventInput

/** Returns the events in the order they happened, one purchase after another. */
export function buildEvents(purchases: readonly Purchase[], brandUid: string): MakeEvent[] {
  return purchases.flatMap((one, index) => {
    const { source, order, code } = one
    const event =
      (kind: SourceEventInput['kind'], nth: number, minor: number, of: number): MakeEvent =>
      (userId, codes) => ({
        userId,
        source: SOURCE_OF[source],
        isFeed: source === 'FEED',
        kind,
        currency: 'USD',
        dateOnly: one.dateOnly && nth === 0,
        amount: BigInt(minor),
        externalId: toName(userId, index, nth),
        originalExternalId: nth === 0 ? null : toName(userId, index, of % nth),
        occurredAt: occurredAt(one, nth),
        facts: {
          brandUid,
          ...(order === null ? {} : { orderId: order }),
          ...(source === 'NETWORK' ? { isFromClick: true as const } : {}),
          ...(code === null || codes[code] === undefined ? {} : { voucherCode: codes[code] }),
        },
      })
    return [
      event(one.isHeld ? 'AUTHORIZATION' : 'CLEARING', 0, one.amount, 0),
      ...one.next.map(({ kind, amount: minor, of }, nth) => event(kind, nth + 1, minor, of)),
    ]
  })
}

const toName = (userId: UserId, index: number, nth: number): string => `${userId} ${index}${nth === 0 ? '' : ` ${nth}`}`

/** A purchase with only a date is reported at the start of a day, and its later events at least eight hours later. */
function occurredAt({ dateOnly, hours }: Purchase, nth: number): Date {
  const day = Math.floor(hours / DAY_HOURS)
  const after = dateOnly ? (nth === 0 ? 16 + DAY_HOURS * day : hours + DAY_HOURS + nth / 2) : hours + nth / 2
  return new Date(START.getTime() + after * HOUR_MS)
}

/** Creates a user with a code from the code pool of each offer that has one. */
export async function openUser(db: Database, world: World, publisher: Publisher, offers: readonly Offer[]) {
  const { userId, name } = await world.user(publisher)
  const codes: string[] = []
  const assortment = await world.catalog.getAssortment(publisher)
  for (const { offerUid } of offers.filter(({ conditions }) => conditions.uniqueCodes)) {
    const given = [`${name}-ONE`, `${name}-TWO`].map((code) => ({ code, expiresOn: null }))
    const pool = { offerUid, environment: publisher.environment }
    await db.transaction((tx) => importCodes(tx, world.vault, pool, given, START))
    await db.transaction(async (tx) => {
      const named = { publisherUserId: name, offerUid }
      codes.push((await handOutCode(tx, { assortment, vault: world.vault }, publisher, named, START)).code)
    })
  }
  return { userId, codes }
}

export function shuffled<T>(all: readonly T[], keys: readonly number[]): T[] {
  return all
    .map((one, index) => ({ one, key: keys[index] ?? 0 }))
    .sort((a, b) => a.key - b.key)
    .map(({ one }) => one)
}
