import assert from 'node:assert/strict'
import { type Call, startTestApp } from '../../../test/support/app.ts'
import { differencesIn } from '../../../test/support/reward-world.ts'

const base = {
  offer_type: 'GIFT_CARD',
  reward_type: 'CASHBACK_PERCENTAGE',
  description: 'Gift cards',
  terms_and_conditions: 'Sample.',
}
/** The cents of a denomination determine its outcome (simulator/README.md). */
const DENOMINATIONS = [25, 50, 25.01, 25.02, 25.03, 25.04, 25.05, 25.06]

const CARDS_CATALOG = {
  categories: [{ category_id: 1, category: 'BOOKS' }],
  brands: [
    {
      brand_uid: 'brand-books',
      category_id: 1,
      name: 'Paper Lantern Books',
      website: 'https://paperlantern.example',
      offers: [
        {
          ...base,
          offer_uid: 'offer-cards',
          name: 'Cards',
          commission: { rate: 4 },
          refund_period_days: 14,
          denominations: DENOMINATIONS,
        },
        {
          ...base,
          offer_uid: 'offer-once',
          name: 'Once',
          commission: { rate: 10 },
          refund_period_days: 0,
          denominations: [100],
          one_time_use: true,
        },
        { ...base, offer_uid: 'offer-any', name: 'Any value', commission: { rate: 1 }, refund_period_days: 0 },
        {
          ...base,
          offer_uid: 'offer-over',
          name: 'Over',
          commission: { rate: 1 },
          refund_period_days: 0,
          denominations: [25],
          end_date: '2020-01-01',
        },
      ],
    },
  ],
}

// An order's card quantities by denomination.
type Items = Readonly<Record<number, number>>

/** Starts a service and a simulator whose supplier sells the cards of a small catalog. */
export async function startGiftCardApp(options: Parameters<typeof startTestApp>[0] = {}) {
  const app = await startTestApp(options)
  await app.catalog(CARDS_CATALOG)
  let users = 0

  /** Creates an active user of this publisher, or of the publisher that `call` acts for. */
  async function user(call = app.call): Promise<string> {
    const publisher_user_id = `user-${++users}`
    assert.equal((await call('POST', '/users', { publisher_user_id })).status, 200)
    assert.equal((await call('POST', '/terms/accept', { publisher_user_id, tnc_id: app.tncId })).status, 200)
    return publisher_user_id
  }

  const body = (publisher_user_id: string, cards: Items, more: object = {}) => ({
    publisher_user_id,
    offer_uid: 'offer-cards',
    external_ref: 'ref-1',
    items: Object.entries(cards).map(([denomination, quantity]) => ({ denomination: Number(denomination), quantity })),
    ...more,
  })

  async function place(name: string, cards: Items, more: object = {}) {
    const { status, body: order } = await app.call('POST', '/gift-cards/orders', body(name, cards, more))
    assert.equal(status, 200, JSON.stringify(order))
    return order
  }

  /** Moves the sandbox clock and runs all work that becomes due. */
  async function pass(time: object = { advance_seconds: 1 }): Promise<void> {
    assert.equal((await app.call('POST', '/sandbox/clock', time)).status, 200)
  }

  async function find(orderId: string) {
    return (await app.call('GET', `/gift-cards/orders/${orderId}`)).body
  }

  async function deliver(name: string, cards: Items, more: object = {}) {
    const { order_id } = await place(name, cards, more)
    await pass()
    return find(order_id)
  }

  /** Stops everything, and fails if the books are inconsistent after the tests. */
  async function closeWithSoundBooks(): Promise<void> {
    try {
      assert.deepEqual(await differencesIn(app.service.db, [app.publisher]), [])
    } finally {
      await app.close()
    }
  }

  return {
    ...app,
    ...supplierAt(app.simulatorUrl),
    ...createReads(app.call),
    user,
    orderBody: body,
    place,
    pass,
    find,
    deliver,
    closeWithSoundBooks,
  }
}

/** Returns controls for the simulated supplier. */
function supplierAt(simulatorUrl: string) {
  async function simulate(path: string, wish: object = {}) {
    const answer = await fetch(`${simulatorUrl}/_sim/gift-cards/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(wish),
    })
    assert.equal(answer.status, 200)
  }

  /** Returns what the supplier has recorded for an order. */
  async function supplied(reference: string): Promise<{ cards: { card_id: string }[] }[]> {
    const answer = await fetch(`${simulatorUrl}/_sim/gift-cards?reference=${reference}`)
    return ((await answer.json()) as { orders: { cards: { card_id: string }[] }[] }).orders
  }

  return { simulate, supplied }
}

function createReads(call: Call) {
  async function balances(name: string) {
    const { body: shown } = await call('GET', `/rewards/summary/${name}`)
    return { pending: shown.pending_cashback, available: shown.available_cashback, debt: shown.debt }
  }

  /** Returns the types of a user's gift card events, oldest first. */
  async function events(name: string): Promise<string[]> {
    const types: string[] = []
    for (let after = 0, content = [undefined]; content.length > 0; ) {
      const { body: page } = await call('GET', `/events?after=${after}&limit=100`)
      ;({ content, next_after: after } = page)
      for (const { type, data } of page.content)
        if (type.startsWith('gift_card.') && data.publisher_user_id === name) types.push(type)
    }
    return types
  }

  return { balances, events }
}

export type GiftCardApp = Awaited<ReturnType<typeof startGiftCardApp>>
