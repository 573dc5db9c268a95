import { createCatalogStore, importCatalog } from '../src/catalog/index.ts'
import type { Database } from '../src/platform/database.ts'
import { ingestEvents, type SourceEventInput } from '../src/transactions/index.ts'
import type { Line } from './line.ts'
import { medianOf, secondsOf } from './support/rounds.ts'
import { type BenchUser, createTenant, createUsers, type Tenant } from './support/tenant.ts'

const DATABASE = 'open_purchases'
const MANY = 500
const FEW = 5
const ROUNDS = 40
// What a purchase of a user with many open ones may take longer, in milliseconds.
const MORE_MS = 5

/** A brand with offers that make purchases depend on one another: one-time use, a limit of users, new customers. */
const CATALOG = {
  categories: [{ category_id: 1, category: 'SHOPS' }],
  brands: [
    {
      brand_uid: 'contested',
      name: 'Contested',
      category_id: 1,
      offers: [
        { offer_uid: 'once', one_time_use: true, commission: { rate: 9 } },
        { offer_uid: 'monthly', user_limits: [{ period: 'MONTH', uses: 400 }], commission: { rate: 6 } },
        { offer_uid: 'welcome', new_customer_only: true, commission: { rate: 8 } },
      ].map((offer) => ({ offer_type: 'CARD_LINKED', reward_type: 'CASHBACK_PERCENTAGE', ...offer })),
    },
  ],
}

export const openPurchases: Line = {
  name: 'open-purchases',
  about:
    'one purchase of a user with 500 open purchases at one brand, by offers that make them depend on one another, against one of a user with 5; the goal is 5 ms more at most. `open-purchases-refund`: a refund of the 250th of them, which decides the later half again',
  measure: async (ground) => {
    await ground.create(DATABASE)
    const db = ground.open(DATABASE)
    try {
      const tenant = await createTenant(db)
      await importCatalog(db, { format: 'json', text: JSON.stringify(CATALOG) })
      const [first, second] = (await createUsers(db, tenant, 2)) as [BenchUser, BenchUser]
      const [many, few] = [
        { ...first, open: MANY },
        { ...second, open: FEW },
      ]
      ground.say('open-purchases: 500 purchases of one user and 5 of another are taken in')
      const scene = { db, tenant, deps: { catalog: createCatalogStore(db) } }
      for (const user of [many, few]) {
        const nths = Array.from({ length: user.open }, (_, nth) => nth)
        await ingest(
          scene,
          nths.map((nth) => purchase(user, nth)),
        )
      }
      const next = await race(scene, (user, nth) => purchase(user, MANY + nth), [many, few])
      const refund = await race(scene, refundOf, [many, few])
      const reading = (name: string, [ours, limit]: readonly [number, number], more: number) => ({
        ...{ name, ours, limit, unit: 'ms' },
        goal: { of: 'ours' as const, bound: 'at most' as const, value: Math.ceil(limit + more) },
      })
      return [reading('open-purchases', next, MORE_MS), reading('open-purchases-refund', refund, MANY / 2)]
    } finally {
      await db.close()
      await ground.drop(DATABASE)
    }
  },
}

type OpenUser = BenchUser & { readonly open: number }
type Scene = { readonly db: Database; readonly tenant: Tenant; readonly deps: Parameters<typeof ingestEvents>[1] }

function ingest({ db, tenant, deps }: Scene, events: readonly SourceEventInput[]): Promise<unknown> {
  return db.transaction((tx) => ingestEvents(tx, deps, tenant.publisher, events, new Date()))
}

/** Both users in turn; medians in milliseconds. */
async function race(
  scene: Scene,
  make: (user: OpenUser, nth: number) => SourceEventInput,
  users: readonly [OpenUser, OpenUser],
): Promise<readonly [number, number]> {
  const took: [number[], number[]] = [[], []]
  for (let nth = 0; nth < ROUNDS; nth++)
    for (const which of [0, 1] as const)
      took[which].push((await secondsOf(() => ingest(scene, [make(users[which], nth)]))) * 1000)
  return [medianOf(took[0]), medianOf(took[1])]
}

const BEGAN_MS = Date.now() - 20 * 86_400_000

function purchase({ userId, accountId }: BenchUser, nth: number): SourceEventInput {
  return {
    ...{ userId, source: 'CARD', kind: 'CLEARING', currency: 'USD', dateOnly: false, amount: 5_000n },
    externalId: `${userId} ${nth}`,
    originalExternalId: null,
    occurredAt: new Date(BEGAN_MS + nth * 60_000),
    facts: { brandUid: 'contested', accountId },
  }
}

/** A cent of the purchase in the middle of those that the user has. */
function refundOf(user: OpenUser, nth: number): SourceEventInput {
  const middle = Math.floor(user.open / 2)
  return {
    ...purchase(user, middle),
    ...{ kind: 'REFUND', amount: 1n, occurredAt: new Date() },
    externalId: `${user.userId} refund ${nth}`,
    originalExternalId: `${user.userId} ${middle}`,
  }
}
