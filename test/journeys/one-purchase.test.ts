import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { verifyLedger } from '../../src/ledger/index.ts'
import { verifyRewards, verifyTransactions } from '../../src/purchases/transactions/index.ts'
import { setNetworkSecret } from '../../src/sources/affiliate/index.ts'
import { CATALOG, fetchPatiently, startTestApp, type TestApp } from '../support/app.ts'
import { eventually } from '../support/eventually.ts'

// Takes a user through the API's operations over HTTP, with the simulator and a webhook receiver.

type Received = { readonly body: string; readonly headers: Record<string, string> }

// Event types that the journey has produced before its events are read.
const EVENT_TYPES = [
  'user.created',
  'user.terms_accepted',
  'card.linked',
  'transaction.created',
  'reward.available',
  'reward.reversed',
]

let app: TestApp
let receiverUrl: string
let receiver: Server
const received: Received[] = []
const user = 'journey user/1 é'
const path = encodeURIComponent(user)
const bank = 'ins_109508'

before(async () => {
  app = await startTestApp()
  await app.catalog(CATALOG)
  receiver = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      received.push({ body, headers: request.headers as Record<string, string> })
      response.end()
    })
  })
  await new Promise<void>((resolve) => {
    receiver.listen(0, '127.0.0.1', resolve)
  })
  receiverUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
})

after(async () => {
  await app.close()
  receiver.close()
})

test('a user progresses from registration to an available reward, with signed webhooks', async (t) => {
  const { call } = app
  let secret = ''
  let transactionUid = ''
  let accountId = ''

  await t.test('a webhook endpoint is registered', async () => {
    const { status, body } = await call('POST', '/webhooks/endpoints', { url: receiverUrl })
    assert.equal(status, 200)
    secret = body.secret
    assert.match(secret, /^whsec_/)
    const list = await call('GET', '/webhooks/endpoints')
    assert.equal(list.body.content[0].endpoint_id, body.endpoint_id)
    assert.equal(list.body.content[0].secret, undefined)
  })

  await t.test('the user stays PENDING until they accept the current terms', async () => {
    const created = await call('POST', '/users', {
      publisher_user_id: user,
      email: 'ada@example.com',
      primary_zip_code: '10001',
      attributes: { plan: 'gold' },
    })
    assert.equal(created.status, 200)
    assert.equal(created.body.account_status, 'PENDING')
    assert.match(created.body.svc_user_id, /^usr_/)
    assert.equal(created.body.attributes, '{"plan":"gold"}')
    assert.match(created.body.created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d:Z$/)
    const terms = await call('GET', '/terms')
    assert.deepEqual(Object.keys(terms.body), ['id', 'url', 'revision'])
    const accepted = await call('POST', '/terms/accept', { publisher_user_id: user, tnc_id: terms.body.id })
    assert.deepEqual(accepted.body, { publisher_user_id: user, email: 'ada@example.com', account_status: 'ACTIVE' })
    const again = await call('POST', `/terms/accept?publisher_user_id=${path}&tnc_id=${terms.body.id}`)
    assert.equal(again.status, 200)
  })

  await t.test('a card is linked with a provider token', async () => {
    const token = await call('GET', `/linker/link-token/${path}`)
    assert.match(token.body.link_token, /^link-/)
    const made = await fetch(`${app.simulatorUrl}/sandbox/public_token/create`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'PLAID-CLIENT-ID': 'laurel', 'PLAID-SECRET': 'laurel' },
      body: JSON.stringify({
        institution_id: bank,
        initial_products: ['transactions'],
        options: { override_username: 'user_plain', override_password: 'pass_good' },
      }),
    })
    const { public_token } = (await made.json()) as { public_token: string }
    const linked = await call('POST', `/linker/public-token/${path}`, {
      public_token,
      institution_id: bank,
      institution_name: 'First Platypus Bank',
    })
    assert.equal(linked.status, 200)
    const all = await call('GET', `/linker/linked-cards/${path}`)
    const [institution] = all.body.linked_institutions
    assert.equal(institution.institution_id, bank)
    assert.ok(institution.linked_cards.length > 0)
    assert.equal(institution.linked_cards[0].error, null)
    accountId = institution.linked_cards[0].account_id
    const one = await call('GET', `/linker/linked-cards/${path}/${bank}`)
    assert.deepEqual(one.body.linked_cards, institution.linked_cards)
    const auth = await call('GET', `/linker/auth-token/${bank}/${path}`)
    assert.match(auth.body.link_token, /^link-/)
  })

  await t.test("brands are listed, searched and displayed with the user's own tracking link", async () => {
    const categories = await call('GET', '/publishers/categories')
    assert.deepEqual(categories.body, [
      { category_id: 1, category: 'GROCERY' },
      { category_id: 2, category: 'ELECTRONICS' },
    ])
    const list = await call(
      'GET',
      `/publishers/brands?publisher_user_id=${path}&offer_type=CARD_LINKED,AFFILIATE&size=10`,
    )
    assert.equal(list.status, 200)
    assert.deepEqual(list.body.content.map((brand: { brand_uid: string }) => brand.brand_uid).sort(), [
      'brand-gadgets',
      'brand-market',
    ])
    const found = await call('GET', `/publishers/brands?publisher_user_id=${path}&search_text=corner`)
    assert.deepEqual(
      found.body.content.map((brand: { name: string }) => brand.name),
      ['Corner Market'],
    )
    const detail = await call('GET', `/publishers/brands/brand-gadgets?publisher_user_id=${path}`)
    const link = detail.body[0].offers.find((offer: { offer_types: string }) => offer.offer_types === 'AFFILIATE')
    assert.match(link.tracking_url, /\/r\//)
  })

  await t.test('a purchase at the bank becomes a pending reward', async () => {
    const bought = await fetch(`${app.simulatorUrl}/_sim/purchases`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        client_user_id: await simulatorUser(),
        account_id: accountId,
        merchant: 'Corner Market',
        amount: 80,
        pending: false,
      }),
    })
    assert.equal(bought.status, 200, await bought.clone().text())
    const transaction = await eventually(async () => {
      const { body } = await call('GET', `/transactions?publisher_user_id=${path}`)
      return body.content[0]
    })
    transactionUid = transaction.transaction_uid
    assert.deepEqual(
      [
        transaction.status,
        transaction.brand_uid,
        transaction.offer_uid,
        transaction.user_cashback,
        transaction.svc_user_id.slice(0, 4),
      ],
      ['PENDING', 'brand-market', 'offer-market', 4, 'usr_'],
    )
    const status = await call('GET', `/users/status/${path}`)
    assert.deepEqual(
      [status.body.pending_cashback, status.body.available_cashback, status.body.total_earned_cashback],
      [4, 0, 4],
    )
    const byTransaction = await call(
      'GET',
      `/publishers/brands?publisher_user_id=${path}&search_text=${transactionUid}`,
    )
    assert.deepEqual(
      byTransaction.body.content.map((brand: { brand_uid: string }) => brand.brand_uid),
      ['brand-market'],
    )
  })

  await t.test('the decision shows every step to the cent', async () => {
    const { body } = await call('GET', `/transactions/${transactionUid}/decision`)
    assert.equal(body.matching.brand_uid, 'brand-market')
    assert.equal(body.chosen, 'offer-market')
    assert.ok(body.candidates[0].rules.every((rule: { passed: boolean }) => rule.passed))
    assert.equal(body.arithmetic.user_reward, '4.00')
    const hypothetical = await call('POST', '/transactions/evaluate', {
      publisher_user_id: user,
      brand_uid: 'brand-market',
      amount: 300,
    })
    assert.deepEqual([hypothetical.body.eligible, hypothetical.body.user_cashback], [true, 10])
  })

  await t.test('the reward becomes available after the refund period', async () => {
    const moved = await call('POST', '/sandbox/clock', { advance_days: 32 })
    assert.equal(moved.status, 200)
    const { body } = await call('GET', `/users/status/${path}`)
    assert.deepEqual([body.pending_cashback, body.available_cashback], [0, 4])
    const one = await call('GET', `/transactions/${transactionUid}`)
    assert.equal(one.body.status, 'EARNED')
  })

  await t.test('a later refund claws back its part of the reward with an adjusting transaction', async () => {
    const list = await call('GET', `/transactions/${transactionUid}`)
    const refund = await call('POST', '/transactions', {
      publisher_user_id: user,
      external_id: 'refund-1',
      kind: 'REFUND',
      original_external_id: list.body.external_id,
      amount: 20,
    })
    assert.equal(refund.status, 200)
    const { body } = await call('GET', `/transactions?publisher_user_id=${path}&sort=-created_at`)
    const adjustment = body.content.find((one: { adjusts: string | null }) => one.adjusts === transactionUid)
    assert.deepEqual(
      [adjustment.status, adjustment.status_reason, adjustment.user_cashback],
      ['EARNED', 'refunded', -1],
    )
    const summary = await call('GET', `/rewards/summary/${path}`)
    assert.deepEqual(
      [summary.body.available_cashback, summary.body.total_earned_cashback, summary.body.debt],
      [3, 3, 0],
    )
  })

  await t.test("a sale through the user's own link earns a reward", async () => {
    await app.service.db.transaction((tx) =>
      setNetworkSecret(tx, app.service.vault, 'default', 'a-secret-of-the-network', new Date()),
    )
    const detail = await call('GET', `/publishers/brands/brand-gadgets?publisher_user_id=${path}`)
    const { tracking_url } = detail.body[0].offers.find(
      (offer: { offer_types: string }) => offer.offer_types === 'AFFILIATE',
    )
    const click = await fetchPatiently(tracking_url, { redirect: 'manual' })
    assert.equal(click.status, 302)
    const target = new URL(click.headers.get('location') ?? '')
    assert.equal(target.origin, 'https://shop.gadgetbarn.example')
    const sale = {
      sub_id: target.searchParams.get('sub'),
      order_id: 'order-7',
      amount: 100,
      currency: 'USD',
      status: 'approved',
    }
    await reported(sale, ['AFFILIATE', 'PENDING', null, 8])
    // Each report replaces the previous one. A rejection counts as zero regardless of its amount, and a later approval
    // contains the amount again.
    await reported({ ...sale, status: 'rejected', amount: 30 }, ['AFFILIATE', 'CANCELLED', 'reversed', 0])
    await reported({ ...sale, amount: 300 }, ['AFFILIATE', 'PENDING', null, 24])
    await reported({ ...sale, amount: 100 }, ['AFFILIATE', 'PENDING', null, 8])
  })

  await t.test('events are numbered without gaps, and every delivery has a valid signature', async () => {
    // Events are numbered after their commit, so the last one may not be numbered yet.
    const body = await eventually(async () => {
      const given = (await call('GET', '/events?after=0&limit=100')).body
      return isWhole(given.content) && given
    })
    assert.deepEqual(
      body.content.map((event: { sequence: number }) => event.sequence),
      body.content.map((_: unknown, index: number) => index + 1),
    )
    assert.doesNotMatch(JSON.stringify(body.content), /\d:Z"/, 'a time in an event is not RFC 3339')
    const last = body.content.at(-1)
    await eventually(async () => received.some((one) => JSON.parse(one.body).id === last.id))
    for (const { body: sent, headers } of received) new Webhook(secret).verify(sent, headers)
    const created = received.map((one) => JSON.parse(one.body)).find((event) => event.type === 'transaction.created')
    assert.equal(created.data.publisher_user_id, user)
    assert.equal(created.data.transaction_uid, transactionUid)
    const deliveries = await call('GET', '/webhooks/deliveries')
    assert.ok(deliveries.body.content.length > 0)
  })

  await t.test("the report contains the publisher's own identifiers", async () => {
    const report = await call('GET', '/reports/transactions?format=csv')
    assert.equal(report.status, 200)
    assert.ok(report.body.includes(user))
    assert.ok(report.body.includes(transactionUid))
  })

  await t.test('an unlinked card disappears, and a deleted user is inactive and earns nothing more', async () => {
    const unlinked = await call('DELETE', `/linker/access-token/${path}/${bank}`)
    assert.equal(unlinked.status, 200)
    assert.deepEqual((await call('GET', `/linker/linked-cards/${path}`)).body, { linked_institutions: [] })
    const deleted = await call('DELETE', `/users/${path}`)
    assert.equal(deleted.body.account_status, 'INVALID')
    assert.equal((await call('GET', `/users/${path}`)).body.account_status, 'INACTIVE')
    assert.equal((await call('DELETE', `/users/${path}`)).status, 409)
    const late = await call('POST', '/transactions', {
      publisher_user_id: user,
      external_id: 'late',
      source: 'GIFT_CARD',
      offer_uid: 'offer-gadgets-gift',
      amount: 25,
    })
    assert.deepEqual([late.body.status, late.body.status_reason], ['CANCELLED', 'user_inactive'])
    const back = await call('POST', `/users/${path}/reactivate`)
    assert.equal(back.body.account_status, 'PENDING')
  })

  await t.test('the books balance', async () => {
    const { reader } = app.service.db
    assert.deepEqual(
      [
        ...(await verifyLedger(reader)),
        ...(await verifyRewards(reader)),
        ...(await verifyTransactions(reader, app.publisher)),
      ],
      [],
    )
  })
})

/** Reports a sale as the network would, and waits until it appears as expected. */
async function reported(sale: Readonly<Record<string, unknown>>, expected: readonly unknown[]): Promise<void> {
  const posted = await fetchPatiently(`${app.service.url}/postbacks/default`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'X-Postback-Secret': 'a-secret-of-the-network' },
    body: JSON.stringify(sale),
  })
  assert.equal(posted.status, 200, await posted.text())
  await eventually(async () => {
    const { body } = await app.call('GET', `/transactions?publisher_user_id=${path}&search_text=${sale['order_id']}`)
    const shown = body.content.map((one: Record<string, unknown>) => [
      ...[one['source'], one['status'], one['status_reason'], one['user_cashback']],
    ])
    return JSON.stringify(shown) === JSON.stringify([expected])
  })
}

/** Returns true once events of all `EVENT_TYPES` have arrived, including one for the sale. */
function isWhole(events: readonly { type: string; data: { source?: string } }[]): boolean {
  const isSale = ({ type, data }: (typeof events)[number]) =>
    type === 'transaction.created' && data.source === 'AFFILIATE'
  return EVENT_TYPES.every((wanted) => events.some(({ type }) => type === wanted)) && events.some(isSale)
}

/** Returns the ID by which the simulator knows this user. */
async function simulatorUser(): Promise<string> {
  const response = await fetch(`${app.simulatorUrl}/_sim/items`)
  const { items } = (await response.json()) as { items: { client_user_id: string }[] }
  return items[0]?.client_user_id ?? ''
}
