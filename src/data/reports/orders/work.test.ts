import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { startTestApp, type Tenant, type TestApp } from '../../../../test/support/app.ts'
import { eventually } from '../../../../test/support/eventually.ts'
import { type S3Server, s3Settings, startS3Server } from '../../../../test/support/s3-server.ts'
import { runNextFact } from '../../../facts.ts'
import { systemClock } from '../../../platform/clock.ts'
import { openPools, type Pools } from '../../../platform/db/pools.ts'
import { decodeId } from '../../../platform/ids.ts'
import { workOff } from '../../../platform/queue/leased-work.ts'
import { createLog } from '../../../platform/telemetry/log.ts'
import type { LinkerDeps } from '../../../purchases/linker/index.ts'
import { createErasures } from '../../erasure/index.ts'
import { createFolderStorage } from '../storage/folder.ts'
import { createS3Storage } from '../storage/s3.ts'
import { createReportLinks } from './links.ts'
import { markReady } from './queries.ts'
import { createReportWork, type ReportWorkDeps, removeFiles } from './work.ts'

// Starts no worker, so that the tests choose when the work runs.
let [s3, app, pools]: [S3Server, TestApp, Pools] = [] as never
before(async () => {
  s3 = await startS3Server()
  app = await startTestApp({ settings: { LAUREL_ROLE: 'api', ...s3Settings(s3.url) } })
  pools = openPools(app.service.db.url, { calls: 2, reports: 2, background: 2 })
})
after(async () => {
  for (const pool of Object.values(pools)) await pool.close()
  await app.close()
  await s3.close()
})

const log = createLog('silent')
const inFolder = () => createFolderStorage(app.service.config.dataDir)
const inS3 = () => {
  const { s3: settings } = app.service.config.reports
  assert(settings !== null)
  return createS3Storage(settings)
}

function makeDeps(reportStorage: ReportWorkDeps['reportStorage']): ReportWorkDeps {
  return {
    db: pools.background,
    pools,
    clock: systemClock,
    log,
    reportStorage,
    reportRetentionDays: 30,
    givingWay: async (part) => part(),
  }
}

const orderReport = async (tenant: Tenant, asked: object = {}): Promise<string> =>
  (await tenant.call('POST', '/reports', { kind: 'users', format: 'ndjson', ...asked })).body.report_id
const readState = async (tenant: Tenant, id: string) => (await tenant.call('GET', `/reports/${id}`)).body

/** Generates a tenant's due reports. */
const workOnce = (deps: ReportWorkDeps, tenant: Tenant): Promise<void> =>
  workOff(createReportWork(deps, tenant.publisher.id))

async function makeDue(id: string): Promise<void> {
  await app.owner
    .reader`update report_orders set due_at = '-infinity' where report_id = ${decodeId('rpt', id)} and due_at is not null`
}

async function addUsers(tenant: Tenant, count: number): Promise<void> {
  await app.owner.reader`
    insert into users (user_id, publisher_id, publisher_user_id, created_at, updated_at)
    select gen_random_uuid(), ${tenant.publisher.id}, 'user-' || number, now(), now()
    from generate_series(1, ${count}::int) number`
}

test('a report is retried after a storage failure and fails after five attempts', async () => {
  const tenant = await app.tenant()
  const recovering = await orderReport(tenant)
  s3.fail(1)
  await workOnce(makeDeps(inS3()), tenant)
  assert.equal((await readState(tenant, recovering)).status, 'queued')
  await makeDue(recovering)
  await workOnce(makeDeps(inS3()), tenant)
  const ready = await readState(tenant, recovering)
  assert.equal(ready.status, 'ready')
  assert.equal(new URL(ready.url).origin, s3.url, 'the link leads to the storage')
  assert.equal((await fetch(ready.url)).status, 200)
  const failing = await orderReport(tenant)
  s3.fail(Number.POSITIVE_INFINITY, /^PUT/)
  for (let tries = 1; tries <= 5; tries++) {
    assert.equal((await readState(tenant, failing)).status, 'queued', `before try ${tries}`)
    await makeDue(failing)
    await workOnce(makeDeps(inS3()), tenant)
  }
  s3.fail(0)
  const failed = await readState(tenant, failing)
  assert.deepEqual([failed.status, failed.reason, failed.url], ['failed', 'storage_failed', null])
  assert.equal(s3.objects.size, 1)
})

test('a full disk leaves no partial file, and the report is retried', async () => {
  const tenant = await app.tenant()
  await addUsers(tenant, 10_000)
  const id = await orderReport(tenant)
  const storage = inFolder()
  const full: typeof storage = {
    ...storage,
    store: (name, chunks, type) =>
      storage.store(
        name,
        (async function* () {
          for await (const chunk of chunks) {
            yield chunk
            throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
          }
        })(),
        type,
      ),
  }
  await workOnce(makeDeps(full), tenant)
  const { status, url } = await readState(tenant, id)
  assert.deepEqual([status, url, await listFiles(tenant)], ['queued', null, []])
})

const listFiles = (tenant: Tenant): Promise<string[]> =>
  readdir(join(app.service.config.dataDir, 'reports', tenant.publisher.id)).catch(() => [])

test('a process that stops mid-report releases the report, and another process completes it', async () => {
  const tenant = await app.tenant()
  await addUsers(tenant, 10_000)
  const id = await orderReport(tenant)
  const begun = Promise.withResolvers<void>()
  const storage = inFolder()
  const slow: typeof storage = {
    ...storage,
    store: (name, chunks, type) =>
      storage.store(
        name,
        (async function* () {
          for await (const chunk of chunks) {
            yield chunk
            begun.resolve()
            await new Promise((resolve) => setTimeout(resolve, 5))
          }
        })(),
        type,
      ),
  }
  const work = createReportWork(makeDeps(slow), tenant.publisher.id)
  const passed = work.pass()
  await begun.promise
  assert.equal((await readState(tenant, id)).status, 'running')
  await work.drain()
  await passed
  assert.deepEqual([(await readState(tenant, id)).status, await listFiles(tenant)], ['queued', []])
  const [row] = await app.owner.reader`select failures from report_orders where report_id = ${decodeId('rpt', id)}`
  assert.equal(row?.['failures'], 0)
  await workOnce(makeDeps(storage), tenant)
  const { rows, status } = await readState(tenant, id)
  const [file = ''] = await listFiles(tenant)
  const text = await readFile(join(app.service.config.dataDir, 'reports', tenant.publisher.id, file), 'utf8')
  assert.deepEqual([status, rows, text.split('\n').length - 1], ['ready', 10_000, 10_000])
})

test("a crashed process's report is taken over, and its late result is ignored", async () => {
  const tenant = await app.tenant()
  const id = await orderReport(tenant)
  const reportId = decodeId<'report'>('rpt', id)
  assert(reportId !== null)
  const { publisher } = tenant
  // The other process has claimed the report and written a file.
  await app.owner.reader`
    update report_orders set status = 'running', attempt = 1, due_at = now() - interval '1 second'
    where report_id = ${reportId}`
  const name = `reports/${publisher.id}/${reportId}-1.ndjson`
  await inFolder().store(name, (async function* () {})(), 'application/x-ndjson')
  await workOnce(makeDeps(inFolder()), tenant)
  assert.equal((await readState(tenant, id)).status, 'ready')
  assert.deepEqual(await listFiles(tenant), [`${reportId}-2.ndjson`])
  const late = { rowCount: 9n, byteCount: 9n, sha256: Buffer.alloc(32), finishedAt: new Date(), expiresAt: new Date() }
  const held = { publisherId: publisher.id, reportId, attempt: 1 }
  assert.equal(await pools.background.transaction((tx) => markReady(tx, held, late)), null)
  assert.equal((await readState(tenant, id)).rows, 0)
})

test('two concurrent processes generate each report exactly once', async () => {
  const tenant = await app.tenant()
  const ids = [await orderReport(tenant), await orderReport(tenant), await orderReport(tenant)]
  const works = [1, 2].map(() => createReportWork(makeDeps(inFolder()), tenant.publisher.id))
  await eventually(async () => {
    await Promise.all(works.map((work) => work.pass()))
    const { body } = await tenant.call('GET', '/reports?status=ready')
    return body.total_elements === ids.length
  })
  const rows = await app.owner.reader`
    select attempt from report_orders where publisher_id = ${tenant.publisher.id} order by attempt`
  assert.deepEqual(
    rows.map(({ attempt }) => attempt),
    [1, 1, 1],
  )
  assert.equal((await listFiles(tenant)).length, ids.length)
})

test('an order is rejected while twenty reports are queued', async () => {
  const tenant = await app.tenant()
  for (let count = 0; count < 20; count++) assert(await orderReport(tenant))
  const refused = await tenant.call('POST', '/reports', { kind: 'users' })
  assert.deepEqual([refused.status, refused.body.code], [409, 'report_queue_full'])
})

test('erasing a user expires all earlier files and restarts running reports', async () => {
  const tenant = await app.tenant()
  const ready = await orderReport(tenant)
  assert.equal((await tenant.call('POST', '/users', { publisher_user_id: 'dora-who-leaves' })).status, 200)
  await workOnce(makeDeps(inS3()), tenant)
  const before = await readState(tenant, ready)
  assert.match(await (await fetch(before.url)).text(), /dora-who-leaves/)
  const running = await orderReport(tenant)
  const released = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const storage = inS3()
  const waiting: typeof storage = {
    ...storage,
    store: async (...file) => {
      begun.resolve()
      await released.promise
      return storage.store(...file)
    },
  }
  const work = createReportWork(makeDeps(waiting), tenant.publisher.id)
  const passed = work.pass()
  await begun.promise
  assert.equal((await tenant.call('POST', '/users/dora-who-leaves/erase', { confirm: 'dora-who-leaves' })).status, 200)
  const parts = { db: pools.background, clock: systemClock, log } as unknown as LinkerDeps
  await workOff(createErasures(parts, tenant.publisher.id))
  while (await runNextFact(parts, tenant.publisher.id)) {}
  released.resolve()
  await passed
  await work.drain()
  assert.deepEqual(
    [
      (await readState(tenant, ready)).status,
      (await readState(tenant, ready)).url,
      (await readState(tenant, running)).status,
    ],
    ['expired', null, 'queued'],
  )
  while (await removeFiles(makeDeps(storage), tenant.publisher.id)) {}
  const left = [...s3.objects].filter(([name]) => name.includes(tenant.publisher.id))
  assert.deepEqual(left, [])
  assert.equal((await fetch(before.url)).status, 404)
  await workOnce(makeDeps(storage), tenant)
  const again = await readState(tenant, running)
  assert.equal(again.rows, 1)
  assert.doesNotMatch(await (await fetch(again.url)).text(), /dora-who-leaves/)
})

test('a file that the storage fails to remove is removed later', async () => {
  const tenant = await app.tenant()
  const id = await orderReport(tenant)
  const deps = makeDeps(inS3())
  await workOnce(deps, tenant)
  await app.owner.reader`update report_orders set files_due_at = '-infinity' where report_id = ${decodeId('rpt', id)}`
  s3.fail(1, /^DELETE/)
  await removeFiles(deps, tenant.publisher.id)
  assert.equal((await readState(tenant, id)).status, 'expired')
  await app.owner.reader`
    update report_orders set files_due_at = '-infinity' where report_id = ${decodeId('rpt', id)} and files_due_at > now()`
  await removeFiles(deps, tenant.publisher.id)
  assert(![...s3.objects.keys()].some((name) => name.includes(tenant.publisher.id)))
})

test('a link served by the service expires at the exact second', () => {
  const seconds = 60
  const links = createReportLinks({
    vault: app.service.vault,
    reportStorage: inFolder(),
    seconds,
    baseUrl: () => 'https://rewards.example.com',
  })
  const now = new Date('2026-11-20T10:00:00Z')
  const reportId = decodeId<'report'>('rpt', 'rpt_01kbjyt5v3f4nvj5yq5yfypr9v')
  assert(reportId !== null)
  return links.createLink({ reportId } as never, now).then(({ url, expiresAt }) => {
    const query = new URL(url).searchParams
    const link = { expires: Number(query.get('expires')), signature: query.get('signature') ?? '' }
    const at = (offset: number) => links.judge(reportId, link, new Date(now.getTime() + offset * 1_000))
    assert.deepEqual([at(0), at(seconds - 1), at(seconds), at(1e9)], ['valid', 'valid', 'expired', 'expired'])
    assert.equal(expiresAt.getTime(), now.getTime() + seconds * 1_000)
  })
})
