import assert from 'node:assert/strict'
import {
  type ComparedSpan,
  type Comparison,
  type RowDifference,
  reconcile,
  toComparedSpan,
} from '../../src/books/reconciliation/index.ts'
import { DAY_MS, toDay } from '../../src/platform/calendar.ts'
import type { Database, Tx } from '../../src/platform/db/database.ts'
import { encodeId } from '../../src/platform/ids.ts'
import { setNetworkSecret } from '../../src/sources/affiliate/index.ts'
import { getPublisher } from '../../src/tenants/publishers/index.ts'
import { CATALOG, fetchPatiently, type TestApp } from './app.ts'
import { eventually } from './eventually.ts'
import { CHECKING, openRedeemer, type Redeemer } from './redemptions.ts'
import { startReceiver } from './webhook-world.ts'

const SECRET = 'a-secret-of-the-network'

/**
 * A publisher with entries in each of its books. Everything has arrived where it should except the redemption in
 * `waits`.
 */
export type ReconciledWorld = Redeemer & {
  readonly redemptions: Readonly<Record<'paid' | 'failed' | 'returned' | 'filed' | 'waits', string>>
  readonly orders: Readonly<Record<'delivered' | 'second' | 'redeemed', string>>
  readonly adjustment: string
  readonly claim: string
  /** The sub-ID of the user's click at the affiliate network. */
  readonly subId: string
}

async function prepareNetwork(app: TestApp): Promise<void> {
  const { db, vault } = app.service
  await app.catalog(CATALOG)
  await db.transaction((tx) => setNetworkSecret(tx, vault, 'default', SECRET, new Date()))
}

async function reconciledWorld(app: TestApp): Promise<ReconciledWorld> {
  const redeemer = await openRedeemer(app, {
    ownCardFeed: true,
    sharePpm: 100_000,
    feePpm: 50_000,
    redemptionMethods: ['publisher', 'file', 'gift_card'],
  })
  const receiver = await startReceiver()
  await asked(redeemer.call('POST', '/webhooks/endpoints', { url: receiver.url }))
  await redeemer.user('ada', 40)
  await redeemer.user('bob', 4)
  const subId = await buyEverything(app, redeemer)
  const redemptions = await redeemEverything(app, redeemer)
  const orders = await orderCards(redeemer)
  const by = await operate(app, redeemer)
  await redeemer.days(1)
  await settled(app, redeemer)
  return { ...redeemer, redemptions, orders, ...by, subId }
}

/** Waits until no work is left and every event has been delivered. */
async function settled(app: TestApp, { publisher }: Pick<Redeemer, 'publisher'>): Promise<void> {
  const { reader } = app.owner
  await eventually(async () => {
    const [row] = await reader<{ left: number }[]>`
      select ((select count(*) from facts where failed_at is null) + (select count(*) from event_queue)
        + (select count(*) from webhook_deliveries where publisher_id = ${publisher.id} and status <> 'delivered'))::int as left`
    return row?.left === 0
  })
}

async function buyEverything(app: TestApp, { call, days }: Redeemer): Promise<string> {
  const buy = (external_id: string, more: object) =>
    asked(call('POST', '/transactions', { publisher_user_id: 'ada', external_id, ...more }))
  const card = { source: 'CARD', merchant_descriptor: 'CRNR MKT 12', amount: 100 }
  for (const name of ['kept', 'refunded in time', 'refunded late']) await buy(name, card)
  const refund = (name: string, amount: number) =>
    buy(`${name}: refund`, { source: 'CARD', kind: 'REFUND', original_external_id: name, amount })
  await refund('refunded in time', 40)
  await buy('voucher', { source: 'VOUCHER', offer_uid: 'offer-gadgets-code', amount: 30 })
  await buy('refused', { source: 'CARD', merchant_descriptor: 'NOBODY KNOWS 1', amount: 5 })
  const { body } = await call('GET', '/publishers/brands/brand-gadgets?publisher_user_id=ada')
  const offer = body[0].offers.find((one: { offer_types: string }) => one.offer_types === 'AFFILIATE')
  const { headers } = await fetchPatiently(offer.tracking_url, { redirect: 'manual' })
  const subId = new URL(headers.get('location') ?? '').searchParams.get('sub') ?? ''
  const report = (order_id: string, status: string, amount: number) =>
    asked(app.call('POST', '/postbacks/default', { sub_id: subId, order_id, status, amount, currency: 'USD' }, HEADERS))
  await report('order-1', 'pending', 80)
  await report('order-2', 'pending', 60)
  await report('order-1', 'approved', 80)
  await report('order-2', 'rejected', 60)
  await days(45)
  await refund('refunded late', 100)
  return subId
}
const HEADERS = { 'X-Postback-Secret': SECRET, Authorization: '' }

async function redeemEverything(app: TestApp, { call, redeem, publisher }: Redeemer) {
  const ask = async (user: string, method = 'publisher') =>
    (await asked(redeem(user, { amount: 2, method }))).redemption_id as string
  const end = (id: string, status: string) => asked(call('POST', `/redemptions/${id}/outcome`, { status }))
  const [paid, failed, returned, waits] = [await ask('ada'), await ask('ada'), await ask('ada'), await ask('ada')]
  for (const id of [paid, returned]) await end(id, 'paid')
  await end(failed, 'failed')
  await end(returned, 'returned')
  await asked(call('PUT', '/users/bob/payout-destination', CHECKING))
  const filed = await ask('bob', 'file')
  const publisher_id = encodeId('pub', publisher.id)
  const { file_id } = await asked(app.operator('POST', '/operator/payout-files', { publisher_id, format: 'csv' }))
  const answer = `reference,status\n${toReference(filed)},paid\n`
  await asked(app.operator('POST', `/operator/payout-files/${file_id}/answers`, { content: answer }))
  return { paid, failed, returned, filed, waits }
}

/** Returns a redemption's reference in bank files. */
export function toReference(redemptionId: string): string {
  return redemptionId.slice('rdm_'.length).toUpperCase()
}

async function orderCards({ call, redeem, days }: Redeemer) {
  const order = async (external_ref: string) => {
    const items = [{ denomination: 25, quantity: 2 }]
    const body = { publisher_user_id: 'ada', offer_uid: 'offer-gadgets-gift', external_ref, items }
    return (await asked(call('POST', '/gift-cards/orders', body))).order_id as string
  }
  const delivered = await order('first')
  await days(1)
  const second = await order('second')
  const { redemption_id } = await asked(
    redeem('ada', { amount: 25, method: 'gift_card', offer_uid: 'offer-gadgets-gift' }),
  )
  await days(1)
  return { delivered, second, redeemed: redemption_id as string }
}

async function operate(app: TestApp, { call, publisher }: Redeemer) {
  const publisher_id = encodeId('pub', publisher.id)
  const goodwill = { kind: 'goodwill', amount: 5, reason: 'The shop had closed early' }
  const { adjustment_id } = await asked(
    app.operator('POST', '/operator/adjustments', { publisher_id, publisher_user_id: 'ada', ...goodwill }),
  )
  await asked(
    app.operator('POST', '/operator/adjustments', { publisher_id, publisher_user_id: 'ada', ...goodwill, amount: 500 }),
  )
  const claim = { publisher_user_id: 'ada', external_ref: 'ticket-1', kind: 'missing', amount: 50 }
  const { claim_id } = await asked(call('POST', '/claims', claim))
  await asked(app.operator('POST', `/operator/claims/${claim_id}/grant`, { adjustment: goodwill }))
  await asked(call('POST', '/claims', { ...claim, external_ref: 'ticket-2' }))
  await asked(
    app.operator('POST', '/operator/payments', {
      publisher_id,
      direction: 'received',
      party: 'advertiser',
      brand_uid: 'brand-market',
      amount: 5,
      currency: 'USD',
      external_ref: 'wire-1',
      value_date: new Date().toISOString().slice(0, 10),
    }),
  )
  return { adjustment: adjustment_id as string, claim: claim_id as string }
}

async function asked(call: ReturnType<TestApp['call']>) {
  const { status, body } = await call
  assert.equal(status, 200, JSON.stringify(body))
  return body
}

type Found = { readonly title: string } & RowDifference
type Snapshots = Pick<Database, 'snapshot'>
/** A world, and the results of comparing its books. */
export type ComparedWorld = {
  readonly world: ReconciledWorld
  readonly span: ComparedSpan
  reconciled(
    db?: Snapshots,
    outside?: Comparison | null,
    asked?: ComparedSpan,
  ): Promise<{ found: Found[]; seen: Map<string, string> }>
  /** Injects an error, returns the differences found, and rolls back. */
  foundAfter(plant: (tx: Tx) => Promise<unknown>, outside?: Comparison | null): Promise<Found[]>
}

/** Thrown to roll back a transaction. */
export class Undo extends Error {}

export async function openComparedWorld(app: TestApp): Promise<ComparedWorld> {
  await prepareNetwork(app)
  const world = await reconciledWorld(app)
  const publisher = await getPublisher(app.owner.reader, world.publisher.id)
  const days = {
    from: toDay(new Date(Date.now() - DAY_MS), 'UTC'),
    to: toDay(new Date(Date.now() + publisher.clockOffsetMs), 'UTC'),
  }
  const span = toComparedSpan(publisher, days, new Date(Date.now() - 90 * DAY_MS))
  const reconciled: ComparedWorld['reconciled'] = async (db = app.owner, outside = null, asked = span) => {
    const [found, seen]: [Found[], Map<string, string>] = [[], new Map()]
    const toTitle = ({ left, right }: Comparison) => `${left} ↔ ${right}`
    await reconcile(db, asked, outside, {
      found: (one, difference) => found.push({ title: toTitle(one), ...difference }),
      compared: (one, { rows, waiting }) => seen.set(toTitle(one), `${rows} rows, ${waiting} waiting`),
      skipped: (one, reason) => seen.set(toTitle(one), reason),
    })
    return { found, seen }
  }
  const foundAfter: ComparedWorld['foundAfter'] = async (plant, outside = null) => {
    let found: Found[] = []
    const work = app.owner.transaction(async (tx) => {
      await tx`set local session_replication_role = replica`
      await plant(tx)
      found = (await reconciled({ snapshot: (read) => read(tx) }, outside)).found
      throw new Undo()
    })
    await assert.rejects(work, Undo)
    return found
  }
  return { world, span, reconciled, foundAfter }
}
