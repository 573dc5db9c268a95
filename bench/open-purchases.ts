import { createCatalogStore, importCatalog } from '../src/catalog/catalog/index.ts'
import type { Database } from '../src/platform/db/database.ts'
import { ingestEvents, type SourceEventInput } from '../src/purchases/transactions/index.ts'
import type { Benchmark } from './benchmark.ts'
import { computeMedian, measureSeconds } from './support/rounds.ts'
import { type BenchUser, createTenant, createUsers, type Tenant } from './support/tenant.ts'

const DATABASE = 'open_purchases'
const MANY = 500
const FEW = 5
const MANY_REPORTS = 200
const FEW_REPORTS = 6
const ROUNDS = 40
// The extra milliseconds allowed for a purchase whose user has many open ones.
const MORE_MS = 5
// The same for a report that competes with 200 others for its pair. It may take longer, because every one of them is
// paired and decided again.
const MORE_PAIRED_MS = 100

const offer = (uid: string, more: object) => ({
  offer_uid: uid,
  offer_type: 'CARD_LINKED',
  reward_type: 'CASHBACK_PERCENTAGE',
  ...more,
})
/**
 * Two brands. One has offers that make purchases depend on each other (one-time use, a per-user limit, new customers
 * only), and the other has a card offer and an affiliate offer.
 */
const CATALOG = {
  categories: [{ category_id: 1, category: 'SHOPS' }],
  brands: [
    {
      brand_uid: 'contested',
      name: 'Contested',
      category_id: 1,
      offers: [
        offer('once', { one_time_use: true, commission: { rate: 9 } }),
        offer('monthly', { user_limits: [{ period: 'MONTH', uses: 400 }], commission: { rate: 6 } }),
        offer('welcome', { new_customer_only: true, commission: { rate: 8 } }),
      ],
    },
    {
      brand_uid: 'paired',
      name: 'Paired',
      category_id: 1,
      offers: [
        offer('card', { commission: { rate: 5 } }),
        offer('link', {
          offer_type: 'AFFILIATE',
          tracking_url: 'https://example.com/?sub={sub_id}',
          commission: { rate: 4 },
        }),
      ],
    },
  ],
}

export const openPurchases: Benchmark = {
  name: 'open-purchases',
  about:
    'one purchase of a user with 500 open purchases at one brand, whose offers make them depend on one another. The limit is one purchase of a user with 5; the goal is at most 5 ms more. `open-purchases-refund`: a refund of the 250th of them, which decides the later half again. `open-purchases-paired`: one more report of a user whose 200 card purchases and sales at one brand alternate and all compete for their pairs; the limit is one of a user with 6',
  measure: async (server) => {
    await server.create(DATABASE)
    const db = server.open(DATABASE)
    try {
      const tenant = await createTenant(db)
      await importCatalog(db, { format: 'json', text: JSON.stringify(CATALOG) })
      const [first, second, third, fourth] = (await createUsers(db, tenant, 4)) as BenchUsers
      const setup = { db, tenant, deps: { catalog: createCatalogStore(db) } }
      server.say('open-purchases: 500 purchases of one user and 5 of another are ingested')
      const open = await withPurchases(setup, purchase, [
        { ...first, open: MANY },
        { ...second, open: FEW },
      ])
      const next = await race(setup, (user, nth) => purchase(user, MANY + nth), open)
      const refund = await race(setup, buildRefund, open)
      server.say('open-purchases: 200 card purchases and sales of one user in turn, and 6 of another, are ingested')
      const reported = await withPurchases(setup, report, [
        { ...third, open: MANY_REPORTS },
        { ...fourth, open: FEW_REPORTS },
      ])
      const paired = await race(setup, (user, nth) => report(user, user.open + nth), reported)
      const reading = (name: string, [ours, limit]: readonly [number, number], more: number) => ({
        name,
        ours,
        limit,
        unit: 'ms',
        goal: { of: 'ours' as const, bound: 'at most' as const, value: Math.ceil(limit + more) },
      })
      return [
        reading('open-purchases', next, MORE_MS),
        reading('open-purchases-refund', refund, MANY / 2),
        reading('open-purchases-paired', paired, MORE_PAIRED_MS),
      ]
    } finally {
      await db.close()
      await server.drop(DATABASE)
    }
  },
}

type BenchUsers = [BenchUser, BenchUser, BenchUser, BenchUser]
type OpenUser = BenchUser & { readonly open: number }
type Setup = { readonly db: Database; readonly tenant: Tenant; readonly deps: Parameters<typeof ingestEvents>[1] }

function ingest({ db, tenant, deps }: Setup, events: readonly SourceEventInput[]): Promise<unknown> {
  return db.transaction((tx) => ingestEvents(tx, deps, tenant.publisher, events, new Date()))
}

async function withPurchases(
  setup: Setup,
  make: (user: BenchUser, nth: number) => SourceEventInput,
  users: readonly [OpenUser, OpenUser],
): Promise<readonly [OpenUser, OpenUser]> {
  for (const user of users) {
    const nths = Array.from({ length: user.open }, (_, nth) => nth)
    await ingest(
      setup,
      nths.map((nth) => make(user, nth)),
    )
  }
  return users
}

/** Alternates between the two users and returns their medians in milliseconds. */
async function race(
  setup: Setup,
  make: (user: OpenUser, nth: number) => SourceEventInput,
  users: readonly [OpenUser, OpenUser],
): Promise<readonly [number, number]> {
  const took: [number[], number[]] = [[], []]
  for (let nth = 0; nth < ROUNDS; nth++)
    for (const which of [0, 1] as const)
      took[which].push((await measureSeconds(() => ingest(setup, [make(users[which], nth)]))) * 1000)
  return [computeMedian(took[0]), computeMedian(took[1])]
}

const BEGAN_MS = Date.now() - 20 * 86_400_000

function purchase({ userId, accountId }: BenchUser, nth: number): SourceEventInput {
  return {
    userId,
    source: 'CARD',
    kind: 'CLEARING',
    currency: 'USD',
    dateOnly: false,
    amount: 5_000n,
    externalId: `${userId} ${nth}`,
    originalExternalId: null,
    occurredAt: new Date(BEGAN_MS + nth * 60_000),
    facts: { brandUid: 'contested', accountId },
  }
}

/** Alternates between card and affiliate reports of the same amount. */
function report(user: BenchUser, nth: number): SourceEventInput {
  const isCard = nth % 2 === 0
  const facts = { brandUid: 'paired', ...(isCard ? { accountId: user.accountId } : {}) }
  return { ...purchase(user, nth), source: isCard ? 'CARD' : 'AFFILIATE', facts }
}

/** Refunds one cent of the user's middle purchase. */
function buildRefund(user: OpenUser, nth: number): SourceEventInput {
  const middle = Math.floor(user.open / 2)
  return {
    ...purchase(user, middle),
    kind: 'REFUND',
    amount: 1n,
    occurredAt: new Date(),
    externalId: `${user.userId} refund ${nth}`,
    originalExternalId: `${user.userId} ${middle}`,
  }
}
