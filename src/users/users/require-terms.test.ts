import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startTestApp, type Tenant } from '../../../test/support/app.ts'
import { DAY_MS } from '../../platform/calendar.ts'
import { publishTerms } from '../terms/index.ts'
import { countActive, requireTerms } from './require-terms.ts'

const app = await startTestApp()
const { db } = app.service
after(() => app.close())

const dayAhead = (days: number): Date => new Date(Date.now() + days * DAY_MS)

function publish(revision: string, requiredFrom: Date | undefined, { publisher }: Partial<Tenant> = {}) {
  const when = requiredFrom === undefined ? {} : { requiredFrom }
  const input = { url: `https://example.com/${revision}`, revision, publisherId: publisher?.id ?? null, ...when }
  return db.transaction((tx) => publishTerms(tx, input, new Date()))
}

async function register({ call }: Tenant, name: string, tncId = app.tncId): Promise<void> {
  await call('POST', '/users', { publisher_user_id: name })
  assert.equal((await call('POST', '/terms/accept', { publisher_user_id: name, tnc_id: tncId })).status, 200)
}

const readStatus = async ({ call }: Tenant, name: string): Promise<string> =>
  (await call('GET', `/users/status/${name}`)).body.account_status

const pendingEvents = async ({ call }: Tenant): Promise<[string, string, number][]> =>
  (await call('GET', '/events')).body.content
    .filter(({ type }: { type: string }) => type === 'user.updated')
    .map(({ data, previous }: { data: Record<string, unknown>; previous: Record<string, unknown> }) => [
      data['publisher_user_id'],
      `${previous['account_status']} → ${data['account_status']}`,
      data['version'],
    ])

test("a publisher's own terms bind only its users and replace the service's terms", async () => {
  const [own, other] = [await app.tenant(), await app.tenant()]
  for (const tenant of [own, other]) await register(tenant, 'ada')
  const document = await publish('own-1', dayAhead(5), own)
  assert.equal((await other.call('GET', '/terms')).body.announced, undefined)
  const { body } = await own.call('GET', '/terms')
  assert.deepEqual([body.id, body.announced.map((one: { id: number }) => one.id)], [app.tncId, [document.documentId]])
  const accept = { publisher_user_id: 'ada', tnc_id: document.documentId }
  assert.equal((await other.call('POST', '/terms/accept', accept)).body.code, 'terms_not_found')
  for (const tenant of [own, other]) await tenant.call('POST', '/sandbox/clock', { advance_days: 6 })
  assert.deepEqual([await readStatus(own, 'ada'), await readStatus(other, 'ada')], ['PENDING', 'ACTIVE'])
  assert.equal((await own.call('GET', '/terms')).body.id, document.documentId)
  assert.equal((await own.call('POST', '/terms/accept', accept)).body.account_status, 'ACTIVE')
  await publish('service-late', dayAhead(7))
  for (const tenant of [own, other]) await tenant.call('POST', '/sandbox/clock', { advance_days: 2 })
  assert.deepEqual([await readStatus(own, 'ada'), await readStatus(other, 'ada')], ['ACTIVE', 'PENDING'])
})

test('users whom a required revision makes PENDING are announced once, but not those who accepted or left', async () => {
  const tenant = await app.tenant()
  const current = (await tenant.call('GET', '/terms')).body
  for (const name of ['early', 'gone', 'late', 'later']) await register(tenant, name, current.id)
  await tenant.call('POST', '/users', { publisher_user_id: 'never' })
  const { documentId } = await publish('own-2', dayAhead(3), tenant)
  await tenant.call('POST', '/terms/accept', { publisher_user_id: 'early', tnc_id: documentId })
  await tenant.call('DELETE', '/users/gone')
  await tenant.call('POST', '/sandbox/clock', { advance_days: 2 })
  assert.deepEqual(await pendingEvents(tenant), [])
  await tenant.call('POST', '/sandbox/clock', { advance_days: 2 })
  const announced = [
    ['late', 'ACTIVE → PENDING', 3],
    ['later', 'ACTIVE → PENDING', 3],
  ]
  assert.deepEqual(await pendingEvents(tenant), announced)
  await tenant.call('POST', '/sandbox/clock', { advance_days: 2 })
  assert.deepEqual(await pendingEvents(tenant), announced)
  assert.equal(await readStatus(tenant, 'early'), 'ACTIVE')
})

test('users who register during the notice period are also announced once the revision is required', async () => {
  await publish('service-soon', dayAhead(3))
  const tenant = await app.tenant()
  await register(tenant, 'new')
  await tenant.call('POST', '/sandbox/clock', { advance_days: 4 })
  assert.deepEqual(await pendingEvents(tenant), [['new', 'ACTIVE → PENDING', 3]])
})

test('users are announced in bounded batches, and those who would be PENDING can be counted in advance', async () => {
  const tenant = await app.tenant()
  const { publisher } = tenant
  await db.transaction(async (tx) => {
    const at = new Date(Date.now() - 60_000)
    await tx`
      insert into users (user_id, publisher_id, publisher_user_id, created_at, updated_at)
      select gen_random_uuid(), ${publisher.id}, 'user-' || n, ${at}, ${at} from generate_series(1, 501) n`
    await tx`
      insert into terms_acceptances (user_id, document_id, accepted_at, publisher_id)
      select user_id, ${app.tncId}, ${at}, publisher_id from users where publisher_id = ${publisher.id}`
  })
  const clock = { now: () => new Date() }
  assert.equal(await countActive(db.reader, [publisher.id], clock), 501)
  const document = await publish('own-3', dayAhead(1), tenant)
  assert.equal(await countActive(db.reader, [publisher.id], clock), 501)
  const told = async (): Promise<number> => {
    const [row] = await db.reader<{ told: bigint }[]>`
      select count(*) as told from users where publisher_id = ${publisher.id} and version = 2`
    return Number(row?.told)
  }
  const batches: (boolean | number)[] = []
  for (let pass = 0; pass < 4; pass++) batches.push(await requireTerms(db, publisher, dayAhead(2)), await told())
  assert.deepEqual(batches, [true, 500, true, 501, true, 501, false, 501])
  const later = { now: () => dayAhead(2) }
  assert.equal(await countActive(db.reader, [publisher.id], later), 0)
  assert(document.requiredFrom > new Date())
})

test("a revision is required after a month's notice unless a date is specified", async () => {
  const document = await publish('own-4', undefined, await app.tenant())
  const days = (document.requiredFrom.getTime() - Date.now()) / DAY_MS
  assert(days > 29.9 && days < 30.1)
})
