import type { Static } from 'typebox'
import { findWebhookHealth } from '../events/index.ts'
import { findAddedUp, listMoney, listRewardDays, type MoneyByState, type RewardDay } from '../ledger/index.ts'
import { addDays, type Day, HOUR_MS, toDay } from '../platform/calendar.ts'
import type { Reader } from '../platform/db/database.ts'
import type { PublisherId } from '../platform/ids.ts'
import { toJsonNumber } from '../platform/money.ts'
import { findFeedFreshness } from '../purchases/linker/index.ts'
import { countMatching, type DayCount, listDayCounts, type Matching } from '../purchases/transactions/index.ts'
import { type OperatorDeps, type OperatorOperation, parsePublisherId } from '../tenants/access/index.ts'
import { getPublisher, publisherNow } from '../tenants/publishers/index.ts'
import {
  FRESH_HOURS,
  MONEY_BY_STATE,
  OVERVIEW_DAYS,
  OverviewQuery,
  OverviewSchema,
  overviewExample,
  PUBLISHER_MONEY,
  PUBLISHERS_SHOWN,
} from './overview-schema.ts'

type Overview = Static<typeof OverviewSchema>

/** Registers the route for the overview of all publishers or of one. */
export function overviewRoutes(operation: OperatorOperation, { db, clock }: OperatorDeps): void {
  operation('GET /operator/overview', {
    config: { permission: 'overview:read' },
    id: 'getOverview',
    summary: "Get an overview of users' money by state and over time, purchases, matching, feeds and webhooks",
    description:
      "Based on running totals and counts, and on a few thousand of the newest purchases and deliveries. The days end with the current one, on the requested publisher's clock.",
    query: OverviewQuery,
    answer: OverviewSchema,
    example: overviewExample,
    refusals: ['publisher_not_found'],
    handler: async ({ query: { publisher_id } }) => {
      const now = clock.now()
      // One snapshot, so that money, days and counts are consistent with each other.
      return db.snapshot(async (tx) => {
        if (publisher_id === undefined) return readOverview(tx, null, now, now)
        const publisher = await getPublisher(tx, parsePublisherId(publisher_id))
        return readOverview(tx, publisher.id, publisherNow(publisher, clock), now)
      })
    },
  })
}

/** @param shownAt determines the days returned, while `now` determines the freshness of the feeds */
async function readOverview(
  reader: Reader,
  publisherId: PublisherId | null,
  shownAt: Date,
  now: Date,
): Promise<Overview> {
  const today = toDay(shownAt, 'UTC')
  const days = Array.from({ length: OVERVIEW_DAYS }, (_, index) => addDays(today, index + 1 - OVERVIEW_DAYS))
  const span = { from: days[0] ?? today, until: today }
  const [at, money, rewards, counts, matching, feeds, { queuesWaiting, ...webhooks }] = await Promise.all([
    findAddedUp(reader),
    listMoney(reader, publisherId),
    listRewardDays(reader, publisherId, span),
    listDayCounts(reader, publisherId, days),
    countMatching(reader, publisherId),
    findFeedFreshness(reader, publisherId, new Date(now.getTime() - FRESH_HOURS * HOUR_MS)),
    findWebhookHealth(reader, publisherId),
  ])
  return {
    money_at: at.toISOString(),
    money: inAll(money).map(MONEY_BY_STATE.present),
    publishers: money
      .toSorted((one, other) => Number(held(other) - held(one)))
      .slice(0, PUBLISHERS_SHOWN)
      .map(PUBLISHER_MONEY.present),
    days: rewardDays(rewards),
    intake: days.map((day) => presentIntake(day, counts)),
    matching: presentMatching(matching),
    feeds: {
      linked: feeds.linked,
      read_lately: feeds.readLately,
      never_read: feeds.neverRead,
      oldest_read_at: feeds.oldestReadAt?.toISOString() ?? null,
    },
    webhooks: { ...webhooks, queues_waiting: queuesWaiting },
  }
}

type Money = Omit<MoneyByState, 'publisherId'>

const held = ({ pending, available, held }: Money): bigint => pending + available + held

function inAll(money: readonly Money[]): Money[] {
  return [...Map.groupBy(money, ({ currency }) => currency)].map(([currency, all]) => {
    const sum = (of: (one: Money) => bigint): bigint => all.reduce((total, one) => total + of(one), 0n)
    return {
      currency,
      pending: sum(({ pending }) => pending),
      available: sum(({ available }) => available),
      held: sum(({ held }) => held),
      paid: sum(({ paid }) => paid),
      debt: sum(({ debt }) => debt),
    }
  })
}

function rewardDays(rewards: readonly RewardDay[]): Overview['days'] {
  return [...Map.groupBy(rewards, ({ day, currency }) => `${day} ${currency}`).values()].flatMap((of) => {
    const [first] = of
    if (first === undefined) return []
    const { day, currency } = first
    const happened = (asked: RewardDay['what']) => {
      const found = of.find(({ what }) => what === asked)
      return { count: Number(found?.count ?? 0), amount: toJsonNumber(found?.amount ?? 0n, currency) }
    }
    return {
      day,
      currency,
      began: happened('began'),
      matured: happened('matured'),
      reversed: happened('reversed'),
      paid_out: happened('paid_out'),
    }
  })
}

function presentIntake(day: Day, counts: readonly DayCount[]): Overview['intake'][number] {
  const of = (asked: DayCount['status']): number =>
    counts.find((one) => one.day === day && one.status === asked)?.count ?? 0
  const [pending, earned, cancelled] = [of('PENDING'), of('EARNED'), of('CANCELLED')]
  return { day, transactions: pending + earned + cancelled, pending, earned, cancelled }
}

function presentMatching(all: readonly Matching[]): Overview['matching'] {
  const sum = (some: readonly Matching[]): number => some.reduce((total, { count }) => total + count, 0)
  const matched = sum(all.filter(({ isMatched }) => isMatched))
  return {
    examined: sum(all),
    matched,
    unmatched: sum(all) - matched,
    methods: all.map(({ source, method, count }) => ({ source, match_method: method, count })),
  }
}
