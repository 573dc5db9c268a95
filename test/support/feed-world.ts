import assert from 'node:assert/strict'
import { verifyLedger } from '../../src/ledger/index.ts'
import { DAY_MS } from '../../src/platform/calendar.ts'
import type { UserId } from '../../src/platform/ids.ts'
import { matureRewards, verifyRewards, verifyTransactions } from '../../src/purchases/transactions/index.ts'
import { publishTerms } from '../../src/users/terms/index.ts'
import { acceptTerms } from '../../src/users/users/index.ts'
import { CATEGORIES, importText, offer } from './catalog-world.ts'
import {
  addUser,
  atSimulator,
  createClient,
  link,
  openWorld,
  simulatedItems,
  until,
  type World,
  work,
} from './linker-world.ts'

type Standing = {
  readonly status: string
  readonly reason: string | null
  readonly user: number
  readonly left: number
}

/** Creates users with linked cards at a simulated bank, and brands that reward them. */
export async function openFeedWorld(name: string) {
  const world = await openWorld(name)
  const client = await createClient(world)
  await loadBrands(world)
  const terms = { url: 'https://laurel.example/terms', revision: '1', requiredFrom: world.clock.now() }
  const { documentId } = await world.db.transaction((tx) => publishTerms(tx, terms, world.clock.now()))

  async function registered(name: string): Promise<UserId> {
    const { userId } = await addUser(world, name)
    await world.db.transaction((tx) => acceptTerms(tx, world.publisher, name, documentId, world.clock.now()))
    return userId
  }

  async function linked(name: string, username = name) {
    const userId = await registered(name)
    assert.equal((await link(world, client, name, username)).status, 200)
    await work(world)
    const itemId = (await simulatedItems(world)).at(-1)?.item_id ?? ''
    return { userId, itemId, name }
  }

  const buy = (itemId: string, purchase: object = {}) =>
    atSimulator(world, '/_sim/purchases', { item_id: itemId, merchant: 'Blue Kettle', amount: 50, ...purchase })
  const does = (row: Record<string, unknown>, verb: string, body: object = {}) =>
    atSimulator(world, `/_sim/purchases/${row['transaction_id']}/${verb}`, body)

  async function standings(userId: UserId): Promise<Standing[]> {
    const rows = await world.db.reader<Standing[]>`
      select status, status_reason as reason, user_amount::int as user, (amount - refunded)::int as left
      from transactions where user_id = ${userId} order by created_at, transaction_id`
    return [...rows]
  }

  /** Reads the user's feed repeatedly until the condition holds. */
  async function read(userId: UserId, isSo: () => Promise<boolean>): Promise<void> {
    await until(async () => {
      await world.db
        .reader`update linker_items set sync_paced_until = null, sync_due_at = now() - interval '1 second' where user_id = ${userId}`
      await work(world)
      return isSo()
    })
  }

  const shows =
    (userId: UserId, ...wanted: readonly string[]) =>
    async () => {
      const found = (await standings(userId)).map(({ status, left }) => `${status} ${left}`)
      return JSON.stringify(found.toSorted()) === JSON.stringify(wanted.toSorted())
    }
  const waiting = (userId: UserId, count: number) => async () => {
    const rows = await world.db.reader`select 1 from feed_rows where user_id = ${userId} and waits_until is not null`
    return rows.length === count
  }

  /**
   * Returns the dependencies with a clock that is this many days ahead. The clock that other tests use stays as it is.
   */
  const later = (days: number) => ({ ...world.deps, clock: { now: () => new Date(Date.now() + days * DAY_MS) } })

  const mature = (days: number) =>
    world.db.transaction((tx) => matureRewards(tx, world.publisher, later(days).clock.now(), { limit: 100 }))

  const differences = () =>
    world.db.transaction(async (tx) => [
      ...(await verifyLedger(tx)),
      ...(await verifyRewards(tx)),
      ...(await verifyTransactions(tx, world.publisher)),
    ])
  return { world, client, registered, linked, buy, does, standings, read, shows, waiting, later, mature, differences }
}

async function loadBrands(world: World): Promise<void> {
  const brand = (name: string, more: object) => ({ category_id: 1, name, offers: [offer(`${name} offer`, more)] })
  await importText(world.db, {
    categories: CATEGORIES,
    brands: [
      brand('Blue Kettle', { commission: { rate: 10 }, refund_period_days: 1 }),
      brand('Red Lantern', { commission: { rate: 10 }, new_customer_only: true, refund_period_days: 30 }),
      brand('Violet Teapot', { commission: { rate: 10 }, channels: ['IN_STORE'], refund_period_days: 30 }),
    ],
  })
  await world.deps.catalog.refresh()
}
