import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { CATALOG, startTestApp, type Tenant } from '../../test/support/app.ts'
import { eventually } from '../../test/support/eventually.ts'
import { checkPaging } from '../../test/support/operator-lists.ts'
import { encodeId, toUserId } from '../platform/ids.ts'

const app = await startTestApp()
after(() => app.close())

let other: Tenant
const toId = (tenant: Tenant) => encodeId('pub', tenant.publisher.id)
const encodeUserId = (tenant: Tenant, name: string) => encodeId('usr', toUserId(tenant.publisher.id, name))
const read = async (address: string) => {
  const answer = await app.operator('GET', address)
  assert.equal(answer.status, 200, `${address}: ${JSON.stringify(answer.body)}`)
  return answer.body
}

async function purchase(tenant: Tenant, publisher_user_id: string, external_id: string, more: object): Promise<void> {
  const body = { publisher_user_id, external_id, source: 'GIFT_CARD', ...more }
  assert.equal((await tenant.call('POST', '/transactions', body)).status, 200)
}

before(async () => {
  await app.catalog(CATALOG)
  other = await app.tenant()
  for (const tenant of [app, other])
    for (const name of ['ada', 'bob', 'cleo']) {
      const email = `${name}@example.com`
      assert.equal((await tenant.call('POST', '/users', { publisher_user_id: name, email })).status, 200)
    }
  for (const name of ['ada', 'bob'])
    await app.call('POST', '/terms/accept', { publisher_user_id: name, tnc_id: app.tncId })
  await app.call('DELETE', '/users/bob')
  await purchase(app, 'ada', 'a-1', { amount: 50, offer_uid: 'offer-gadgets-gift' })
  await purchase(app, 'ada', 'a-2', {
    amount: 30,
    brand_uid: 'brand-market',
    transaction_date_time: '2026-01-02T10:00:00Z',
  })
  await purchase(app, 'cleo', 'a-3', {
    amount: 20,
    source: 'OTHER',
    brand_uid: 'brand-market',
    transaction_date_time: '2026-01-03T23:59:59Z',
  })
  await purchase(other, 'ada', 'o-1', {
    amount: 40,
    brand_uid: 'brand-market',
    transaction_date_time: '2026-01-03T10:00:00Z',
  })
})

test("all publishers' users are listed newest first and can be filtered", async () => {
  const [own, others] = [toId(app), toId(other)]
  const cases: readonly [query: string, names: readonly string[]][] = [
    ['', ['other cleo', 'other bob', 'other ada', 'own cleo', 'own bob', 'own ada']],
    ['sort=created_at&limit=2', ['own ada', 'own bob']],
    [`publisher_id=${own}`, ['own cleo', 'own bob', 'own ada']],
    [`publisher_id=${others}&status=PENDING`, ['other cleo', 'other bob', 'other ada']],
    ['status=ACTIVE', ['own ada']],
    ['status=INACTIVE', ['own bob']],
    ['email=ADA@example.com', ['other ada', 'own ada']],
    ['publisher_user_id=bob', ['other bob', 'own bob']],
    [`publisher_user_id=bob&publisher_id=${own}`, ['own bob']],
    [`svc_user_id=${encodeUserId(other, 'cleo')}`, ['other cleo']],
    [`svc_user_id=${encodeUserId(other, 'cleo')}&publisher_id=${own}`, []],
    ['start_date=2999-01-01', []],
    ['end_date=1999-01-01', []],
    [`publisher_id=pub_01kbjyt5v3f4nvj5yq5yfypr9v`, []],
  ]
  for (const [query, names] of cases) {
    const { content } = await read(`/operator/users?${query}`)
    const found = content.map(
      (one: Record<string, string>) => `${one['publisher_id'] === own ? 'own' : 'other'} ${one['publisher_user_id']}`,
    )
    assert.deepEqual(found, names, query)
  }
})

test("all publishers' transactions are listed newest first and can be filtered", async () => {
  const [own, others] = [toId(app), toId(other)]
  const cases: readonly [query: string, externalIds: readonly string[]][] = [
    ['', ['a-1', 'a-3', 'o-1', 'a-2']],
    ['sort=transaction_date_time', ['a-2', 'o-1', 'a-3', 'a-1']],
    ['sort=-amount&currency=USD', ['a-1', 'o-1', 'a-2', 'a-3']],
    ['sort=amount&currency=USD&amount_min=20&amount_max=30', ['a-3', 'a-2']],
    ['sort=amount&currency=EUR', []],
    ['currency=USD&amount_min=20.01', ['a-1', 'o-1', 'a-2']],
    [`publisher_id=${own}`, ['a-1', 'a-3', 'a-2']],
    [`publisher_id=${others}&sort=amount&currency=USD`, ['o-1']],
    [`svc_user_id=${encodeUserId(app, 'ada')}`, ['a-1', 'a-2']],
    [`svc_user_id=${encodeUserId(app, 'ada')}&publisher_id=${others}`, []],
    [`svc_user_id=${encodeUserId(app, 'ada')}&brand_uid=brand-market`, ['a-2']],
    ['brand_uid=brand-market', ['a-3', 'o-1', 'a-2']],
    [`brand_uid=brand-market&publisher_id=${own}`, ['a-3', 'a-2']],
    ['offer_uid=offer-gadgets-gift', ['a-1']],
    ['status=CANCELLED', ['a-3', 'o-1', 'a-2']],
    ['source=OTHER', ['a-3']],
    ['start_date=2026-01-02&end_date=2026-01-03', ['a-3', 'o-1', 'a-2']],
    ['end_date=2026-01-02', ['a-2']],
  ]
  for (const [query, externalIds] of cases) {
    const { content } = await read(`/operator/transactions?${query}`)
    const found = content.map((one: Record<string, string>) => one['external_id'])
    assert.deepEqual(found, externalIds, query)
  }
})

test('an invalid filter or cursor is rejected with an error for the field', async () => {
  const { next_cursor } = await read('/operator/transactions?limit=1')
  const forged = (parts: unknown) => Buffer.from(JSON.stringify(parts)).toString('base64url')
  const id = '00000000-0000-0000-0000-000000000000'
  const cases: readonly [address: string, field: string][] = [
    ['/operator/users?status=GONE', 'status'],
    ['/operator/users?svc_user_id=ada', 'svc_user_id'],
    ['/operator/users?email=ada', 'email'],
    ['/operator/users?limit=501', 'limit'],
    ['/operator/users?sort=email', 'sort'],
    ['/operator/users?cursor=x', 'cursor'],
    [`/operator/users?cursor=${next_cursor}`, 'cursor'],
    [`/operator/users?cursor=${forged(['-created_at', '12', id])}`, 'cursor'],
    [`/operator/users?cursor=${forged(['-created_at', '2026-02-31T00:00:00.000000Z', id])}`, 'cursor'],
    [`/operator/users?cursor=${forged(['-created_at', '2026-02-01T00:00:00.000000Z', 'x'])}`, 'cursor'],
    ['/operator/transactions?sort=amount', 'currency'],
    ['/operator/transactions?amount_min=1', 'currency'],
    ['/operator/transactions?currency=USD&amount_min=1.001', 'amount_min'],
    ['/operator/transactions?source=CASH', 'source'],
    [`/operator/transactions?sort=amount&currency=USD&cursor=${next_cursor}`, 'cursor'],
  ]
  for (const [address, field] of cases) {
    const { status, body } = await app.operator('GET', address)
    assert.deepEqual([status, body.errors?.[0].field], [400, field], address)
  }
  assert.equal((await app.operator('GET', '/operator/users?publisher_id=nobody')).status, 404)
})

test('paging by cursor returns each row once, even while new ones arrive', async () => {
  for (const [list, filter, key] of [
    ['users', 'sort=created_at&status=PENDING', 'svc_user_id'],
    ['users', 'sort=-created_at', 'svc_user_id'],
    ['transactions', 'sort=-amount&currency=USD&status=CANCELLED', 'transaction_uid'],
    ['transactions', 'sort=transaction_date_time&brand_uid=brand-market', 'transaction_uid'],
  ] as const) {
    const whole = (await read(`/operator/${list}?${filter}&limit=100`)).content.map(
      (one: Record<string, string>) => one[key],
    )
    const seen: (string | undefined)[] = []
    let cursor = ''
    for (let step = 0; step < 60; step++) {
      const { content, next_cursor } = await read(`/operator/${list}?${filter}&limit=3${cursor}`)
      seen.push(...content.map((one: Record<string, string>) => one[key]))
      if (next_cursor === null) break
      cursor = `&cursor=${next_cursor}`
      await other.call('POST', '/users', { publisher_user_id: `late-${list}-${step}-${filter.length}` })
      await purchase(other, 'bob', `late-${list}-${step}`, { amount: 5 + step * 7, brand_uid: 'brand-market' })
    }
    assert.equal(new Set(seen).size, seen.length, filter)
    assert.deepEqual(
      whole.filter((one: string) => !seen.includes(one)),
      [],
      filter,
    )
  }
})

test('the audit log can be filtered by subject, actor, action and time, and paged', async () => {
  const made = (await app.operator('POST', '/operator/publishers', { name: 'Audited', environment: 'sandbox' })).body
  const keys = `/operator/publishers/${made.publisher_id}/keys`
  for (let count = 0; count < 3; count++) await app.operator('POST', keys, {})
  const actions = async (query: string) =>
    (await read(`/operator/audit?${query}`)).content.map((one: Record<string, string>) => one['action'])
  assert.deepEqual(await actions(`subject=${made.publisher_id}`), ['publisher.created'])
  assert.deepEqual(await actions('action=key.created&actor=Ada'), Array(3).fill('key.created'))
  assert.deepEqual(await actions('action=key.created&to=2020-01-01T00:00:00Z'), [])
  assert.deepEqual(await actions('action=key.created&from=2999-01-01T00:00:00Z'), [])
  const first = await read('/operator/audit?action=key.created&limit=2')
  const second = await read(`/operator/audit?action=key.created&limit=2&cursor=${first.next_cursor}`)
  assert.deepEqual([first.content.length, second.content.length, second.next_cursor], [2, 1, null])
  const subjects = [...first.content, ...second.content].map((one) => one.subject)
  assert.equal(new Set(subjects).size, 3)
  assert.equal((await app.operator('GET', '/operator/audit?cursor=x')).body.errors[0].field, 'cursor')
})

test("all publishers' webhook endpoints and deliveries are listed and can be filtered", async () => {
  const url = 'http://127.0.0.1:9/other'
  const { endpoint_id } = (await other.call('POST', '/webhooks/endpoints', { url })).body
  await other.call('POST', '/users', { publisher_user_id: 'hooked' })
  const delivery = await eventually(async () => (await read('/operator/deliveries?limit=1')).content[0])
  assert.deepEqual(
    [delivery.publisher_id, delivery.endpoint_id, delivery.event_type],
    [toId(other), endpoint_id, 'user.created'],
  )
  const [endpoint] = await eventually(async () => {
    const { content } = await read('/operator/endpoints?failing=true')
    return content.length > 0 && content
  })
  assert.deepEqual(
    [endpoint.endpoint_id, endpoint.publisher_id, 'secret' in endpoint],
    [endpoint_id, toId(other), false],
  )
  for (const [address, count] of [
    [`deliveries?publisher_id=${toId(other)}&status=pending&event_type=user.created&endpoint_id=${endpoint_id}`, 1],
    ['deliveries?status=delivered', 0],
    ['deliveries?event_type=card.linked', 0],
    [`deliveries?publisher_id=${toId(app)}`, 0],
    [`endpoints?publisher_id=${toId(other)}&status=enabled`, 1],
    [`endpoints?publisher_id=${toId(other)}&status=disabled`, 0],
  ] as const)
    assert.equal((await read(`/operator/${address}`)).content.length, count, address)
  assert.equal((await app.operator('GET', '/operator/deliveries?endpoint_id=x')).body.errors[0].field, 'endpoint_id')
})

test('publishers, webhooks and the audit log can be paged in every sort order', async () => {
  for (const name of ['Zoë', 'acorn', 'acorn'])
    await app.operator('POST', '/operator/publishers', { name, environment: 'sandbox' })
  for (const path of ['one', 'two', 'three'])
    await other.call('POST', '/webhooks/endpoints', { url: `http://127.0.0.1:9/${path}` })
  await other.call('POST', '/users', { publisher_user_id: 'delivered' })
  await eventually(async () => (await read('/operator/deliveries')).content.length > 3)
  await checkPaging(app, '/operator/publishers', { key: 'publisher_id', orders: ['created_at', 'name'] })
  await checkPaging(app, '/operator/endpoints', { key: 'endpoint_id', orders: ['created_at'] })
  await checkPaging(app, '/operator/deliveries?event_type=user.created', { key: 'delivery_id', orders: ['created_at'] })
  await checkPaging(app, '/operator/audit?action=publisher.created', { key: 'subject', orders: ['at'] })
})

test('a role can read only the lists that it has permission for', async () => {
  for (const [role, list, status] of [
    ['catalog', 'users', 403],
    ['support', 'users', 200],
    ['read-only', 'users', 200],
    ['catalog', 'transactions', 200],
    ['finance', 'transactions', 200],
  ] as const)
    assert.equal((await (await app.staff(role))('GET', `/operator/${list}`)).status, status, `${role} ${list}`)
})

test('anything can be found by its ID, email address or name', async () => {
  const transaction = (await read(`/operator/transactions?offer_uid=offer-gadgets-gift`)).content[0].transaction_uid
  const endpoint = await app.call('POST', '/webhooks/endpoints', { url: 'http://127.0.0.1:9/hook' })
  const ada = encodeUserId(app, 'ada')
  const { report_id } = (await app.call('POST', '/reports', { kind: 'transactions' })).body
  const invited = { email: 'Mara@laurel.example', role: 'support' }
  const [ours, theirs] = [
    (await app.operator('POST', '/operator/staff', invited)).body.account_id,
    (await other.call('POST', '/staff', { ...invited, email: 'mara@other.example' })).body.account_id,
  ]
  const { payment_id } = (
    await app.operator('POST', '/operator/payments', {
      publisher_id: toId(app),
      direction: 'received',
      party: 'advertiser',
      brand_uid: 'brand-market',
      amount: 5,
      currency: 'USD',
      external_ref: 'wire',
      value_date: new Date().toISOString().slice(0, 10),
    })
  ).body
  for (const [q, hits] of [
    [report_id, [`report ${report_id}`]],
    [payment_id, [`payment ${payment_id}`]],
    [ours, [`account ${ours}`]],
    ['mara@LAUREL.example', [`account ${ours}`]],
    ['mara@other.example', [`account ${theirs}`]],
    [transaction, [`transaction ${transaction}`]],
    [ada, [`user ${ada}`]],
    [endpoint.body.endpoint_id, [`webhook_endpoint ${endpoint.body.endpoint_id}`]],
    [toId(other), [`publisher ${toId(other)}`]],
    ['ADA@example.com', [`user ${ada}`, `user ${encodeUserId(other, 'ada')}`]],
    ['cleo', [`user ${encodeUserId(app, 'cleo')}`, `user ${encodeUserId(other, 'cleo')}`]],
    ['a-1', [`transaction ${transaction}`]],
    ['gadget barn', ['brand brand-gadgets']],
    ['brand-market', ['brand brand-market']],
    ['offer-market', ['offer offer-market']],
    ['usr_01kbjyt5v3f4nvj5yq5yfypr9v', []],
    ['\u{1f600}%_', []],
  ] as const) {
    const { content } = await read(`/operator/search?q=${encodeURIComponent(q)}`)
    const found = content.map((one: Record<string, string>) => `${one['kind']} ${one['id']}`)
    assert.deepEqual(found.sort(), [...hits].sort(), q)
  }
})
