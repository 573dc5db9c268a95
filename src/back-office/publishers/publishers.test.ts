import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { makeCaller, startTestApp } from '../../../test/support/app.ts'
import { eventually } from '../../../test/support/eventually.ts'
import { dereference, type Schema } from '../../../test/support/openapi.ts'
import { encodeId } from '../../platform/ids.ts'

const app = await startTestApp()
after(() => app.close())

async function created(name: string): Promise<string> {
  const { status, body } = await app.operator('POST', '/operator/publishers', { name, environment: 'sandbox' })
  assert.equal(status, 200)
  return body.publisher_id
}
const lastEntry = async (subject: string) =>
  (await app.operator('GET', `/operator/audit?subject=${subject}&limit=1`)).body.content[0]

test('a publisher can be created, listed with its user count and read with all settings', async () => {
  const id = await created('Meadow Rewards')
  assert.equal((await lastEntry(id)).action, 'publisher.created')
  const { body } = await app.operator('GET', `/operator/publishers/${id}`)
  assert.deepEqual(
    [body.name, body.environment, body.currency, body.fee_percent, body.limits.length, body.redirect_uris],
    ['Meadow Rewards', 'sandbox', 'USD', 0, 1, []],
  )
  await app.call('POST', '/users', { publisher_user_id: 'ada' })
  const own = encodeId('pub', app.publisher.id)
  const all = (await app.operator('GET', '/operator/publishers')).body
  assert.deepEqual(
    all.content.map((one: Record<string, unknown>) => [one['publisher_id'], one['users']]),
    [
      [own, 1],
      [id, 0],
    ],
  )
  const named = (await app.operator('GET', '/operator/publishers?search_text=MEADOW&environment=sandbox')).body
  assert.deepEqual([named.content.length, named.content[0].publisher_id], [1, id])
  assert.equal((await app.operator('GET', '/operator/publishers?environment=production')).body.content.length, 0)
})

test('settings and limits can be changed together, and the audit log records the old and new values', async () => {
  const id = await created('Changing')
  const changes = { share_percent: 12.5, claim_days: 10, limits: { redemption_minimum: 5, redemption_review_above: 0 } }
  const { body } = await app.operator('PATCH', `/operator/publishers/${id}`, changes)
  assert.deepEqual([body.share_percent, body.claim_days, body.limits[0].redemption_minimum], [12.5, 10, 5])
  const { action, before, after } = await lastEntry(id)
  assert.equal(action, 'publisher.changed')
  assert.deepEqual(Object.keys(before).sort(), ['claim_days', 'limits', 'share_percent'])
  assert.deepEqual([before.share_percent, after.share_percent], [0, 12.5])
  assert.equal((await app.operator('POST', `/operator/publishers/${id}/currencies`, { currency: 'EUR' })).status, 200)
  const euro = { limits: { currency: 'EUR', adjustment_alone_max: 7.5 } }
  const changed = (await app.operator('PATCH', `/operator/publishers/${id}`, euro)).body
  assert.deepEqual(
    changed.limits.map((one: Record<string, unknown>) => [one['currency'], one['adjustment_alone_max']]),
    [
      ['USD', 25],
      ['EUR', 7.5],
    ],
  )
})

test('a change based on a stale value is rejected with the current value and overwrites nothing', async () => {
  const id = await created('Shared')
  const change = (body: object) => app.operator('PATCH', `/operator/publishers/${id}`, body)
  await change({ share_percent: 10 })
  const late = await change({ share_percent: 20, claim_days: 9, expected: { share_percent: 0 } })
  assert.deepEqual([late.status, late.body.code, late.body.field], [409, 'changed_meanwhile', 'share_percent'])
  assert.match(late.body.detail, /It is now 10/)
  const kept = (await app.operator('GET', `/operator/publishers/${id}`)).body
  assert.deepEqual([kept.share_percent, kept.claim_days === 9], [10, false])
  // Another field, or one that still has the expected value, can be changed.
  assert.equal((await change({ claim_days: 9, expected: { claim_days: kept.claim_days } })).status, 200)
  const minimum = kept.limits[0].redemption_minimum
  const limits = (value: number, was: number) =>
    change({ limits: { redemption_minimum: value }, expected: { limits: { redemption_minimum: was } } })
  assert.equal((await limits(7, minimum)).status, 200)
  assert.equal((await limits(8, minimum)).body.field, 'limits.redemption_minimum')
  const race = await Promise.all(
    [11, 12].map((share) => change({ share_percent: share, expected: { share_percent: 10 } })),
  )
  assert.deepEqual(race.map(({ status }) => status).sort(), [200, 409])
})

test('a change without effect leaves no audit log entry', async () => {
  const id = await created('Unchanged')
  for (const body of [{}, { name: 'Unchanged' }, { limits: {} }])
    assert.equal((await app.operator('PATCH', `/operator/publishers/${id}`, body)).status, 200)
  assert.equal((await lastEntry(id)).action, 'publisher.created')
})

test('names are trimmed, and a blank name is rejected', async () => {
  const id = await created('  Trimmed Rewards ')
  const nameNow = async () => (await app.operator('GET', `/operator/publishers/${id}`)).body.name
  assert.equal(await nameNow(), 'Trimmed Rewards')
  await app.operator('PATCH', `/operator/publishers/${id}`, { name: ' Renamed ' })
  assert.equal(await nameNow(), 'Renamed')
  const blank = await app.operator('POST', '/operator/publishers', { name: '  ', environment: 'sandbox' })
  assert.deepEqual([blank.status, blank.body.errors[0].field], [400, 'name'])
})

test('an invalid setting is rejected with an error for the field, and nothing is changed', async () => {
  const id = await created('Steady')
  const before = (await app.operator('GET', `/operator/publishers/${id}`)).body
  for (const [body, status, field] of [
    [{ fee_percent: 60, share_percent: 50 }, 400, 'share_percent'],
    [{ fee_percent: 1.00001 }, 400, 'fee_percent'],
    [{ fee_percent: 101 }, 400, 'fee_percent'],
    [{ limits: { redemption_minimum: 0 } }, 400, 'limits.redemption_minimum'],
    [{ time_zone: 'Moon/Crater' }, 400, 'time_zone'],
    [{ link_countries: ['XX'] }, 400, 'link_countries'],
    [{ limits: { redemption_minimum: 0.001 } }, 400, 'limits.redemption_minimum'],
    [{ limits: { currency: 'EUR', redemption_minimum: 5 } }, 400, 'limits.currency'],
    [{ environment: 'production' }, 400, 'environment'],
  ] as const) {
    const answer = await app.operator('PATCH', `/operator/publishers/${id}`, body)
    assert.equal(answer.status, status, JSON.stringify([body, answer.body]))
    if (field !== null) assert.equal(answer.body.errors[0].field, field)
  }
  assert.deepEqual((await app.operator('GET', `/operator/publishers/${id}`)).body, before)
  assert.equal((await app.operator('GET', '/operator/publishers/nobody')).status, 404)
})

const CHANGE = '/operator/publishers/{publisher_id}'
type Body = { readonly content: { readonly 'application/json': { readonly schema: Schema } } }

test('the minimum and maximum of each numeric setting in the API reference are accepted', async () => {
  const id = await created('Bounded')
  const reference = (await (await fetch(new URL('/openapi.json', app.service.url))).json()) as object
  const { paths } = dereference(reference) as { paths: Record<typeof CHANGE, { patch: { requestBody: Body } }> }
  const { schema } = paths[CHANGE].patch.requestBody.content['application/json']
  const { limits, ...settings } = schema.properties ?? {}
  const bodies = [...listBounds(settings), ...listBounds(limits?.properties).map((one) => ({ limits: one }))]
  assert.ok(bodies.length > 20, `only ${bodies.length} bounds`)
  for (const body of bodies) {
    // The two shares together may not exceed 100%.
    await app.operator('PATCH', `/operator/publishers/${id}`, { fee_percent: 0, share_percent: 0 })
    const answer = await app.operator('PATCH', `/operator/publishers/${id}`, body)
    assert.equal(answer.status, 200, JSON.stringify([body, answer.body]))
  }
})

function listBounds(members: Schema['properties'] = {}): Record<string, number>[] {
  return Object.entries(members).flatMap(([name, schema]) =>
    [schema, ...(schema.anyOf ?? [])]
      .flatMap(({ minimum, maximum }) => [minimum, maximum])
      .filter((bound) => bound !== undefined)
      .map((bound) => ({ [name]: bound })),
  )
}

test('the preview splits a purchase exactly as a real reward is split', async () => {
  for (const [asked, split] of [
    [{ fee_percent: 10, share_percent: 20, commission_percent: 5 }, [5, 3.5, 1, 0.5]],
    [{ fee_percent: 33.3333, share_percent: 33.3333, commission_percent: 0.05 }, [0.05, 0.03, 0.01, 0.01]],
    [{ fee_percent: 0, share_percent: 100, commission_percent: 2.5, amount: 20, currency: 'JPY' }, [1, 0, 1, 0]],
  ] as const) {
    const { body } = await app.operator('POST', '/operator/publishers/preview', asked)
    assert.deepEqual([body.commission, body.user_cashback, body.publisher_share, body.fee], split)
  }
  for (const [asked, field] of [
    [{ fee_percent: 60, share_percent: 50, commission_percent: 5 }, 'share_percent'],
    [{ fee_percent: 1, share_percent: 1, commission_percent: 5, amount: 0.5, currency: 'JPY' }, 'amount'],
  ] as const) {
    const { status, body } = await app.operator('POST', '/operator/publishers/preview', asked)
    assert.deepEqual([status, body.errors[0].field], [400, field])
  }
})

test('a key is returned once, works until revoked, and can be revoked only under its own publisher', async () => {
  const [id, other] = [await created('Keyed'), await created('Other')]
  const keys = `/operator/publishers/${id}/keys`
  const { body: key } = await app.operator('POST', keys, { scopes: ['users:read'], addresses: ['127.0.0.1', '::1'] })
  const call = makeCaller(app.service.url, key.api_key)
  await eventually(async () => (await call('GET', '/users')).status === 200)
  assert.equal((await call('GET', '/transactions')).status, 403)
  const listed = await app.operator('GET', keys)
  assert.ok(!JSON.stringify(listed.body).includes(key.api_key))
  assert.deepEqual(listed.body.content[0].last_four, key.api_key.slice(-4))
  assert.ok(!JSON.stringify(await lastEntry(key.key_id)).includes(key.api_key))
  assert.equal((await app.operator('DELETE', `/operator/publishers/${other}/keys/${key.key_id}`)).status, 404)
  assert.equal((await app.operator('DELETE', `${keys}/${key.key_id}`)).status, 200)
  await eventually(async () => (await call('GET', '/users')).status === 401)
  assert.equal((await app.operator('DELETE', `${keys}/${key.key_id}`)).status, 404)
  for (const [body, field] of [
    [{ addresses: ['nowhere'] }, 'addresses.0'],
    [{ expires_at: '2020-01-01T00:00:00Z' }, 'expires_at'],
    [{ scopes: ['all'] }, 'scopes.0'],
  ] as const)
    assert.equal((await app.operator('POST', keys, body)).body.errors?.[0].field, field)
})

test('return addresses can be allowed and removed', async () => {
  const id = await created('Linking')
  const address = `/operator/publishers/${id}/return-addresses`
  const allowed = await app.operator('POST', address, { redirect_uri: 'https://app.example/linked' })
  assert.deepEqual(allowed.body.redirect_uris, ['https://app.example/linked'])
  assert.deepEqual((await lastEntry(id)).after, { redirect_uri: 'https://app.example/linked' })
  assert.equal((await app.operator('POST', address, { redirect_uri: 'ftp://app.example' })).status, 400)
  assert.equal((await app.operator('POST', address, {})).status, 400)
  const value = `${address}?value=${encodeURIComponent('https://app.example/linked')}`
  assert.deepEqual((await app.operator('DELETE', value)).body.redirect_uris, [])
  assert.equal((await app.operator('DELETE', value)).status, 404)
})

test('only an admin can change publishers and keys', async () => {
  const id = encodeId('pub', app.publisher.id)
  for (const role of ['support', 'finance', 'catalog', 'read-only'] as const) {
    const call = await app.staff(role)
    assert.equal((await call('GET', '/operator/publishers')).status, 200)
    assert.equal((await call('PATCH', `/operator/publishers/${id}`, { claim_days: 3 })).status, 403)
    assert.equal((await call('POST', `/operator/publishers/${id}/keys`, {})).status, 403)
    const seesKeys = role === 'support' || role === 'read-only'
    assert.equal((await call('GET', `/operator/publishers/${id}/keys`)).status, seesKeys ? 200 : 403)
  }
})

test('a production publisher with card linking but no real linker is rejected, as it would block restarts', async () => {
  const make = (more: object) =>
    app.operator('POST', '/operator/publishers', { name: 'Live', environment: 'production', ...more })
  const { status, body } = await make({})
  assert.deepEqual([status, body.code, body.errors[0].field], [400, 'setting_invalid', 'environment'])
  assert.match(body.detail, /LAUREL_LINKER=plaid.*links_cards/)
  const made = await make({ links_cards: false })
  assert.deepEqual([made.status, made.body.links_cards], [200, false])
  const path = `/operator/publishers/${made.body.publisher_id}`
  assert.equal((await app.operator('PATCH', path, { links_cards: true })).body.code, 'setting_invalid')
  assert.equal((await app.operator('PATCH', path, { share_percent: 20 })).status, 200)
})

test('a key without scopes is rejected instead of getting all scopes', async () => {
  const path = `/operator/publishers/${encodeId('pub', app.publisher.id)}/keys`
  const { status, body } = await app.operator('POST', path, { scopes: [] })
  assert.deepEqual([status, body.errors?.[0]?.field], [400, 'scopes'])
})
