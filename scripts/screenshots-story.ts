import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { laurelJson, type Running } from '../cli/test-support.ts'
import { addDays, toDay } from '../src/platform/calendar.ts'

const DAY_MS = 86_400_000

/**
 * Adds what the sandbox's own story lacks, so that no page is empty: purchases at many shops, users who redeem, a
 * failing endpoint, an assortment of the publisher's own, an offer whose budget is nearly spent, unmatched refunds,
 * open claims, and the work of the operator and the publisher's staff.
 */
export async function tellMore(running: Running, env: Env): Promise<void> {
  const { publishers } = await laurelJson(['publishers', 'list'], env)
  const id = publishers[0].publisher_id
  const call = createCaller(running.url, running.apiKey)
  await prepare(call, id, env)
  await useIt(call)
  const { api_key: key } = await laurelJson(['operators', 'create', 'Fay', '--role', 'admin'], env)
  const operator = createCaller(running.url, key)
  for (const adjustment of ADJUSTMENTS)
    await operator('POST', '/operator/adjustments', { publisher_id: id, ...adjustment })
  await operator('POST', '/operator/payments', {
    publisher_id: id,
    direction: 'received',
    party: 'advertiser',
    currency: 'USD',
    amount: 12.5,
    brand_uid: (await brandNamed(call, 'Walmart')).brand_uid,
    external_ref: 'wire-0117',
    value_date: toDay(new Date(), 'UTC'),
  })
}

type Env = Readonly<Record<'LAUREL_DATA_DIR', string>>
type Call = ReturnType<typeof createCaller>

function createCaller(url: string, key: string) {
  return async (method: string, path: string, body?: object) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const answer = await fetch(url + path, { method, headers, body: body === undefined ? null : JSON.stringify(body) })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`)
    return JSON.parse(text)
  }
}

const brandNamed = async (call: Call, name: string) => (await call('GET', `${BRANDS}&search_text=${name}`)).content[0]

/** Sets up the publisher. */
async function prepare(call: Call, publisherId: string, env: Env): Promise<void> {
  await laurelJson(['publishers', 'set', publisherId, '--redemption-review-above', '5'], env)
  await call('PUT', '/portal/settings', {
    slug: 'acorn',
    shown_name: 'Acorn Pay',
    hue: 152,
    chroma: 0.11,
    frame_ancestors: [],
    allows_accounts: true,
  })
  const [leftOut, split] = [await brandNamed(call, 'Sephora'), await brandNamed(call, 'Target')]
  await laurelJson(['publishers', 'carry', publisherId, '--without', leftOut.brand_uid], env)
  const parts = ['--fee', '10', '--share', '20']
  await laurelJson(['publishers', 'split', publisherId, '--offer', split.offers[0].offer_uid, ...parts], env)
  const file = join(env.LAUREL_DATA_DIR, 'coffee.json')
  await writeFile(file, JSON.stringify(COFFEE))
  await laurelJson(['catalog', 'import', file], env)
  // Nothing listens there, so every delivery fails.
  await call('POST', '/webhooks/endpoints', {
    url: 'http://127.0.0.1:9/laurel',
    description: 'The back end of the app',
  })
  await call('POST', '/staff', { email: 'mara@acorn.example', role: 'support' })
}

/** Simulates the activity of users and their publisher. */
async function useIt(call: Call): Promise<void> {
  let count = 0
  for (const [descriptor, amounts] of PURCHASES)
    for (const amount of amounts)
      await call('POST', '/transactions', {
        publisher_user_id: 'ada',
        source: 'CARD',
        account_id: 'story-card',
        kind: 'CLEARING',
        amount,
        external_id: `more-${count}`,
        merchant_descriptor: descriptor,
        transaction_date_time: new Date(Date.now() - (80 - 3 * count++) * DAY_MS).toISOString(),
      })
  for (const [merchant_descriptor, amount] of REFUNDS)
    await call('POST', '/transactions', {
      publisher_user_id: 'ben',
      source: 'CARD',
      kind: 'REFUND',
      amount,
      merchant_descriptor,
      external_id: `back-${amount}`,
      transaction_date_time: new Date(Date.now() - 20 * DAY_MS).toISOString(),
    })
  // Advancing the clock also runs everything that is due, so older rewards become available.
  await call('POST', '/sandbox/clock', { advance_days: 1 })
  await call('PUT', '/users/ada/payout-destination', ACCOUNT)
  for (const amount of [12, 7.5])
    await call('POST', '/redemptions', { publisher_user_id: 'ada', amount, method: 'simulated' })
  await call('POST', '/claims', {
    publisher_user_id: 'ben',
    external_ref: 'more',
    kind: 'missing',
    merchant: 'AutoZone',
    amount: 61.4,
    evidence: 'Order 5521, paid by card at the counter.',
  })
  const card = (await call('GET', `${BRANDS}&search_text=Target&offer_type=GIFT_CARD`)).content[0].offers[0]
  await call('POST', '/gift-cards/orders', {
    publisher_user_id: 'ada',
    offer_uid: card.offer_uid,
    external_ref: 'more',
    items: [{ denomination: card.denominations[0], quantity: 1 }],
  })
  await call('POST', '/reports', { kind: 'transactions' })
}

const COFFEE = {
  brands: [
    {
      category_id: 2,
      name: 'Harbor Coffee',
      website: 'https://harbor-coffee.example',
      description: 'Coffee and cake by the water.',
      offer_description: 'Get 10% back this week',
      offers: [
        {
          name: '10% back at Harbor Coffee',
          description: 'Pay with a linked card and get 10% back.',
          offer_type: 'CARD_LINKED',
          reward_type: 'CASHBACK_PERCENTAGE',
          commission: { rate: 10 },
          start_date: '2024-01-01',
          end_date: addDays(toDay(new Date(), 'UTC'), 25),
          refund_period_days: 30,
          budgets: [{ period: 'MONTH', amount: 20 }],
        },
      ],
    },
  ],
}

// The second one exceeds the publisher's limit and waits for another person.
const ADJUSTMENTS = [
  { publisher_user_id: 'ben', kind: 'goodwill', amount: 5, reason: 'The shop had closed early' },
  { publisher_user_id: 'ben', kind: 'goodwill', amount: 60, reason: 'A card that was never delivered' },
]

const ACCOUNT = {
  type: 'us_bank_account',
  holder_name: 'Ada Moreno',
  routing_number: '123456780',
  account_number: '440012345678',
}

const BRANDS = '/publishers/brands?publisher_user_id=ada'

const REFUNDS = [
  ['PAYPAL *HARBORLIGHT BOOKS', 18.4],
  ['ONLINE RETURN 88431', 55],
] as const

const PURCHASES: readonly (readonly [descriptor: string, amounts: readonly number[]])[] = [
  ['CHIPOTLE 1542 AUSTIN TX', [61.2, 84.9, 70.1, 66]],
  ['WALMART #3141 AUSTIN TX', [312.4, 289.1, 640]],
  ['AUTOZONE 4477 AUSTIN TX', [240, 189.9, 512.75]],
  ['ACADEMY SPORTS + OUTDOORS 88 AUSTIN TX', [420, 199.99]],
  ['SQ *SHAKE SHACK 1123 NEW YORK NY', [54.3, 42.1, 71.25]],
  ['HARBOR COFFEE AUSTIN TX', [88, 96]],
]
