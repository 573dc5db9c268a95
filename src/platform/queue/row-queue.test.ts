import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { openTestDatabase } from '../../../test/support/postgres.ts'
import { newUuid, type PublisherId } from '../ids.ts'
import { createLog } from '../telemetry/log.ts'
import { workOff } from './leased-work.ts'
import { createQueueWork, type QueuedRow, type RowQueue } from './row-queue.ts'

const db = await openTestDatabase('row_queue')
await db.reader`
  create table jobs (
    job_id uuid primary key, publisher_id uuid not null, nth int not null, attempts int not null default 0,
    due_at timestamptz not null, is_open boolean not null default true, is_held_back boolean not null default false
  )`

const [first, second] = [newUuid<'publisher'>(), newUuid<'publisher'>()] as [PublisherId, PublisherId]
const clock = { ms: 0, now: () => new Date(clock.ms) }
const QUEUE: RowQueue = {
  name: 'tested',
  table: 'jobs',
  key: 'job_id',
  retryMs: { first: 2_000, max: 5_000 },
  failure: 'a job is retried later',
  isOpen: (reader) => reader`is_open`,
  isHeldBack: (reader) => reader`is_held_back`,
  atOnce: 4,
}
type Job = QueuedRow & { readonly nth: number; readonly attempts: number }
type Work = Parameters<typeof createQueueWork<Job>>[3]

beforeEach(async () => {
  clock.ms = Date.parse('2026-11-29T10:00:00Z')
  await db.reader`delete from jobs`
})

/** Queues jobs of a publisher, numbered in the order in which they are due. */
const enqueue = (publisherId: PublisherId, count: number, columns: object = {}) => {
  const rows = Array.from({ length: count }, (_, nth) => {
    const dueAt = new Date(clock.ms - 1_000 + nth)
    return { jobId: newUuid(), publisherId, nth, dueAt, ...columns }
  })
  return db.reader`insert into jobs ${db.reader(rows)}`
}

/** Creates the work of one process. Jobs succeed by default. */
function createProcess({
  publisherId = null as PublisherId | null,
  queue = QUEUE,
  work = (async () => 'done') as Work,
}) {
  const ran: string[] = []
  const created = createQueueWork<Job>({ db, clock, log: createLog('silent') }, queue, publisherId, async (row) => {
    ran.push(`${row.nth}/${row.attempts}`)
    const outcome = await work(row)
    if (outcome === 'done') await db.reader`delete from jobs where job_id = ${row.id}`
    return outcome
  })
  return { ran, work: created }
}

/** Runs everything that is due now. */
async function run(options: Parameters<typeof createProcess>[0] = {}): Promise<string[]> {
  const { ran, work } = createProcess(options)
  await workOff(work)
  return ran
}

const fail: Work = async () => {
  throw new Error('the service is away')
}
const waitOfNext = async (): Promise<number> => {
  const [row] = await db.reader<{ dueAt: Date }[]>`select due_at from jobs order by due_at limit 1`
  return Number(row?.dueAt) - clock.ms
}

test('several processes share a queue and run each job once', async () => {
  await enqueue(first, 30)
  const ran = await Promise.all([run(), run(), run()])
  assert.deepEqual([ran.flat().length, new Set(ran.flat()).size], [30, 30])
  assert.equal((await db.reader`select from jobs`).length, 0)
})

test('when the lease of a killed process expires, another process runs its job', async () => {
  await enqueue(first, 1)
  void createProcess({ work: () => new Promise(() => undefined) }).work.pass()
  while ((await waitOfNext()) < 0) {}
  clock.ms += 29_999
  assert.deepEqual(await run(), [])
  clock.ms += 1
  assert.deepEqual(await run(), ['0/2'])
})

test('a process does not rerun a job that outlasts its lease', async () => {
  await enqueue(first, 1)
  const end = Promise.withResolvers<'done'>()
  const { ran, work } = createProcess({ work: () => end.promise, queue: { ...QUEUE, everyMs: 10 } })
  await work.pass()
  clock.ms += 30_001
  await work.pass()
  end.resolve('done')
  await workOff(work)
  assert.deepEqual(ran, ['0/1'])
})

test('a failed job is retried after a delay that doubles up to its maximum, and delays no other job', async () => {
  await enqueue(first, 2)
  const failFirst: Work = async (row) => (row.nth === 0 ? fail(row) : 'done')
  assert.deepEqual((await run({ work: failFirst })).toSorted(), ['0/1', '1/1'])
  for (const [attempts, waitMs] of [2_000, 4_000, 5_000, 5_000].entries()) {
    assert.equal(await waitOfNext(), waitMs)
    clock.ms += waitMs
    assert.deepEqual(await run({ work: attempts % 2 === 0 ? fail : async () => 'retry' }), [`0/${attempts + 2}`])
  }
})

test('a job can set its next due time, and jobs that are due immediately take turns', async () => {
  const steps: number[] = []
  const work: Work = async ({ nth, attempts }) => {
    steps.push(nth)
    clock.ms += 1
    return attempts < 3 ? 0 : 7_000
  }
  await enqueue(first, 2)
  await run({ work, queue: { ...QUEUE, atOnce: 1 } })
  assert.deepEqual(steps, [0, 1, 0, 1, 0, 1])
  assert.equal(await waitOfNext(), 7_000 - 1)
})

test('a row that is queued again while its job runs keeps its new due time', async () => {
  await enqueue(first, 1)
  const work: Work = async (row) => {
    await db.reader`update jobs set due_at = ${new Date(clock.ms + 10)}`
    return fail(row)
  }
  assert.deepEqual(await run({ work }), ['0/1'])
  assert.equal(await waitOfNext(), 10)
})

test('with a fixed delay, every retry waits equally long, and attempts are not counted', async () => {
  await enqueue(first, 1)
  for (const time of [1, 2]) {
    assert.deepEqual(await run({ queue: { ...QUEUE, retryMs: 3_000 }, work: fail }), ['0/0'], `time ${time}`)
    assert.equal(await waitOfNext(), 3_000)
    clock.ms += 3_000
  }
})

test("a waiting caller runs each of its publisher's jobs once: due, postponed, leased or held back", async () => {
  await enqueue(first, 9)
  await enqueue(first, 1, { nth: 9, dueAt: new Date(clock.ms + 60_000) })
  await enqueue(first, 1, { nth: 10, isHeldBack: true })
  await enqueue(first, 1, { nth: 11, isOpen: false })
  await enqueue(second, 1)
  void createProcess({ work: () => new Promise(() => undefined) }).work.pass()
  while ((await db.reader`select from jobs where attempts > 0`).length < 4) {}
  const failSome: Work = async (row) => (row.nth % 3 === 0 ? fail(row) : 'done')
  const ran = await run({ publisherId: first, work: failSome })
  const numbers = ran.map((one) => Number(one.split('/')[0])).toSorted((a, b) => a - b)
  assert.deepEqual(numbers, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  assert.equal((await db.reader`select from jobs where publisher_id = ${second}`).length, 1)
})

test('a caller stops waiting after 16 failures in a row, but not because of a few faulty jobs', async () => {
  await enqueue(first, 100)
  const attempts = (await run({ publisherId: first, work: fail })).length
  assert.ok(attempts >= 16 && attempts < 16 + (QUEUE.atOnce ?? 0), String(attempts))
  await db.reader`delete from jobs`
  await enqueue(first, 20)
  const failFirst: Work = async (row) => (row.nth < 10 ? fail(row) : 'done')
  assert.equal((await run({ publisherId: first, work: failFirst })).length, 20)
})

test('rows that are held back or closed do not run on their own', async () => {
  await enqueue(first, 1, { isHeldBack: true })
  await enqueue(first, 1, { isOpen: false })
  assert.deepEqual(await run(), [])
})
