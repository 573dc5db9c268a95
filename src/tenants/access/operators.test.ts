import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Answer, makeCaller, startTestApp } from '../../../test/support/app.ts'
import { eventually } from '../../../test/support/eventually.ts'
import { startOfSecond } from '../../../test/support/still-clock.ts'
import { findSqlState } from '../../platform/db/database.ts'
import { decodeId, encodeId } from '../../platform/ids.ts'
import { listAudit, type Role, toLocalActor } from '../accounts/index.ts'
import type { OperatorId } from './operator.ts'
import { createOperator, revokeOperator } from './operator-keys.ts'
import { listOperators, markOperatorsUsed } from './operator-queries.ts'
import { getPermissions } from './permissions.ts'

// The clock is fixed, so no rate limit is replenished even on a slow machine.
const still = new Date(startOfSecond())
const app = await startTestApp({
  clock: { now: () => still },
  settings: { LAUREL_OPERATOR_CALLS_PER_SECOND: '10', LAUREL_STRANGER_CALLS_PER_SECOND: '1' },
})
const { db, url } = app.service
const by = toLocalActor('tests')
after(() => app.close())

async function operator(role: Role) {
  const made = await db.transaction((tx) => createOperator(tx, { name: `A ${role}`, role, by }, new Date()))
  return { ...made, call: makeCaller(url, made.key) }
}

test('operator keys need a named publisher outside /operator/, and publisher keys are rejected inside it', async () => {
  const { key, call } = await operator('support')
  assert.match(key, /^lrl_operator_[\w-]{43}$/)
  const me = await call('GET', '/operator/me')
  assert.deepEqual([me.status, me.body.name, me.body.role], [200, 'A support', 'support'])
  assert.ok(me.body.permissions.includes('claims:decide'))
  assert.ok(!me.body.permissions.includes('redemptions:decide'))
  assert.equal((await makeCaller(url, null)('GET', '/operator/me', undefined, { 'X-API-Key': key })).status, 200)
  const { body } = await call('GET', '/users')
  assert.deepEqual([body.code, body.detail.slice(0, 27)], ['key_invalid', "This is an operator's key. "])
  assert.equal((await app.call('GET', '/users')).status, 200)
  const foreign = await app.call('GET', '/operator/me')
  assert.deepEqual([foreign.status, foreign.body.code], [401, 'key_invalid'])
  assert.match(foreign.body.detail, /^This is a publisher's key/)
  const forged = await makeCaller(url, `lrl_operator_${'x'.repeat(43)}`)('GET', '/users')
  assert.equal(forged.body.detail, body.detail, 'the same for a key that does not exist')
  const { body: ofPeople } = await call('GET', '/accounts/me')
  assert.match(ofPeople.detail, /^API keys do not work here/)
  assert.match(foreign.headers.get('www-authenticate') ?? '', /^Bearer/)
})

test('an operation is denied to roles without its permission, but never to an admin', async () => {
  for (const [role, status] of [
    ['support', 403],
    ['catalog', 403],
    ['read-only', 200],
    ['admin', 200],
  ] as const) {
    const answer = await (await operator(role)).call('GET', '/operator/audit')
    assert.equal(answer.status, status, role)
    if (status === 403) assert.equal(answer.body.code, 'role_missing')
  }
})

test('the read-only role cannot change anything', () => {
  const changes = getPermissions('read-only').filter((permission) => !/:(read|export)$/.test(permission))
  assert.deepEqual(changes, [])
})

test('a revoked key stops working immediately and cannot be revoked twice', async () => {
  const { operatorId, call } = await operator('admin')
  assert.equal((await call('GET', '/operator/me')).status, 200)
  const revoke = () => db.transaction((tx) => revokeOperator(tx, { operatorId, by }, new Date()))
  await revoke()
  await eventually(async () => (await call('GET', '/operator/me')).status === 401)
  await assert.rejects(revoke(), { code: 'operator_not_found' })
})

test('a key works only from its addresses and until it expires, and the day of its last use is recorded', async () => {
  const made = async (limits: { expiresAt: Date | null; addressRanges: string[] }) => {
    const { key, operatorId } = await db.transaction((tx) =>
      createOperator(tx, { name: 'Tied', role: 'support', by, limits }, new Date()),
    )
    return { operatorId, call: makeCaller(url, key) }
  }
  const here = await made({ expiresAt: new Date(still.getTime() + 1), addressRanges: ['127.0.0.0/8', '::1/128'] })
  assert.equal((await here.call('GET', '/operator/me')).status, 200)
  const elsewhere = await made({ expiresAt: null, addressRanges: ['203.0.113.0/24'] })
  const refused = await elsewhere.call('GET', '/operator/me')
  assert.deepEqual([refused.status, refused.body.code], [403, 'key_address_refused'])
  const over = await (await made({ expiresAt: still, addressRanges: [] })).call('GET', '/operator/me')
  assert.deepEqual([over.status, over.body.code], [401, 'key_expired'])
  const day = still.toISOString().slice(0, 10)
  await db.transaction((tx) => markOperatorsUsed(tx, [here.operatorId], still))
  const used = (await listOperators(db.reader)).filter(({ id }) => id === here.operatorId)
  assert.deepEqual(
    used.map((one) => one.lastUsedOn),
    [day],
  )
})

test('only the hash of a key is stored', async () => {
  const { key } = await operator('catalog')
  const rows = await db.reader<{ text: string }[]>`select operators::text as text from operators`
  assert(rows.every(({ text }) => !text.includes(key) && !text.includes(key.slice(13, 40))))
})

test('creating and revoking a key is recorded in the audit log, which can be searched', async () => {
  const { operatorId, call } = await operator('admin')
  const { operator_id: subject } = (await call('GET', '/operator/me')).body
  assert.equal(decodeId('opr', subject), operatorId)
  await db.transaction((tx) => revokeOperator(tx, { operatorId: operatorId as OperatorId, by }, new Date()))
  const { body } = await app.operator('GET', `/operator/audit?subject=${subject}`)
  assert.deepEqual(
    body.content.map((one: Record<string, unknown>) => [one['action'], one['actor'], one['before'], one['after']]),
    [
      ['operator.revoked', 'local:tests', { name: 'A admin', role: 'admin' }, null],
      ['operator.created', 'local:tests', null, { name: 'A admin', role: 'admin', expires_at: null, addresses: null }],
    ],
  )
  assert.equal((await app.operator('GET', '/operator/audit?limit=1')).body.content.length, 1)
  assert.deepEqual((await app.operator('GET', '/operator/audit?actor=nobody')).body.content, [])
})

test('the database rejects changes and deletions in the audit log, even by the database owner', async () => {
  const { owner } = app
  const [entry] = await listAudit(db.reader, { subject: null, actor: null, limit: 1 })
  assert(entry !== undefined)
  for (const change of [
    owner.reader`update audit_log set actor = 'nobody'`,
    owner.reader`delete from audit_log`,
    owner.reader`truncate audit_log`,
  ])
    await assert.rejects(change, (error: unknown) => findSqlState(error) === '23001')
  assert.deepEqual((await listAudit(db.reader, { subject: null, actor: null, limit: 1 }))[0], entry)
})

test("one operator's rate limit does not affect another", async () => {
  const [hasty, calm] = [await operator('support'), await operator('support')]
  const statuses: number[] = []
  for (let count = 0; count < 21; count++) statuses.push((await hasty.call('GET', '/operator/me')).status)
  assert.deepEqual([statuses.filter((status) => status === 200).length, statuses.at(-1)], [20, 429])
  assert.equal((await calm.call('GET', '/operator/me')).status, 200)
})

test('key guessing is rate-limited, but a valid key from the same address still works', async () => {
  const guess = makeCaller(url, 'lrl_operator_guessed')
  const answers = []
  for (let count = 0; count < 400; count++) {
    const answer = await guess('GET', '/operator/me')
    answers.push(answer)
    if (answer.status === 429) break
    assert.equal(answer.status, 401)
  }
  const held = answers.at(-1)
  assert.equal(held?.status, 429)
  assert.match(held?.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
  assert.equal((await app.operator('GET', '/operator/me')).status, 200)
})

test('an operator can run only one re-match at a time', async () => {
  const body = { publisher_id: encodeId('pub', app.publisher.id), template: 'corner market' }
  const preview = () => app.operator('POST', '/operator/rematches/preview', body)
  let both: Promise<Answer>[] = []
  await app.owner.transaction(async (tx) => {
    await tx`lock table transactions in access exclusive mode`
    both = [preview(), preview()]
    const refused = await Promise.race(both)
    assert.deepEqual([refused.status, refused.body.code], [429, 'rate_limited'])
  })
  const statuses = (await Promise.all(both)).map(({ status }) => status)
  assert.deepEqual(statuses.toSorted(), [200, 429])
  assert.equal((await preview()).status, 200)
})
