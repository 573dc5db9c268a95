import assert from 'node:assert/strict'
import { test } from 'node:test'
import { linkItem, linkTokenBody, openReceiver, openSimulator } from '../test-support.ts'
import official from './fields.json' with { type: 'json' }

/** Checks that the simulator's responses and webhooks have the fields in the provider's own API description. */

type Fields = Readonly<Record<string, string>>
const FIELDS: Readonly<Record<string, Fields>> = official.fields

/** Provider fields newer than the API description from which the list was generated. */
const NEWER: Fields = {
  'added[].merchant_category_code': 'null|string',
  'modified[].merchant_category_code': 'null|string',
}

/** Lists the differences between a value and the description: unknown fields, missing fields and wrong types. */
function findFaults(fields: Fields, value: unknown, path = ''): string[] {
  const known = new Set(Object.keys(fields))
  if (Array.isArray(value)) return value.flatMap((element) => faultAt(fields, `${path}[]`, element))
  if (typeof value !== 'object' || value === null) return []
  const prefix = path === '' ? '' : `${path}.`
  const below = [...known].filter((name) => name.startsWith(prefix) && !/[.[]/.test(name.slice(prefix.length)))
  if (below.length === 0) return []
  const missing = below.filter((name) => !(name.slice(prefix.length) in value) && fields[name]?.endsWith('?') === false)
  return [
    ...missing.map((name) => `${name} is missing`),
    ...Object.entries(value).flatMap(([name, part]) => faultAt(fields, `${prefix}${name}`, part)),
  ]
}

function faultAt(fields: Fields, path: string, value: unknown): string[] {
  const types = fields[path]?.replace('?', '')
  if (types === undefined) return [`${path} is unknown`]
  const is = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
  const fits =
    types === '' || types.split('|').some((type) => type === is || (type === 'integer' && Number.isInteger(value)))
  return fits ? findFaults(fields, value, path) : [`${path} is ${is}, not ${types}`]
}

function holds(name: string, value: unknown): void {
  assert.deepEqual([name, findFaults({ ...FIELDS[name], ...NEWER }, value)], [name, []])
}

test("every response has exactly the provider's fields and types", async (t) => {
  const simulator = await openSimulator(t)
  const { access_token, item_id } = await linkItem(simulator, {
    institution: 'ins_127287',
    username: 'user_transactions_dynamic',
  })
  const asked = async (path: string, body: object) => {
    const answer = await simulator.call<Record<string, unknown>>(path, body)
    assert.equal(answer.status, 200, `${path}: ${JSON.stringify(answer.body)}`)
    holds(path, answer.body)
    return answer.body
  }
  const place = { city: 'Troy', lat: 1.5, store_number: '7' }
  const shop = {
    merchant: 'Fern Foods',
    website: 'fernfoods.example',
    mcc: '5411',
    marketplace: 'Dashing',
    location: place,
  }
  const row = await simulator.control<{ transaction_id: string }>('purchases', { item_id, amount: 5, ...shop })
  await asked('/transactions/sync', { access_token })
  const { next_cursor } = await asked('/transactions/sync', { access_token })
  await simulator.control(`purchases/${row.body.transaction_id}/change`, { amount: 6 })
  await asked('/transactions/refresh', { access_token })
  await asked('/transactions/sync', { access_token, cursor: next_cursor })
  await simulator.control(`purchases/${row.body.transaction_id}/remove`)
  await asked('/transactions/sync', { access_token, cursor: next_cursor })
  await asked('/accounts/get', { access_token })
  holds('/accounts/get', (await simulator.call('/accounts/balance/get', { access_token })).body)
  await asked('/item/get', { access_token })
  await asked('/item/webhook/update', { access_token, webhook: 'https://hooks.example/in' })
  for (const include_optional_metadata of [false, true])
    await asked('/institutions/get_by_id', {
      institution_id: 'ins_127287',
      country_codes: ['US'],
      options: { include_optional_metadata },
    })
  const { link_token } = await asked('/link/token/create', linkTokenBody({ hosted_link: {} }))
  await asked('/link/token/get', { link_token })
  const { public_token } = await asked('/sandbox/public_token/create', {
    institution_id: 'ins_109508',
    initial_products: ['transactions'],
  })
  await asked('/item/public_token/exchange', { public_token })
  const day = new Date().toISOString().slice(0, 10)
  const transactions = [{ date_transacted: day, date_posted: day, amount: 1, description: 'Fern Foods' }]
  await asked('/sandbox/transactions/create', { access_token, transactions })
  await asked('/sandbox/item/fire_webhook', { access_token, webhook_code: 'SYNC_UPDATES_AVAILABLE' })
  await asked('/sandbox/item/reset_login', { access_token })
  await asked('/item/get', { access_token })
  holds('error', (await simulator.call('/accounts/get', { access_token })).body)
  const replaced = await asked('/item/access_token/invalidate', { access_token })
  await asked('/item/remove', { access_token: replaced['new_access_token'] })
})

test("every webhook, and its signing key, has exactly the provider's fields and types", async (t) => {
  const simulator = await openSimulator(t)
  const receiver = await openReceiver(t)
  const { access_token, item_id } = await linkItem(simulator, { webhook: receiver.url })
  const sent = async (code: string, act: () => Promise<unknown>) => {
    await act()
    const { content, jwt } = await receiver.next()
    assert.equal(content['webhook_code'], code)
    holds(code, content)
    return jwt
  }
  const toItem = (verb: string, body: object = {}) => simulator.control(`items/${item_id}/${verb}`, body)
  await simulator.call('/transactions/sync', { access_token })
  const jwt = await sent('SYNC_UPDATES_AVAILABLE', () =>
    simulator.control('purchases', { item_id, merchant: 'A', amount: 5 }),
  )
  const { kid } = JSON.parse(Buffer.from(jwt.split('.')[0] ?? '', 'base64url').toString())
  holds('/webhook_verification_key/get', (await simulator.call('/webhook_verification_key/get', { key_id: kid })).body)
  await sent('ERROR', () => toItem('break'))
  await sent('LOGIN_REPAIRED', () => toItem('repair'))
  await receiver.next()
  await sent('PENDING_DISCONNECT', () => toItem('expire-consent', { in_seconds: 60 }))
  await sent('PENDING_EXPIRATION', () => toItem('expire-consent', { in_seconds: 60, as: 'expiration' }))
  await sent('NEW_ACCOUNTS_AVAILABLE', () => toItem('open-account'))
  const { items } = await simulator.ask<{ items: { accounts: { account_id: string }[] }[] }>('items')
  const account_id = items[0]?.accounts[0]?.account_id
  await sent('USER_ACCOUNT_REVOKED', () => toItem('close-account', { account_id, still_listed: true }))
  await receiver.next()
  await sent('WEBHOOK_UPDATE_ACKNOWLEDGED', () =>
    simulator.call('/item/webhook/update', { access_token, webhook: receiver.url }),
  )
  await sent('USER_PERMISSION_REVOKED', () => toItem('revoke'))
})
