import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { CATALOG, makeCaller, startTestApp, type TestApp } from '../../../test/support/app.ts'
import { eventually } from '../../../test/support/eventually.ts'
import { openRedeemer } from '../../../test/support/redemptions.ts'
import { encodeId } from '../../platform/ids.ts'
import { Refusal } from '../../platform/refusal.ts'
import { type AccountId, invitePerson, openSession, toLocalActor } from '../accounts/index.ts'
import { createOperator } from './operator-keys.ts'

const by = toLocalActor('tests')
let app: TestApp

before(async () => {
  app = await startTestApp()
  await app.catalog(CATALOG)
})
after(() => app.close())

/** Creates a person with both a browser session and a personal key. */
async function twofold(email: string) {
  const { db, url } = app.service
  const now = new Date()
  const made = await db.transaction(async (tx) => {
    const { accountId } = await invitePerson(tx, { email, publisherId: null, role: 'finance' }, by, now)
    const { token } = await openSession(tx, { kind: 'operator', accountId }, { address: '::1', userAgent: '' }, now)
    return { accountId, token, ...(await createOperator(tx, { name: 'Scripts', accountId, by }, now)) }
  })
  const headers = { cookie: `laurel_console=${made.token}`, 'sec-fetch-site': 'same-origin' }
  const ask = makeCaller(url, null)
  const browser = (method: string, path: string, body?: unknown) => ask(method, path, body, headers)
  return { accountUid: encodeId('acc', made.accountId), browser, byKey: makeCaller(url, made.key) }
}

test("a person's account and personal key count as one person where two people must agree", async () => {
  const redeemer = await openRedeemer(app, { adjustmentAloneMax: 1_000n })
  await redeemer.user('ada', 0)
  const { browser, byKey, accountUid } = await twofold('mara@example.com')
  const asked = { publisher_id: encodeId('pub', redeemer.publisher.id), publisher_user_id: 'ada', kind: 'goodwill' }
  const proposed = { ...asked, amount: 11, reason: 'The shop had closed early' }
  for (const [propose, book] of [
    [browser, byKey],
    [byKey, browser],
  ] as const) {
    const { body } = await propose('POST', '/operator/adjustments', proposed)
    assert.deepEqual([body.status, body.proposed_by], ['proposed', accountUid])
    const booked = await book('POST', `/operator/adjustments/${body.adjustment_id}/book`)
    assert.deepEqual([booked.status, booked.body.code], [409, 'adjustment_proposed_by_you'])
    const other = await (await app.staff('finance'))('POST', `/operator/adjustments/${body.adjustment_id}/book`)
    assert.equal(other.body.status, 'booked')
  }
  const [entry] = (await app.operator('GET', `/operator/audit?actor=${accountUid}`)).body.content
  assert.equal(entry.actor_name, 'mara, by key Scripts')
})

test("a personal key has its account's role, and stops working when the account is disabled", async () => {
  const { byKey, accountUid } = await twofold('nils@example.com')
  const change = (body: object) => app.operator('PATCH', `/operator/staff/${accountUid}`, body)
  const me = async () => (await byKey('GET', '/operator/me')).body
  assert.equal((await me()).role, 'finance')
  await change({ role: 'read-only' })
  await eventually(async () => (await me()).role === 'read-only')
  await change({ disabled: true })
  await eventually(async () => (await me()).code === 'key_invalid')
})

test("a key cannot belong to a publisher's staff or to an unknown account", async () => {
  const { db } = app.service
  const make = (accountId: AccountId) =>
    db.transaction((tx) => createOperator(tx, { name: 'Scripts', accountId, by }, new Date()))
  const { accountId } = await db.transaction((tx) =>
    invitePerson(tx, { email: 'pia@example.com', publisherId: app.publisher.id, role: 'admin' }, by, new Date()),
  )
  await assert.rejects(make(accountId), (error) => error instanceof Refusal && error.code === 'account_not_found')
})
