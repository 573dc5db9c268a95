import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startTestApp } from '../../../test/support/app.ts'
import { eventually } from '../../../test/support/eventually.ts'
import { encodeId } from '../../platform/ids.ts'

const app = await startTestApp()
after(app.close)
const publisher_id = encodeId('pub', app.publisher.id)

/** Sends a request as a member of the operating company's staff who is acting for the publisher. */
const act = async (method: string, path: string, body?: object) => {
  const answer = await app.person(method, path, body, { 'Laurel-Publisher': publisher_id })
  assert.equal(answer.status, 200, `${path} ${JSON.stringify(answer.body)}`)
  return answer.body
}
const entriesOn = async (subject: string) =>
  (await app.operator('GET', `/operator/audit?subject=${subject}`)).body.content
const wholeLog = async () => JSON.stringify((await app.operator('GET', '/operator/audit?limit=500')).body)

test('the audit log records the state before and after each change that a person makes for a publisher', async () => {
  const user = await act('POST', '/users', { publisher_user_id: 'ada', email: 'ada@example.com' })
  await act('PATCH', '/users/ada', { email: 'lovelace@example.com' })
  const [changed, created] = await entriesOn(user.svc_user_id)
  assert.deepEqual([created.action, created.before], ['publisher.createUser', null])
  assert.deepEqual([created.after.publisher_id, created.after.email], [publisher_id, 'ada@example.com'])
  assert.deepEqual(
    [changed.action, changed.before.email, changed.after.email],
    ['publisher.changeUser', 'ada@example.com', 'lovelace@example.com'],
  )
})

test("an action's audit entry contains the prior state of its resource, and no entry contains secrets", async () => {
  const made = await act('POST', '/webhooks/endpoints', { url: 'http://127.0.0.1:9/hook' })
  const path = `/webhooks/endpoints/${made.endpoint_id}`
  await act('PATCH', path, { description: 'Ours' })
  const rotated = await act('POST', `${path}/rotate-secret`)
  const [ofSecret, change, creation] = await entriesOn(made.endpoint_id)
  assert.deepEqual(
    [creation.action, creation.after.url],
    ['publisher.createWebhookEndpoint', 'http://127.0.0.1:9/hook'],
  )
  assert.deepEqual([change.before.description, change.after.description], [null, 'Ours'])
  assert.deepEqual([ofSecret.action, ofSecret.before.description], ['publisher.rotateWebhookSecret', 'Ours'])
  const settings = { slug: 'acorn', shown_name: null, hue: 42, chroma: 0.16, frame_ancestors: [] }
  await act('PUT', '/portal/settings', settings)
  await act('PUT', '/portal/settings', { ...settings, hue: 43 })
  const [again, first] = await entriesOn(publisher_id)
  assert.deepEqual([first.before.hue, again.before.hue, again.after.hue], [163, 42, 43])
  const link = await act('POST', '/portal/sessions', { publisher_user_id: 'ada' })
  const account_number = '123456789'
  const destination = { type: 'us_bank_account', holder_name: 'Ada', routing_number: '021000021', account_number }
  await act('PUT', '/users/ada/payout-destination', destination)
  const log = await wholeLog()
  for (const secret of [made.secret, rotated.secret, link.url, account_number]) assert.ok(!log.includes(secret))
})

test('requests with a publisher key leave no audit entries, and neither do rejected changes', async () => {
  const before = await wholeLog()
  await app.call('POST', '/users', { publisher_user_id: 'grace' })
  const refused = await app.person(
    'PATCH',
    '/users/nobody',
    { email: 'a@example.com' },
    { 'Laurel-Publisher': publisher_id },
  )
  assert.equal(refused.status, 404)
  assert.equal(await wholeLog(), before)
})

test("an erasure removes the user's personal data from audit entries", async () => {
  const { svc_user_id } = (await app.call('GET', '/users/ada')).body
  const { erasure_id } = await act('POST', '/users/ada/erase', { confirm: 'ada' })
  await eventually(async () => (await app.call('GET', `/erasures/${erasure_id}`)).body.status === 'done')
  const log = await wholeLog()
  for (const word of ['lovelace@example.com', 'ada@example.com', '"ada"']) assert.ok(!log.includes(word), word)
  const [change] = await entriesOn(svc_user_id)
  assert.deepEqual([change.before, change.after], [null, { publisher_id, svc_user_id, erased: true }])
})
