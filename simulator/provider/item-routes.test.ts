import assert from 'node:assert/strict'
import { test } from 'node:test'
import { linkItem, openSimulator, type Tokens } from '../test-support.ts'

type Accounts = { readonly accounts: readonly Account[] }
type Account = {
  readonly account_id: string
  readonly name: string
  readonly mask: string | null
  readonly type: string
  readonly persistent_account_id?: string
  readonly balances: { readonly current: number; readonly available: number }
}

test('the same login linked twice has the same accounts under new ids', async (t) => {
  const simulator = await openSimulator(t)
  const read = async ({ access_token }: Tokens) =>
    (await simulator.call<Accounts>('/accounts/get', { access_token })).body.accounts
  const first = await read(await linkItem(simulator))
  const second = await read(await linkItem(simulator))
  assert.ok(first.length >= 2 && first.length <= 4)
  assert.deepEqual(
    first.map(({ name, mask }) => [name, mask]),
    second.map(({ name, mask }) => [name, mask]),
  )
  const ids = new Set([...first, ...second].map(({ account_id }) => account_id))
  assert.equal(ids.size, first.length + second.length)
})

test('a persistent account id survives relinking if the bank supports it', async (t) => {
  const simulator = await openSimulator(t)
  const persistent = async (institution: string) => {
    const { access_token } = await linkItem(simulator, { institution })
    const { body } = await simulator.call<Accounts>('/accounts/get', { access_token })
    return body.accounts.map((account) => account.persistent_account_id)
  }
  const first = await persistent('ins_127287')
  assert.deepEqual(first, await persistent('ins_127287'))
  assert.ok(first.some((id) => id !== undefined))
  assert.ok((await persistent('ins_109508')).every((id) => id === undefined))
})

test('a bank that hides masks returns null for them', async (t) => {
  const simulator = await openSimulator(t)
  const { access_token } = await linkItem(simulator, { institution: 'ins_810006' })
  const { body } = await simulator.call<Accounts>('/accounts/get', { access_token })
  assert.ok(body.accounts.every(({ mask }) => mask === null))
})

test('an institution is returned with its logo and color on request', async (t) => {
  const { call } = await openSimulator(t)
  type Reply = { institution: { name: string; logo?: string; primary_color?: string } }
  const wish = { institution_id: 'ins_109508', country_codes: ['US'] }
  const plain = await call<Reply>('/institutions/get_by_id', wish)
  assert.equal(plain.body.institution.name, 'First Platypus Bank')
  assert.equal(plain.body.institution.logo, undefined)
  const full = await call<Reply>('/institutions/get_by_id', { ...wish, options: { include_optional_metadata: true } })
  const logo = Buffer.from(full.body.institution.logo ?? '', 'base64')
  assert.equal(logo.subarray(1, 4).toString(), 'PNG')
  assert.equal(logo.readUInt32BE(16), 152)
  assert.match(full.body.institution.primary_color ?? '', /^#[0-9a-f]{6}$/)
  const unknown = await call('/institutions/get_by_id', { ...wish, institution_id: 'ins_0' })
  assert.equal(unknown.body.error_code, 'INVALID_INSTITUTION')
})

test('a removed item is not found, and an unknown token is invalid', async (t) => {
  const simulator = await openSimulator(t)
  const { access_token } = await linkItem(simulator)
  assert.equal((await simulator.call('/item/remove', { access_token })).status, 200)
  const again = await simulator.call('/item/remove', { access_token })
  assert.equal(again.body.error_code, 'ITEM_NOT_FOUND')
  const upper = await simulator.call('/item/get', { access_token: access_token.toUpperCase() })
  assert.equal(upper.body.error_code, 'INVALID_ACCESS_TOKEN')
})

test('a reset login is reported on the item, and calls for the item fail until it is repaired', async (t) => {
  const simulator = await openSimulator(t)
  const { access_token, item_id } = await linkItem(simulator)
  type Reply = { item: { error: { error_code: string } | null } }
  await simulator.call('/sandbox/item/reset_login', { access_token })
  const reply = await simulator.call<Reply>('/item/get', { access_token })
  assert.equal(reply.body.item.error?.error_code, 'ITEM_LOGIN_REQUIRED')
  for (const path of ['/accounts/get', '/transactions/sync', '/transactions/refresh']) {
    assert.equal((await simulator.call(path, { access_token })).body.error_code, 'ITEM_LOGIN_REQUIRED')
  }
  await simulator.control(`items/${item_id}/repair`)
  assert.equal((await simulator.call<Reply>('/item/get', { access_token })).body.item.error, null)
  assert.equal((await simulator.call('/transactions/sync', { access_token })).status, 200)
})

test('a purchase changes only the balances of its own account', async (t) => {
  const simulator = await openSimulator(t)
  const { access_token, item_id } = await linkItem(simulator)
  const read = async () => (await simulator.call<Accounts>('/accounts/get', { access_token })).body.accounts
  const before = await read()
  const checking = before.find(({ type }) => type === 'depository')
  await simulator.control('purchases', {
    item_id,
    account_id: checking?.account_id,
    merchant: 'Fern Foods',
    amount: 10.1,
  })
  const moved = (await read()).map(({ balances }, index) => {
    return Math.round((balances.current - (before[index]?.balances.current ?? 0)) * 100)
  })
  assert.deepEqual(
    moved.filter((cents) => cents !== 0),
    [-1010],
  )
})

test('a login with a wrong password cannot be linked', async (t) => {
  const { call } = await openSimulator(t)
  const wish = {
    institution_id: 'ins_109508',
    initial_products: ['transactions'],
    options: { override_password: 'no' },
  }
  assert.equal((await call('/sandbox/public_token/create', wish)).body.error_code, 'INVALID_CREDENTIALS')
})

const REFUSED_CALLS: readonly [what: string, path: string, body: unknown, status: number, code: string][] = [
  ['a missing field', '/item/get', {}, 400, 'MISSING_FIELDS'],
  ['an unknown field', '/item/get', { access_token: 'x', colour: 'red' }, 400, 'UNKNOWN_FIELDS'],
  ['a field of the wrong type', '/item/get', { access_token: 7 }, 400, 'INVALID_FIELD'],
  ['a count out of range', '/transactions/sync', { access_token: 'x', count: 501 }, 400, 'INVALID_FIELD'],
  ['an overlong cursor', '/transactions/sync', { access_token: 'x', cursor: 'c'.repeat(257) }, 400, 'INVALID_FIELD'],
  ['an unknown path', '/item/paint', {}, 404, 'NOT_FOUND'],
]
for (const [what, path, body, status, code] of REFUSED_CALLS) {
  test(`${what} is rejected with ${code}`, async (t) => {
    const { call } = await openSimulator(t)
    const answer = await call<{ error_code: string; request_id: string; display_message: null }>(path, body)
    assert.deepEqual([answer.status, answer.body.error_code, answer.body.display_message], [status, code, null])
    assert.ok(answer.body.request_id.length > 0)
  })
}

test('a body that is not JSON is rejected with INVALID_BODY', async (t) => {
  const { url } = await openSimulator(t)
  const headers = { 'content-type': 'application/json', 'plaid-client-id': 'a', 'plaid-secret': 'b' }
  const answer = await fetch(`${url}/item/get`, { method: 'POST', headers, body: '{"access_token":' })
  const body = (await answer.json()) as { error_code: string }
  assert.deepEqual([answer.status, body.error_code], [400, 'INVALID_BODY'])
})
