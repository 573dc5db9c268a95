import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { openDatabase } from '../../src/platform/db/database.ts'
import { type KindOfWork, LIMITS } from '../../src/platform/db/kinds-of-work.ts'
import { encodeId, newUuid } from '../../src/platform/ids.ts'
import { renderMetrics } from '../../src/platform/telemetry/metrics.ts'
import { openStorage } from '../../src/storage.ts'
import { type Answer, startTestApp } from '../support/app.ts'
import { eventually } from '../support/eventually.ts'

// Each kind of work has its own connections and its own time limits for statements, locks, idle transactions and
// waiting for a connection. The pool for calls is small here, so a few requests fill it, and its time limits are long.

const CONNECTIONS = 2
// The number of connections that one publisher or operator may use.
const OWN = CONNECTIONS / 2
const WAITING_MAX = 3
const app = await startTestApp({
  settings: { LAUREL_REPORT_CONNECTIONS: '1', LAUREL_BACKGROUND_CONNECTIONS: String(CONNECTIONS) },
  storage: async (config) => {
    const storage = await openStorage(config, { migrates: true })
    const patient = { statementMs: 600_000, waitMaxMs: 600_000, lockMs: 600_000 }
    const limits = { connections: CONNECTIONS, waitingMax: WAITING_MAX, ...patient }
    const calls = openDatabase(storage.db.url, { work: 'calls', ...limits })
    const close = () => calls.close().then(storage.close)
    return { ...storage, pools: { ...storage.pools, calls }, close }
  },
})
after(app.close)
const { owner: beside } = app
const other = await app.tenant()

/** Sends a request without retrying when the service is busy. */
async function ask(path: string, init: RequestInit = {}): Promise<Answer> {
  const headers = { Authorization: `Bearer ${app.apiKey}`, ...init.headers }
  const answer = await fetch(new URL(path, app.service.url), { ...init, headers })
  const text = await answer.text()
  return { status: answer.status, body: text.startsWith('{') ? JSON.parse(text) : text, headers: answer.headers }
}

const readStatus = (path: string, headers = {}) => ask(path, { headers }).then(({ status }) => status)

/** A probe for each kind of work compared here, its expected status, and a table that none of the other kinds needs. */
const KINDS = {
  calls: { table: 'list_counts', answer: 200, probe: () => readStatus('/users') },
  reports: { table: 'transactions', answer: 200, probe: () => readStatus('/reports/transactions') },
  background: {
    table: 'audit_log',
    answer: 200,
    probe: () => app.operator('GET', '/operator/audit').then(({ status }) => status),
  },
  // Uses an unknown session, which has to be looked up.
  checks: {
    table: 'sessions',
    answer: 401,
    probe: () => readStatus('/accounts/me', { Authorization: 'Bearer unknown' }),
  },
  health: { table: 'none', answer: 200, probe: () => readStatus('/readyz') },
}

async function whileLocked(table: string, work: () => Promise<void>): Promise<void> {
  await beside.transaction(async (tx) => {
    await tx`lock table ${tx(table)} in access exclusive mode`
    await work()
  })
}

const waitingFor = (kind: KindOfWork, count: number) =>
  eventually(async () => {
    const rows = await beside.reader`
      select 1 from pg_stat_activity
      where datname = current_database() and application_name = ${`laurel ${kind}`} and wait_event_type = 'Lock'`
    return rows.length >= count
  })

for (const [kind, taken] of [
  ['calls', OWN],
  ['reports', 1],
  ['background', OWN],
  ['checks', LIMITS.checks.connections / 2],
] as const) {
  test(`while slow work uses up its owner's share of ${kind}, other kinds of work are served`, async () => {
    let blocked: Promise<unknown>[] = []
    await whileLocked(KINDS[kind].table, async () => {
      blocked = Array.from({ length: taken }, () => KINDS[kind].probe().catch(() => null))
      await waitingFor(kind, taken)
      for (const [name, { answer, probe }] of Object.entries(KINDS)) {
        if (name !== kind) assert.equal(await probe(), answer, name)
      }
    })
    await Promise.all(blocked)
  })
}

test('the readiness check queries the database even while authentication uses all of its connections', async () => {
  const blocked: Promise<unknown>[] = []
  const asSomebody = () => app.person('GET', '/accounts/sessions')
  assert.equal((await asSomebody()).status, 200)
  await whileLocked(KINDS.checks.table, async () => {
    blocked.push(KINDS.checks.probe(), asSomebody())
    await waitingFor('checks', LIMITS.checks.connections)
    const [taken] = await beside.reader<{ at: Date }[]>`select clock_timestamp() as at`
    // A cached response would prove nothing.
    await eventually(async () => {
      assert.equal(await KINDS.health.probe(), KINDS.health.answer)
      const rows = await beside.reader`
        select from pg_stat_activity
        where datname = current_database() and application_name = 'laurel health' and query_start > ${taken?.at ?? null}`
      return rows.length > 0
    })
  })
  await Promise.all(blocked)
})

test("while slow searches use up a publisher's share of searches, its other calls are answered", async () => {
  const blocked: Promise<unknown>[] = []
  await whileLocked('source_claims', async () => {
    for (let count = 0; count < 2; count++) blocked.push(ask('/transactions?search_text=a'))
    await waitingFor('searches', 1)
    for (const [name, { answer, probe }] of Object.entries(KINDS)) assert.equal(await probe(), answer, name)
  })
  for (const answer of await Promise.all(blocked)) assert.equal((answer as Answer).status, 200)
})

test('anonymous callers of open routes share one quota of calls, so publishers are still served', async () => {
  const blocked: Promise<unknown>[] = []
  await whileLocked('provider_institutions', async () => {
    for (let count = 0; count < OWN + 1; count++) blocked.push(ask(`/institutions/ins_${count}/logo`))
    await waitingFor('calls', OWN)
    assert.equal(await KINDS.calls.probe(), 200)
  })
  await Promise.all(blocked)
})

test("while slow work uses up one publisher's share of calls, another publisher's calls are answered", async () => {
  const id = encodeId('txn', newUuid())
  const blocked: Promise<unknown>[] = []
  await whileLocked('list_counts', async () => {
    for (let count = 0; count < OWN + 1; count++) blocked.push(KINDS.calls.probe())
    await waitingFor('calls', OWN)
    assert.equal((await other.call('GET', `/transactions/${id}`)).status, 404)
  })
  await Promise.all(blocked)
})

test("calls beyond the queue's limit are rejected immediately, and queued calls are eventually answered", async () => {
  const answers: Promise<Answer>[] = []
  const asked = (): Promise<Answer> => {
    const answer = ask(`/transactions/${encodeId('txn', newUuid())}`)
    answers.push(answer)
    return answer
  }
  await whileLocked('transactions', async () => {
    const refused = await eventually(() => Promise.race([asked(), setTimeout(100, null)]))
    assert.deepEqual([refused.status, refused.body.code], [503, 'overloaded'])
    assert.equal(refused.headers.get('retry-after'), '1')
    assert.equal(answers.length, OWN + WAITING_MAX + 1)
  })
  const statuses = (await Promise.all(answers)).map(({ status }) => status)
  assert.deepEqual(statuses, [...Array(OWN + WAITING_MAX).fill(404), 503])
  assert.match((await renderMetrics()).text, /laurel_database_refused_total\{work="calls"\} [1-9]/)
})

for (const [end, means] of [
  ['cancels its statement, as at a time limit', 'pg_cancel_backend'],
  ['ends its connection', 'pg_terminate_backend'],
] as const) {
  test(`if the server ${end}, the call is rejected as retryable and changes nothing`, async () => {
    const register = () =>
      ask('/users', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ publisher_user_id: means, email: 'ada@example.com' }),
      })
    // Registering a user inserts the user first and the event second.
    await whileLocked('event_queue', async () => {
      const registering = register()
      await waitingFor('calls', 1)
      await beside.reader`
        select ${beside.reader(means)}(pid) from pg_stat_activity
        where datname = current_database() and application_name = 'laurel calls' and wait_event_type = 'Lock'`
      const { status, body, headers } = await registering
      assert.deepEqual([status, body.code, headers.get('retry-after')], [503, 'overloaded', '1'])
    })
    assert.equal((await ask(`/users/${means}`)).status, 404)
    assert.equal((await register()).status, 200)
  })
}
