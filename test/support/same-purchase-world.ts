import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Offer } from '../../src/catalog/catalog/index.ts'
import { noConditions } from '../../src/catalog/catalog/offer.ts'
import { readWallets } from '../../src/ledger/index.ts'
import { DAY_MS, HOUR_MS } from '../../src/platform/calendar.ts'
import type { Database } from '../../src/platform/db/database.ts'
import { encodeId, type TransactionId, type UserId } from '../../src/platform/ids.ts'
import {
  evaluatePurchase,
  getDecision,
  listTransactionsById,
  type Rematch,
  type SourceEventInput,
} from '../../src/purchases/transactions/index.ts'
import { applyRematch, undoRematch } from '../../src/purchases/transactions/rematch/service.ts'
import type { Policy, ReportSource } from '../../src/purchases/transactions/same-purchase/reports.ts'
import { changeSettings, type Publisher } from '../../src/tenants/publishers/index.ts'
import { insertCard } from './feed-rows.ts'
import { group, offerBase, openWorld, START, type World } from './reward-world.ts'
import { sample } from './runs.ts'

/** A report of a new purchase, or of an event of an earlier one (`of`). */
export type Reported = {
  readonly id: string
  readonly source: ReportSource
  /** True if the report comes from the feed of a linked card. */
  readonly isFeed?: boolean
  /** True if a network reports a sale for a click. */
  readonly isFromClick?: boolean
  readonly kind: SourceEventInput['kind']
  readonly amount: bigint
  readonly of?: string
  readonly order?: string
  /** Hours since the first purchase. */
  readonly hours?: number
  /** True if only the day is known. */
  readonly dateOnly?: boolean
  readonly facts?: SourceEventInput['facts']
}
export type StackingWorld = Awaited<ReturnType<typeof openStackingWorld>>

// Users accept the terms before they buy.
const JOINED_HOURS = 4
export const later = (days: number): Date => new Date(START.getTime() + days * DAY_MS)

type More = { readonly card?: Partial<Offer>; readonly sale?: Partial<Offer> }
/** Each brand has a card offer of 10% and an affiliate offer of 5%. The user gets 70% of the reward. */
const BRANDS: Readonly<Record<string, More>> = {
  shop: {},
  picky: { sale: { minSpend: 20_000n } },
  welcome: { card: { newCustomerOnly: true }, sale: { newCustomerOnly: true } },
  once: { card: { oneTimeUse: true }, sale: { oneTimeUse: true } },
  online: { card: { channels: ['ONLINE'] } },
  scarce: { card: { conditions: { ...noConditions, budgets: [{ period: 'LIFETIME', amount: 1_000n }] } } },
}
const OFFERS: readonly Offer[] = Object.entries(BRANDS).flatMap(([brandUid, more], index) => {
  const base = { ...offerBase, brandUid, rewardType: 'CASHBACK_PERCENTAGE', refundPeriodDays: 30 } as const
  const [card, sale] = [group(100_000, null), group(50_000, null)]
  return [
    { ...base, offerUid: `${brandUid}-card`, groups: [card], ordinal: 2 * index, ...more.card },
    {
      ...base,
      offerUid: `${brandUid}-link`,
      offerType: 'AFFILIATE',
      groups: [sale],
      ordinal: 2 * index + 1,
      ...more.sale,
    } as const,
  ]
})

/** Sets up users at shops with card and affiliate offers. */
export async function openStackingWorld(db: Database) {
  const world = await openWorld(db, () => OFFERS)
  const deps = { db, vault: world.vault, catalog: { ...world.catalog, refresh: () => world.catalog.current() } }
  const setPolicy = (publisher: Publisher, stackingPolicy: Policy): Promise<Publisher> =>
    db.transaction((tx) => changeSettings(tx, publisher.id, { stackingPolicy }))
  return {
    deps,
    setPolicy,
    differences: (publisher: Publisher) => world.differences([publisher]),
    publisher: async (policy: Policy) => setPolicy(await world.publisher(), policy),

    rematch: (publisher: Publisher, now: Date) => {
      const filter = { brandUid: 'shop', template: null, since: null, until: null }
      return applyRematch(deps, publisher, { filter, by: 'Ana', reason: 'the policy', expected: null }, now)
    },
    undo: (publisher: Publisher, undone: Rematch, now: Date) =>
      undoRematch(deps, publisher, { undone, by: 'Ana' }, now),

    user: async (publisher: Publisher, brandUid = 'shop') => {
      const { userId } = await world.user(publisher)
      return createPerson({ db, world, deps }, publisher, userId, brandUid)
    },
  }
}

/** Returns the instant, or the start of its day if only the day is known. */
function toTime(hours: number, dateOnly: boolean): Date {
  const ms = START.getTime() + (JOINED_HOURS + hours) * HOUR_MS
  return new Date(dateOnly ? ms - (ms % DAY_MS) : ms)
}

type Place = { readonly db: Database; readonly world: World; readonly deps: Parameters<typeof evaluatePurchase>[1] }

/** Creates a publisher's user who buys at a brand. */
function createPerson({ db, world, deps }: Place, publisher: Publisher, userId: UserId, brandUid: string) {
  const uids = new Map<string, string>()
  const toEvent = ({
    id,
    source,
    kind,
    amount,
    of,
    order,
    hours,
    isFeed = false,
    isFromClick,
    dateOnly = false,
    facts = {},
  }: Reported): SourceEventInput => ({
    userId,
    source,
    kind,
    amount,
    dateOnly,
    externalId: `${userId} ${id}`,
    originalExternalId: of === undefined ? null : `${userId} ${of}`,
    currency: 'USD',
    occurredAt: toTime(hours ?? 0, dateOnly),
    isFeed,
    facts: {
      brandUid,
      ...facts,
      ...(order === undefined ? {} : { orderId: order }),
      ...(isFromClick === true ? { isFromClick } : {}),
    },
  })
  return {
    userId,
    toEvent,
    report: (reported: readonly Reported[], now: Date, as = publisher) => world.report(as, reported.map(toEvent), now),
    fallDue: (now: Date) => world.fallDue(publisher, now),
    evaluate: (reported: Reported, now: Date) => evaluatePurchase(db.reader, deps, publisher, toEvent(reported), now),

    /** Links a card whose account has had these IDs. */
    linkCard: (accountIds: readonly string[]) => db.transaction((tx) => insertCard(tx, publisher, userId, accountIds)),

    /** Returns the decision on each purchase, card purchases first. */
    decisions: async (now: Date) => {
      uids.clear()
      const ids = await db.reader<{ id: TransactionId; name: string }[]>`
        select transaction_id as id, split_part(external_id, ' ', 2) as name from transactions
        where user_id = ${userId} and adjusts is null
        order by source = 'AFFILIATE', name`
      for (const { id, name } of ids) uids.set(name, encodeId('txn', id))
      const rows = await listTransactionsById(
        db.reader,
        publisher.id,
        ids.map(({ id }) => id),
      )
      const ordered = ids.flatMap(({ id }) => rows.find(({ transactionId }) => transactionId === id) ?? [])
      return Promise.all(ordered.map((row) => getDecision(db.reader, publisher, row, now)))
    },
    uid: (name: string) => uids.get(name),

    balances: async () => {
      const found = (await readWallets(db.reader, publisher, [userId])).get(userId)?.get('USD')
      return { pending: found?.pending, available: found?.available, debt: found?.debt }
    },

    ...createSights(db, userId),
  }
}

/** Reads the stored state of a user's purchases, by name. */
function createSights(db: Database, userId: UserId) {
  return {
    /** Lists the pairs of purchases counted as one: both names, and the one stacked, if any. */
    pairs: async (): Promise<string[]> => {
      const rows = await db.reader<{ pair: string }[]>`
        select split_part(c.external_id, ' ', 2) || ' ' || split_part(a.external_id, ' ', 2) || ' ' || coalesce(p.stacked, '') as pair
        from purchase_pairs p
        join transactions c on c.user_id = p.user_id and c.transaction_id = p.card_id
        join transactions a on a.user_id = p.user_id and a.transaction_id = p.affiliate_id
        where p.user_id = ${userId}
        union all
        select split_part(r.external_id, ' ', 2) || ' ' || split_part(f.external_id, ' ', 2) || ' ' || coalesce(p.stacked, '')
        from (select * from card_pairs union all
          select user_id, reported_id, feed_id, publisher_id, stacked, since from further_card_pairs) p
        join transactions r on r.user_id = p.user_id and r.transaction_id = p.reported_id
        join transactions f on f.user_id = p.user_id and f.transaction_id = p.feed_id
        where p.user_id = ${userId}
        union all
        select split_part(n.external_id, ' ', 2) || ' ' || split_part(r.external_id, ' ', 2) || ' ' || coalesce(p.stacked, '')
        from sale_pairs p
        join transactions n on n.user_id = p.user_id and n.transaction_id = p.network_id
        join transactions r on r.user_id = p.user_id and r.transaction_id = p.reported_id
        where p.user_id = ${userId}
        order by pair`
      return rows.map(({ pair }) => pair)
    },
    /** Returns the sum of all rewards, including adjustments. */
    earnsInAll: async (): Promise<bigint> => {
      const [row] = await db.reader<{ user: bigint }[]>`
        select coalesce(sum(user_amount), 0)::int8 as user from transactions where user_id = ${userId}`
      return row?.user ?? 0n
    },
    earns: async (name: string): Promise<bigint> => {
      const [row] = await db.reader<{ user: bigint }[]>`
        select user_amount as user from transactions
        where user_id = ${userId} and external_id = ${`${userId} ${name}`}`
      return row?.user ?? 0n
    },

    /** Lists each purchase by name with its reward after adjustments, or the reason it earns nothing. */
    shown: async (): Promise<string> => {
      const rows = await db.reader<{ name: string; reason: string | null; status: string; user: bigint }[]>`
        select split_part(t.external_id, ' ', 2) as name, t.status_reason as reason, t.status,
          t.user_amount + coalesce((select sum(a.user_amount) from transactions a
            where a.user_id = t.user_id and a.adjusts = t.transaction_id), 0)::int8 as user
        from transactions t
        where t.user_id = ${userId} and t.adjusts is null and coalesce(t.status_reason, '') <> 'merged'
        order by t.source = 'AFFILIATE', name`
      return rows
        .map(({ name, reason, status, user }) => `${name} ${reason ?? user}${status === 'EARNED' ? ' EARNED' : ''}`)
        .join(', ')
    },
  }
}

/** The reports of a purchase, and the final state of its transactions in the format of `shown`. */
export type ArrivalCase = {
  readonly name: string
  readonly brand?: string
  readonly reported: readonly Reported[]
  readonly expected: string
}

/**
 * Tests that the reports of each case result in the same state in any order, one by one and in one batch. Each run
 * plays some of the orders.
 */
export function testArrivals(world: StackingWorld, policy: Policy, cases: readonly ArrivalCase[], now: Date): void {
  for (const { name, brand, reported, expected } of cases)
    test(`${name}, in any order of arrival`, async () => {
      const publisher = await world.publisher(policy)
      const rotated = reported.map((_, nth) => [...reported.slice(nth), ...reported.slice(0, nth)])
      // The rotations of two reports include the reversed order.
      const orders = reported.length === 2 ? rotated : [...rotated, reported.toReversed()]
      const oneByOne = orders.map((arrival) => arrival.map((one) => [one]))
      const atOnce = [[reported], [reported.toReversed()]]
      for (const batches of [...sample(oneByOne, 0.5), ...sample(atOnce, 0.5)]) {
        const one = await world.user(publisher, brand)
        for (const batch of batches) await one.report(batch, now)
        assert.equal(await one.shown(), expected, batches.map((batch) => batch.map(({ id }) => id)).join('; '))
      }
      assert.deepEqual(await world.differences(publisher), [])
    })
}
