import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type Tenant, type TestApp } from '../../../../test/support/app.ts'
import { eventually } from '../../../../test/support/eventually.ts'
import { addDays, toDay } from '../../../platform/calendar.ts'
import { changeSettings, getPublisher } from '../../../tenants/publishers/index.ts'
import { orderScheduled } from './service.ts'

let app: TestApp
before(async () => {
  app = await startTestApp()
})
after(() => app.close())

type Shown = { kind: string; from: string; to: string; format: string; schedule: string; status: string }
const readReports = async (tenant: Tenant): Promise<Shown[]> =>
  (await tenant.call('GET', '/reports?sort=created_at,asc&size=100')).body.content
const set = (tenant: Tenant, path: string, body: object = {}) => tenant.call('PUT', `/reports/schedules/${path}`, body)
const advance = async (tenant: Tenant, days: number): Promise<void> =>
  assert.equal((await tenant.call('POST', '/sandbox/clock', { advance_days: days })).status, 200)

test('advancing the clock generates the report for each completed day exactly once', async () => {
  const tenant = await app.tenant()
  const today = toDay(new Date(), 'UTC')
  const { body } = await set(tenant, 'transactions/day', { format: 'ndjson' })
  assert.deepEqual([body.next_period, body.next_at], [today, `${addDays(today, 1)}T00:00:00.000Z`])
  assert.deepEqual(await readReports(tenant), [])
  await advance(tenant, 2)
  await advance(tenant, 1)
  const reports = await readReports(tenant)
  assert.deepEqual(
    reports.map(({ from, to, format, schedule, status }) => [from, to, format, schedule, status]),
    [0, 1, 2].map((days) => [addDays(today, days), addDays(today, days), 'ndjson', 'day', 'ready']),
  )
  const events = await eventually(async () => {
    const { body: feed } = await tenant.call('GET', '/events')
    const ready = feed.content.filter(({ type }: { type: string }) => type === 'report.ready')
    return ready.length === 3 && ready
  })
  assert.equal(events[0].data.schedule, 'day')
})

test('updating a schedule changes its format but not its period, and deleting it stops the orders', async () => {
  const tenant = await app.tenant()
  await set(tenant, 'users/month')
  const first = (await tenant.call('GET', '/reports/schedules')).body.content
  const changed = await set(tenant, 'users/month', { format: 'parquet' })
  assert.deepEqual(changed.body, { ...first[0], format: 'parquet' })
  await set(tenant, 'rewards/day')
  assert.equal((await tenant.call('GET', '/reports/schedules')).body.content.length, 2)
  assert.equal((await tenant.call('DELETE', '/reports/schedules/rewards/day')).status, 200)
  await advance(tenant, 31)
  assert.deepEqual(
    (await readReports(tenant)).map(({ kind, from, format }) => [kind, from, format]),
    [['users', first[0].next_period, 'parquet']],
  )
  const refused = await tenant.call('DELETE', '/reports/schedules/rewards/day')
  assert.deepEqual([refused.status, refused.body.code], [404, 'report_schedule_not_found'])
  for (const path of ['cards/day', 'users/week']) assert.equal((await set(tenant, path)).status, 400, path)
  assert.deepEqual((await (await app.tenant()).call('GET', '/reports/schedules')).body.content, [])
})

test('each period is ordered once, even by concurrent and late processes', async () => {
  const tenant = await app.tenant()
  await set(tenant, 'users/day')
  await set(tenant, 'users/month')
  const publisher = await getPublisher(app.owner.reader, tenant.publisher.id)
  const later = new Date(Date.now() + 40 * 86_400_000)
  const look = () => app.owner.transaction((tx) => orderScheduled(tx, publisher, later))
  await Promise.all([look(), look(), look()])
  await look()
  // Simulates a process that died between ordering a report and advancing the period.
  await app.owner.reader`
    update report_schedules set next_day = next_day - 3, due_at = due_at - interval '3 days'
    where publisher_id = ${publisher.id} and every = 'day'`
  await look()
  const reports = await readReports(tenant)
  const days = reports.filter(({ schedule }) => schedule === 'day').map(({ from }) => from)
  assert.deepEqual([days.length, new Set(days).size], [31, 31], 'the last 31 of 40 days')
  const months = reports.filter(({ schedule }) => schedule === 'month').map(({ from }) => from)
  assert.deepEqual([months.length > 0, new Set(months).size], [true, months.length])
})

test("a day ends according to its publisher's current time zone", async () => {
  const tenant = await app.tenant()
  await set(tenant, 'users/day')
  const { id } = tenant.publisher
  const moved = await app.service.db.transaction((tx) => changeSettings(tx, id, { timeZone: 'Pacific/Pago_Pago' }))
  const [{ next_period, next_at }] = (await tenant.call('GET', '/reports/schedules')).body.content
  // The day is over in UTC, but has eleven hours left in Pago Pago.
  await app.owner.transaction((tx) => orderScheduled(tx, moved, new Date(next_at)))
  assert.deepEqual(await readReports(tenant), [])
  const [after_] = (await tenant.call('GET', '/reports/schedules')).body.content
  assert.deepEqual([after_.next_period, after_.next_at], [next_period, next_at.replace('T00:', 'T11:')])
})
