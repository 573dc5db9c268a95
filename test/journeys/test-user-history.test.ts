import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startTestApp } from '../support/app.ts'
import { eventually } from '../support/eventually.ts'

// Links the provider's own test user, who has two years of history, for the first time.

const app = await startTestApp()
after(app.close)

const offer = (name: string, offer_uid: string) => ({
  category_id: 1,
  brand_uid: `brand-${offer_uid}`,
  name,
  website: `https://${name.toLowerCase().replaceAll(/[^a-z]/g, '')}.example`,
  offers: [
    {
      offer_uid,
      name: '5% back',
      description: '5% back',
      offer_type: 'CARD_LINKED',
      reward_type: 'CASHBACK_PERCENTAGE',
      commission: { rate: 5 },
      refund_period_days: 0,
      terms_and_conditions: 'Sample.',
    },
  ],
})
await app.catalog({
  categories: [{ category_id: 1, category: 'GROCERY' }],
  brands: [offer('Walmart', 'walmart'), offer('Starbucks', 'starbucks'), offer('United Airlines', 'united')],
})

const NO_PURCHASE = ['INCOME', 'LOAN_PAYMENTS', 'TRANSFER_OUT', 'BANK_FEES']

type SimRow = {
  readonly transaction_id: string
  readonly amount: number
  readonly pending: boolean
  readonly merchant_name: string
  readonly personal_finance_category: { readonly primary: string }
}

async function simulator<Answer>(path: string, body?: object): Promise<Answer> {
  const answer = await fetch(`${app.simulatorUrl}/${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'content-type': 'application/json', 'plaid-client-id': 'laurel', 'plaid-secret': 'laurel' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return (await answer.json()) as Answer
}

const list = async (query = '') => (await app.call('GET', `/transactions?publisher_user_id=mia&size=100${query}`)).body

test("the test user's history earns nothing, even if it posts after linking, but a new purchase earns", async () => {
  await app.call('POST', '/users', { publisher_user_id: 'mia' })
  await app.call('POST', '/terms/accept', { publisher_user_id: 'mia', tnc_id: app.tncId })
  const { public_token } = await simulator<{ public_token: string }>('sandbox/public_token/create', {
    institution_id: 'ins_109508',
    initial_products: ['transactions'],
    options: { override_username: 'user_good', override_password: 'pass_good', transactions: { days_requested: 730 } },
  })
  const bank = { institution_id: 'ins_109508', institution_name: 'First Platypus Bank' }
  const linked = await app.call('POST', '/linker/public-token/mia', { public_token, ...bank })
  assert.equal(linked.status, 200, JSON.stringify(linked.body))

  await eventually(async () => {
    const { items } = await simulator<{ items: { update_status: string }[] }>('_sim/items')
    return items[0]?.update_status === 'HISTORICAL_UPDATE_COMPLETE'
  })
  const rows = async () => (await simulator<{ purchases: SimRow[] }>('_sim/purchases')).purchases
  const bought = (await rows()).filter(
    ({ amount, personal_finance_category: { primary } }) => amount > 0 && !NO_PURCHASE.includes(primary),
  )
  await eventually(async () => (await list()).total_elements === bought.length)
  assert.ok(bought.length > 250)

  for (const { transaction_id } of bought.filter(({ pending }) => pending))
    await simulator(`_sim/purchases/${transaction_id}/post`, {})
  const account_id = linked.body.linked_cards.find(({ name }: { name: string }) => /card/i.test(name)).account_id
  await simulator('_sim/purchases', { account_id, merchant: 'Walmart', amount: 40, pending: false })
  await eventually(async () => (await list()).total_elements === bought.length + 1)
  assert.equal((await rows()).filter(({ pending }) => pending).length, 0)

  const earning = await list('&status=PENDING')
  assert.deepEqual(
    earning.content.map(({ amount, user_cashback }: { amount: number; user_cashback: number }) => [
      amount,
      user_cashback,
    ]),
    [[40, 2]],
  )
  const reasons = new Set(
    (await list('&status=CANCELLED')).content.map((one: { status_reason: string }) => one.status_reason),
  )
  assert.deepEqual(reasons, new Set(['before_card_linked', 'refunded']))
  const { body: summary } = await app.call('GET', '/rewards/summary/mia')
  assert.deepEqual([summary.total_earned_cashback, summary.pending_cashback, summary.available_cashback], [2, 2, 0])
  const { body: feed } = await app.call('GET', '/events?after=0')
  const announced = feed.content.filter(({ type }: { type: string }) => /^(transaction|reward)\./.test(type))
  assert.deepEqual(
    announced.map(({ type, data }: { type: string; data: { amount: number } }) => [type, data.amount]),
    [['transaction.created', 40]],
  )
})
