import Type, { type Static } from 'typebox'
import { DELIVERIES_EXAMINED } from '../events/index.ts'
import { idField, namedObject, nullable, strictObject } from '../platform/http/index.ts'
import { money, text } from '../platform/resource/fields.ts'
import { resource } from '../platform/resource/resource.ts'
import { PUBLISHER_FIELD } from '../tenants/access/index.ts'

/** The number of days in an overview, including today. */
export const OVERVIEW_DAYS = 84
/** A feed that has not been read for this long is stale, because feeds are read several times a day. */
export const FRESH_HOURS = 24
/** More publishers than anyone would look through. */
export const PUBLISHERS_SHOWN = 100

export const OverviewQuery = strictObject({
  publisher_id: Type.Optional(idField('Only this publisher (pub_…).')),
})

const count = (description: string) => Type.Integer({ description })

const MONEY = {
  currency: text({ example: 'USD' }),
  pending: money({ example: 120.5, description: 'Rewards that are not yet available.' }),
  available: money({ example: 80, description: 'Amount that users can redeem.' }),
  held: money({ example: 25, description: 'Redemptions that are requested, approved or sent.' }),
  paid: money({ example: 310, description: 'Total paid out to date, excluding returned payouts.' }),
  debt: money({
    example: 0,
    description: 'Amount that users owe because a reward was reversed after it was paid out.',
  }),
}
export const MONEY_BY_STATE = resource('MoneyByState', MONEY)
export const PUBLISHER_MONEY = resource('PublisherMoney', { publisher_id: PUBLISHER_FIELD, ...MONEY })
const happened = (description: string) =>
  Type.Object(
    {
      count: Type.Integer({ description: 'Number of occurrences.' }),
      amount: Type.Number({ description: 'Total amount.' }),
    },
    { description },
  )

export const OverviewSchema = namedObject('Overview', {
  money_at: Type.String({
    description: '`money` and `days` include bookings up to this time, a few seconds ago. RFC 3339.',
  }),
  money: Type.Array(MONEY_BY_STATE.schema, {
    description: "The users' money by state, one element per currency.",
  }),
  publishers: Type.Array(PUBLISHER_MONEY.schema, {
    description: `The same amounts per publisher, largest totals first; at most ${PUBLISHERS_SHOWN} elements.`,
  }),
  days: Type.Array(
    namedObject('RewardDay', {
      day: Type.String({ description: 'The UTC day, yyyy-MM-dd.' }),
      currency: Type.String(),
      began: happened('Rewards and reward increases that became pending.'),
      matured: happened('Rewards that became available.'),
      reversed: happened('Rewards and parts of rewards that were reversed, before or after they matured.'),
      paid_out: happened('Redemptions that were paid.'),
    }),
    {
      description: `Changes to users' rewards in the last ${OVERVIEW_DAYS} days, by effective day. Days without changes in a currency are omitted.`,
    },
  ),
  intake: Type.Array(
    namedObject('IntakeDay', {
      day: Type.String({ description: 'The UTC day of the purchases, yyyy-MM-dd.' }),
      transactions: count('All transactions.'),
      pending: count('Those currently pending.'),
      earned: count('Transactions that earned a reward.'),
      cancelled: count('Transactions that earn nothing.'),
    }),
    { description: `Transactions on each of the last ${OVERVIEW_DAYS} days.` },
  ),
  matching: namedObject(
    'MatchingRate',
    {
      examined: count('Number of most recent purchases examined, a few thousand at most.'),
      matched: count('Purchases whose brand was found.'),
      unmatched: count('Purchases whose brand was not found.'),
      methods: Type.Array(
        namedObject('MatchingMethod', {
          source: Type.String({ description: 'Source of the purchases, such as CARD.' }),
          match_method: Type.String({ description: 'How the brand was found; `none` if it was not found.' }),
          count: Type.Integer({ description: 'Number of examined purchases with this source and method.' }),
        }),
        { description: 'Counts by source and method, most frequent first.' },
      ),
    },
    { description: 'How many of the latest purchases match a brand.' },
  ),
  feeds: namedObject(
    'FeedFreshness',
    {
      linked: count('Linked logins, each with a feed.'),
      read_lately: count(`Feeds that were read within the last ${FRESH_HOURS} hours.`),
      never_read: count('Feeds that have not been read yet.'),
      oldest_read_at: nullable(
        Type.String({ description: 'When the least recently read feed was last read, or null if none has been read.' }),
      ),
    },
    { description: 'Freshness of the feeds of linked logins.' },
  ),
  webhooks: namedObject(
    'WebhookHealth',
    {
      endpoints: count('Number of endpoints.'),
      failing: count('Endpoints whose last attempt failed.'),
      stopped: count('Endpoints that are paused or disabled.'),
      queues_waiting: count('Per-user queues at an endpoint with something to deliver; 10000 means 10000 or more.'),
      delivered: count(`Number of the newest ${DELIVERIES_EXAMINED} deliveries that arrived.`),
      pending: count('Number of those deliveries that are waiting for their first or next attempt.'),
      exhausted: count('Number of those deliveries that were given up on.'),
    },
    { description: 'Health of webhook deliveries.' },
  ),
})

/** Example for the API reference. */
export const overviewExample: Static<typeof OverviewSchema> = {
  money_at: '2026-11-21T10:15:30.000Z',
  money: [MONEY_BY_STATE.example],
  publishers: [PUBLISHER_MONEY.example],
  days: [
    {
      day: '2026-11-21',
      currency: 'USD',
      began: { count: 12, amount: 40.2 },
      matured: { count: 8, amount: 22 },
      reversed: { count: 1, amount: 3.5 },
      paid_out: { count: 1, amount: 25 },
    },
  ],
  intake: [{ day: '2026-11-21', transactions: 40, pending: 12, earned: 0, cancelled: 28 }],
  matching: {
    examined: 5000,
    matched: 3900,
    unmatched: 1100,
    methods: [{ source: 'CARD', match_method: 'descriptor', count: 3900 }],
  },
  feeds: { linked: 420, read_lately: 415, never_read: 0, oldest_read_at: '2026-11-19T08:00:00.000Z' },
  webhooks: {
    endpoints: 3,
    failing: 1,
    stopped: 0,
    queues_waiting: 2,
    delivered: 4990,
    pending: 8,
    exhausted: 2,
  },
}
