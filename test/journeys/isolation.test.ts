import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { type Answer, CATALOG, type Call, startTestApp, type Tenant, type TestApp } from '../support/app.ts'
import { eventually } from '../support/eventually.ts'
import { runs } from '../support/runs.ts'
import { close } from '../support/settlement-world.ts'
import { contentAtRest } from './content.ts'
import { buildAddress, type Operation, readOperations } from './operations.ts'
import type { Row } from './row.ts'

// Two publishers share one service. If one requests the other's data, the service responds as if the data did not
// exist.

let app: TestApp
let theirs: Tenant
let operations: Operation[]
/** IDs of the other publisher's objects, keyed by the parameter name that operations use. */
const foreign: Record<string, string> = { publisher_user_id: 'user-of-theirs' }
const madeUp: Readonly<Record<string, string>> = {
  publisher_user_id: 'user-of-nobody',
  redemption_id: 'rdm_01kbjyt5v3f4nvj5yq5yfypr9v',
  claim_id: 'clm_01kbjyt5v3f4nvj5yq5yfypr9v',
  statement_id: 'stm_01kbjyt5v3f4nvj5yq5yfypr9v',
  erasure_id: 'era_01kbjyt5v3f4nvj5yq5yfypr9v',
  report_id: 'rpt_01kbjyt5v3f4nvj5yq5yfypr9v',
  transaction_uid: 'txn_01kbjyt5v3f4nvj5yq5yfypr9v',
  endpoint_id: 'whe_01kbjyt5v3f4nvj5yq5yfypr9v',
  delivery_id: 'dlv_01kbjyt5v3f4nvj5yq5yfypr9v',
  institution_id: 'ins_109509',
  order_id: 'gco_01kbjyt5v3f4nvj5yq5yfypr9v',
  card_id: 'gcd_01kbjyt5v3f4nvj5yq5yfypr9v',
}
const bank = 'ins_109508'
let theirAccount = ''

before(async () => {
  app = await startTestApp()
  await app.catalog(CATALOG)
  theirs = await app.tenant()
  // Operators see every publisher, so operator operations are excluded.
  operations = (await readOperations(app.service.url)).filter(
    ({ row: { scope } }) => scope !== 'operator' && scope !== 'session',
  )
  await activeUser(app.call, 'user-of-ours')
  await activeUser(theirs.call, 'user-of-theirs')
  await linkCard('user-of-theirs')
  const endpoint = await theirs.call('POST', '/webhooks/endpoints', { url: 'http://127.0.0.1:9/hook' })
  foreign['endpoint_id'] = endpoint.body.endpoint_id
  foreign['institution_id'] = bank
  const bought = await theirs.call('POST', '/transactions', giftCard('user-of-theirs', 'event-of-theirs'))
  foreign['transaction_uid'] = bought.body.transaction_uid
  await theirs.call('POST', '/sandbox/clock', { advance_days: 90 })
  const redeemed = { publisher_user_id: 'user-of-theirs', method: 'publisher', all: true }
  foreign['redemption_id'] = (await theirs.call('POST', '/redemptions', redeemed)).body.redemption_id
  const claim = { publisher_user_id: 'user-of-theirs', external_ref: 'ticket-of-theirs', kind: 'missing' }
  foreign['claim_id'] = (await theirs.call('POST', '/claims', claim)).body.claim_id
  const month = new Date().toISOString().slice(0, 7)
  assert.equal((await close(app, month, theirs)).status, 200)
  foreign['statement_id'] = (await theirs.call('GET', '/statements')).body.content[0].statement_id
  const cards = { offer_uid: 'offer-gadgets-gift', items: [{ denomination: 25, quantity: 1 }], external_ref: 'basket' }
  const ordered = await theirs.call('POST', '/gift-cards/orders', { publisher_user_id: 'user-of-theirs', ...cards })
  foreign['order_id'] = ordered.body.order_id
  foreign['card_id'] = ordered.body.cards[0].card_id
  await theirs.call('POST', '/sandbox/clock', { advance_seconds: 1 })
  await activeUser(theirs.call, 'user-who-left')
  const erased = await theirs.call('POST', '/users/user-who-left/erase', { confirm: 'user-who-left' })
  foreign['erasure_id'] = erased.body.erasure_id
  // Waits for the worker to finish the erasure, so that its changes are not attributed to the requests.
  const proof = `/erasures/${erased.body.erasure_id}`
  await eventually(async () => (await theirs.call('GET', proof)).body.status === 'done')
  // Some effects of the erasure come later: reports created before it stop being served.
  await eventually(async () => (await app.service.db.reader`select from facts`).length === 0)
  const report = (await theirs.call('POST', '/reports', { kind: 'users' })).body
  foreign['report_id'] = report.report_id
  await eventually(async () => (await theirs.call('GET', `/reports/${report.report_id}`)).body.status === 'ready')
  foreign['delivery_id'] = await eventually(async () => {
    const { body } = await theirs.call('GET', '/webhooks/deliveries')
    return body.content[0]?.delivery_id
  })
  await theirs.call('DELETE', `/webhooks/endpoints/${foreign['endpoint_id']}`)
})

after(() => app.close())

async function activeUser(call: Call, publisher_user_id: string): Promise<void> {
  assert.equal((await call('POST', '/users', { publisher_user_id })).status, 200)
  assert.equal((await call('POST', '/terms/accept', { publisher_user_id, tnc_id: app.tncId })).status, 200)
}

async function linkCard(publisherUserId: string): Promise<void> {
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
  const body = { public_token, institution_id: bank, institution_name: 'Bank' }
  const linked = await theirs.call('POST', `/linker/public-token/${publisherUserId}`, body)
  assert.equal(linked.status, 200)
  theirAccount = linked.body.linked_cards[0].account_id
}

const giftCard = (publisher_user_id: string, external_id: string, amount = 50) => ({
  publisher_user_id,
  external_id,
  source: 'GIFT_CARD',
  offer_uid: 'offer-gadgets-gift',
  amount,
})

/**
 * Returns the operation's request with one ID replaced wherever it appears: path, query or body. Null if it appears
 * nowhere.
 */
function withId({ row }: Operation, name: string, id: string): Row | null {
  const ours = name === 'institution_id' ? { publisher_user_id: 'user-of-ours' } : {}
  const replaced = <T extends object>(part: T | undefined) => ({
    ...part,
    ...pick(part, ours),
    ...pick(part, { [name]: id }),
  })
  const [params, query, body] = [row.params, row.query, row.body]
  if (![params, query, body].some((part) => part !== undefined && name in part)) return null
  return {
    ...row,
    params: replaced(params),
    query: replaced(query),
    ...(body === undefined ? {} : { body: replaced(body) }),
  }
}

function pick(part: object | undefined, values: Readonly<Record<string, string>>): object {
  return Object.fromEntries(Object.entries(values).filter(([name]) => part !== undefined && name in part))
}

/** Serializes a response without the parts that differ between any two responses. */
function serializeAnswer({ status, body, headers }: Answer, id: string): string {
  const { request_id: _, ...problem } = body
  const passing = ['date', 'x-request-id', 'ratelimit-remaining', 'ratelimit-reset']
  const kept = [...headers].filter(([name]) => !passing.includes(name))
  return JSON.stringify([status, problem, kept]).replaceAll(encodeURIComponent(id), '(id)')
}

test("another publisher's ID gets the same response as an unknown one, and nothing changes", async () => {
  const before_ = await contentAtRest(app.service.db.reader)
  // Publishers may register the same name. Banks belong to no publisher, so anyone may link them.
  const exempt = new Set([
    'createUser.publisher_user_id',
    'linkPublicToken.institution_id',
    'linkAccessToken.institution_id',
  ])
  const seen: string[] = []
  for (const operation of operations.filter(({ row }) => row.scope !== 'open')) {
    for (const [name, theirId] of Object.entries(foreign)) {
      const label = `${operation.operationId}.${name}`
      const ask = async (id: string) => {
        const request = withId(operation, name, id)
        if (request === null) return null
        return serializeAnswer(await app.call(operation.method, buildAddress(operation, request), request.body), id)
      }
      if (exempt.has(label)) continue
      const telling = await ask(theirId)
      if (telling === null) continue
      assert.equal(telling, await ask(madeUp[name] ?? ''), label)
      // A list filtered by the other publisher's ID is empty.
      assert.match(telling, /^\[404,|"total_elements":0,/, label)
      seen.push(label)
    }
  }
  assert.ok(seen.length >= 30, `only ${seen.length} ids were tried: ${seen.join(' ')}`)
  assert.deepEqual(await contentAtRest(app.service.db.reader), before_)
})

test("referencing another publisher's name, card or purchase reveals nothing", async () => {
  const { call } = app
  const brands = (text: string) => call('GET', `/publishers/brands?publisher_user_id=user-of-ours&search_text=${text}`)
  assert.equal((await brands(foreign['transaction_uid'] ?? '')).body.total_elements, 0)
  for (const text of [foreign['transaction_uid'], 'event-of-theirs', 'gadgets'])
    assert.equal((await call('GET', `/transactions?search_text=${text}`)).body.total_elements, 0)
  const withCard = (account_id: string, external_id: string) =>
    call('POST', '/transactions', {
      publisher_user_id: 'user-of-ours',
      external_id,
      brand_uid: 'brand-market',
      amount: 50,
      account_id,
    })
  const [mentioned, invented] = [await withCard(theirAccount, 'mention-1'), await withCard('no-account', 'mention-2')]
  for (const { status, body } of [mentioned, invented])
    assert.deepEqual(
      [status, body.status, body.status_reason, body.user_cashback],
      [200, 'CANCELLED', 'card_not_linked', 0],
    )
})

test('identical names, events and keys at two publishers are independent', async () => {
  const [one, other] = [await app.tenant(), await app.tenant()]
  const both = [one, other]
  for (const { call } of both) await activeUser(call, 'twin')
  const key = { 'Idempotency-Key': 'the same key' }
  const [first, second] = await Promise.all([
    one.call('POST', '/transactions', giftCard('twin', 'twin-event', 25), key),
    other.call('POST', '/transactions', giftCard('twin', 'twin-event', 50), key),
  ])
  assert.deepEqual([first.status, second.status], [200, 200])
  assert.notEqual(first.body.transaction_uid, second.body.transaction_uid)
  assert.deepEqual([first.body.user_cashback, second.body.user_cashback], [1, 2])
  await one.call('DELETE', '/users/twin')
  assert.equal((await other.call('GET', '/users/twin')).body.account_status, 'ACTIVE')
})

test('a publisher without data gets empty lists while others have data', async () => {
  const { call } = await app.tenant()
  const lists = operations.filter(
    ({ method, row }) => method === 'GET' && row.params === undefined && row.query !== undefined && 'size' in row.query,
  )
  assert.ok(lists.length >= 5)
  for (const operation of lists.filter(
    ({ row }) => row.query?.['publisher_user_id'] === undefined || row.scope === 'transactions:read',
  )) {
    const { status, body } = await call('GET', operation.path)
    assert.deepEqual([status, body.content, body.total_elements], [200, [], 0], operation.operationId)
  }
  assert.deepEqual((await call('GET', '/events')).body, { content: [], next_after: 0, next_cursor: '0-0' })
  const report = (await call('GET', '/reports/transactions?format=csv')).body as string
  assert.equal(report.trim().split('\n').length, 1)
})

type Step = { readonly user: number; readonly act: number; readonly amount: number }

test("another publisher's activity with identical names has no effect", async () => {
  const steps = fc.array(fc.record({ user: fc.nat(2), act: fc.nat(3), amount: fc.constantFrom(25, 50) }), {
    minLength: 12,
    maxLength: 18,
  })
  await fc.assert(
    fc.asyncProperty(steps, steps, async (mine, others) => {
      const [alone, beside, neighbour] = [await app.tenant(), await app.tenant(), await app.tenant()]
      await play(alone.call, mine)
      await Promise.all([play(beside.call, mine), play(neighbour.call, others)])
      assert.deepEqual(await responseTo(beside.call), await responseTo(alone.call))
    }),
    { numRuns: runs(2), endOnFailure: true },
  )
})

/** Omits deactivations and late acceptances, whose effect on a purchase depends on the exact second they happen. */
async function play(call: Call, steps: readonly Step[]): Promise<void> {
  for (const user of [0, 1, 2]) await activeUser(call, `user-${user}`)
  for (const [index, { user, act, amount }] of steps.entries()) {
    const name = `user-${user}`
    const back = { ...giftCard(name, `back-${index}`, 5), kind: 'REFUND', original_external_id: `event-${user}` }
    if (act === 0) await call('PATCH', `/users/${name}`, { email: `${index}@example.com` })
    else if (act === 1) await call('POST', '/transactions', giftCard(name, `event-${user}`, amount))
    else if (act === 2) await call('POST', '/transactions', back)
    else await call('POST', '/transactions', giftCard(name, `event-${index}`, amount))
  }
}

/** Returns the content of the lists without generated IDs and times. */
async function responseTo(call: Call): Promise<unknown> {
  const passing = new Set(['svc_user_id', 'transaction_uid', 'adjusts', 'available_on'])
  const lists = ['/users/status?sort=publisher_user_id', '/transactions?sort=created_at&size=100']
  const answers = await Promise.all(lists.map((path) => call('GET', path)))
  return answers.map(({ body }) =>
    body.content.map((one: Record<string, unknown>) =>
      Object.fromEntries(Object.entries(one).filter(([name]) => !passing.has(name) && !/_(at|date_time)$/.test(name))),
    ),
  )
}
