import assert from 'node:assert/strict'
import { createCatalogStore, decideAlias, importCatalog } from '../../src/catalog/catalog/index.ts'
import { readWallets } from '../../src/ledger/index.ts'
import { DAY_MS } from '../../src/platform/calendar.ts'
import type { Database } from '../../src/platform/db/database.ts'
import type { TransactionId, UserId } from '../../src/platform/ids.ts'
import {
  type EventKind,
  ingestEvents,
  matureRewards,
  type PurchaseFacts,
} from '../../src/purchases/transactions/index.ts'
import type { Publisher } from '../../src/tenants/publishers/index.ts'
import { differencesIn, openTenants, START } from './reward-world.ts'
import { readSharedBalance } from './shared-balance.ts'

export const later = (days: number): Date => new Date(START.getTime() + days * DAY_MS)

const offer = (offer_uid: string, more: object) => ({
  offer_uid,
  name: offer_uid,
  offer_type: 'CARD_LINKED',
  reward_type: 'CASHBACK_PERCENTAGE',
  refund_period_days: 30,
  ...more,
})
export const brand = (brand_uid: string, name: string, more: object) => ({
  brand_uid,
  category_id: 1,
  name,
  website: `https://${name.toLowerCase().replaceAll(' ', '')}.example`,
  offers: [offer(`offer-${brand_uid}`, more)],
})
/** Brands that the kiosk in these tests can belong to only through aliases. */
export const BRANDS = [
  brand('five', 'Quillfeather', { commission: { rate: 5 } }),
  brand('ten', 'Marmalade Depot', { commission: { rate: 10 } }),
  brand('two', 'Pewter Lane', { commission: { rate: 2 } }),
  brand('once', 'Saltmarsh', { reward_type: 'CASHBACK_DOLLAR', commission: { amount: 4 }, one_time_use: true }),
  brand('newcomer', 'Tallow Works', { commission: { rate: 8 }, new_customer_only: true, new_customer_days: 90 }),
  { brand_uid: 'bare', category_id: 1, name: 'Nettle Row', offers: [] },
]

export type Bought = {
  readonly id: string
  readonly amount: number
  readonly day: number
  readonly shop?: string
  readonly kind?: EventKind
  readonly of?: string
}

/** Sets up the real rooms on a real database, with a catalog that can be corrected. */
export async function openRematchWorld(db: Database) {
  const catalog = createCatalogStore(db)
  const load = (brands: readonly object[]) =>
    importCatalog(db, {
      format: 'json',
      text: JSON.stringify({ categories: [{ category_id: 1, category: 'GROCERY' }], brands }),
    })
  await load(BRANDS)
  const tenants = await openTenants(db)
  const world = {
    catalog,
    deps: { db, catalog },
    load,
    publisher: tenants.publisher,
    user: async (publisher: Publisher): Promise<UserId> => (await tenants.user(publisher)).userId,
    /** Decides that a template belongs to a brand, or to none. */
    say: async (publisher: Publisher, key: string, brandUid: string | null, now = START): Promise<string> => {
      const decision = { publisherId: publisher.id, key, brandUid, by: 'Ana', note: null }
      const aliasUid = await db.transaction((tx) => decideAlias(tx, decision, now))
      await catalog.refresh()
      return aliasUid
    },
    report: async (publisher: Publisher, userId: UserId, bought: readonly Bought[], facts: PurchaseFacts = {}) => {
      const last = Math.max(...bought.map((one) => one.day))
      const events = bought.map(({ id, amount, day, shop = 'ZORBLE KIOSK', kind = 'CLEARING', of }) => ({
        userId,
        source: 'CARD' as const,
        externalId: `${userId} ${id}`,
        kind,
        originalExternalId: of === undefined ? null : `${userId} ${of}`,
        amount: BigInt(amount),
        currency: 'USD',
        occurredAt: later(day),
        dateOnly: false,
        facts: { merchantDescriptor: shop, ...facts },
      }))
      const outcomes = await db.transaction((tx) => ingestEvents(tx, { catalog }, publisher, events, later(last)))
      return outcomes.map((outcome): TransactionId => {
        assert('transactionId' in outcome, 'an event was refused')
        return outcome.transactionId
      })
    },
    mature: async (publisher: Publisher, now: Date): Promise<void> => {
      while ((await db.transaction((tx) => matureRewards(tx, publisher, now))).more) {}
    },
    ...lookingInto(db),
  }
  return world
}

/** Reads the outcome of a re-match. */
function lookingInto(db: Database) {
  return {
    balances: async (publisher: Publisher, userId: UserId) => {
      const balances = (await readWallets(db.reader, publisher, [userId])).get(userId)?.get('USD')
      assert(balances !== undefined)
      return `pending ${balances.pending} available ${balances.available} debt ${balances.debt}`
    },
    owedBy: (publisher: Publisher, brandUid: string): Promise<bigint> =>
      readSharedBalance(db.reader, publisher, 'advertiser_receivable', brandUid),
    /** Describes the purchases in chronological order, each followed by its adjusting transactions. */
    shown: async (publisher: Publisher, userId: UserId): Promise<string[]> => {
      const rows = await db.reader<{ text: string }[]>`
        select concat_ws(' ', case when adjusts is null then '' else '+' end || status, status_reason, brand_uid, offer_uid,
          user_amount) as text
        from transactions t
        where publisher_id = ${publisher.id} and user_id = ${userId} and status_reason is distinct from 'merged'
        order by (select r.authorized_at from transactions r where r.user_id = t.user_id and r.transaction_id = coalesce(t.adjusts, t.transaction_id)),
          adjusts is not null, created_at, transaction_id`
      return rows.map((row) => row.text)
    },
    differences: (publisher: Publisher) => differencesIn(db, [publisher]),
  }
}

export type RematchWorld = Awaited<ReturnType<typeof openRematchWorld>>
