import assert from 'node:assert/strict'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { after, test } from 'node:test'
import postgres from 'postgres'
import { CATALOG, startTestApp, type Tenant } from '../../../test/support/app.ts'
import { eventually } from '../../../test/support/eventually.ts'
import { testDatabase } from '../../../test/support/postgres.ts'
import {
  addUser,
  at,
  book,
  bookJanuary,
  close,
  documents,
  playUntil,
  split,
  toId,
} from '../../../test/support/settlement-world.ts'
import { accrue, closeBook, openBook, takeCut, verifyLedger } from '../../ledger/index.ts'
import { findConstraint, findSqlState, openDatabase } from '../../platform/db/database.ts'
import { changeSettings } from '../../tenants/publishers/index.ts'
import { openCut } from './closing/close.ts'
import { verifyStatements } from './closing/verify.ts'

const app = await startTestApp()
await app.catalog(CATALOG)
const { db } = app.service
after(() => app.close())

const BRAND = 'brand-market'
const verified = () => db.snapshot(verifyStatements)

async function withJanuary(): Promise<Tenant> {
  const tenant = await app.tenant()
  await bookJanuary(db, tenant, await addUser(tenant, 'ada'), BRAND)
  return tenant
}

test('months close in order and only once over, and closing one again returns the same response', async () => {
  const tenant = await withJanuary()
  const first = await close(app, '2026-01', tenant)
  assert.deepEqual([first.status, first.body.content[0].statements], [200, 3])
  const refused = async (month: string) => {
    const { status, body } = await close(app, month, tenant)
    return [status, body.code, body.next_month]
  }
  for (const month of ['2025-12', '2026-03'])
    assert.deepEqual(await refused(month), [409, 'month_out_of_order', '2026-02'], month)
  assert.deepEqual((await close(app, '2026-01', tenant)).body, first.body)
  const { body } = await tenant.call('GET', '/sandbox/clock')
  const other = await app.tenant()
  assert.equal((await close(app, body.now.slice(0, 7), other)).body.code, 'month_not_over')
  await playUntil(other, '2031-02-02')
  assert.equal((await close(app, '2031-02', other)).body.code, 'month_not_over')
  assert.equal((await close(app, '2031-01', other)).status, 200)
  const { body: log } = await app.operator('GET', `/operator/audit?subject=${toId(tenant)}`)
  assert.deepEqual(
    log.content.map(({ action, after }: { action: string; after: object }) => [action, after]),
    [['month.closed', { month: '2026-01', books: 1, statements: 3 }]],
  )
})

test('a dry run returns the same response as closing the month, but stores nothing', async () => {
  const tenant = await withJanuary()
  const body = { month: '2026-01', publisher_id: toId(tenant) }
  const tried = (await app.operator('POST', '/operator/statements/close?dry_run=true', body)).body
  assert.deepEqual(await documents(app, { month: '2026-01', kind: 'publisher', books: toId(tenant) }), [])
  const closed = (await close(app, '2026-01', tenant)).body
  assert.deepEqual([tried.dry_run, closed.dry_run], [true, false])
  assert.deepEqual(tried.totals, closed.totals)
  const counts = ({ content }: { content: { statements: number }[] }) => content.map(({ statements }) => statements)
  assert.deepEqual(counts(tried), counts(closed))
  const pending = closed.totals.find(({ kind, account }: { kind: string; account: string }) => {
    return kind === 'publisher' && account === 'user_pending'
  })
  assert.deepEqual([pending.opening, pending.closing, pending.statements], ['0.00', '63.00', 1])
})

test('closing a month concurrently creates one statement of each kind', async () => {
  const tenant = await withJanuary()
  const answers = await Promise.all([1, 2, 3].map(() => close(app, '2026-01', tenant)))
  // A closing whose cut is older than the stored one is refused, and the caller must retry.
  for (const { status, body } of answers) assert.ok(status === 200 || body.code === 'bookings_open', body.code)
  assert.equal((await close(app, '2026-01', tenant)).body.content[0].statements, 3)
  assert.deepEqual((await verified()).differences, [])
})

test('a closed month is immutable, even for the database owner', async () => {
  const tenant = await withJanuary()
  await close(app, '2026-01', tenant)
  for (const table of ['statements', 'closings', 'payments', 'payment_journals']) {
    for (const statement of [
      `update ${table} set created_at = now()`,
      `delete from ${table}`,
      `truncate ${table} cascade`,
    ]) {
      await assert.rejects(db.reader.unsafe(statement), (error) => findSqlState(error) === '42501', statement)
      await assert.rejects(
        app.owner.reader.unsafe(statement),
        (error) => findConstraint(error) === 'ledger_is_append_only',
        statement,
      )
    }
  }
})

test('verification finds statements that are missing or were altered with the triggers disabled', async () => {
  const tenant = await withJanuary()
  await close(app, '2026-01', tenant)
  const tamper = (statement: string) =>
    app.owner.transaction(async (tx) => {
      await tx`alter table statements disable trigger user`
      await tx.unsafe(statement)
      await tx`alter table statements enable trigger user`
    })
  const id = tenant.publisher.id
  await tamper(
    `update statements set document = replace(document, '"count":3', '"count":4') where publisher_id = '${id}'`,
  )
  const changed = (await verified()).differences
  assert.deepEqual(
    changed.map(({ check }) => check),
    ['statement_document'],
  )
  await tamper(
    `update statements set document = replace(document, '"count":4', '"count":3') where publisher_id = '${id}'`,
  )
  await tamper(`create table kept as select * from statements where publisher_id = '${id}'`)
  await tamper(`delete from statements where publisher_id = '${id}'`)
  assert.deepEqual((await verified()).differences.map(({ check }) => check).sort(), ['statement', 'statements'])
  await tamper('insert into statements select * from kept')
  assert.deepEqual((await verified()).differences, [])
})

test('a month cannot be closed during a booking, and includes the booking once it commits', async () => {
  const tenant = await app.tenant()
  const ada = await addUser(tenant, 'ada')
  let cut = ''
  await db.transaction(async (tx) => {
    const opened = await openBook(tx, tenant.publisher, [ada])
    accrue(opened, ada, at('2026-01-05'), BRAND, split)
    await closeBook(tx, opened)
    assert.equal(await takeCut(db, 100), null)
    await assert.rejects(openCut(db, 100), { code: 'bookings_open' })
  })
  await book(db, tenant, ada, (opened) => accrue(opened, ada, at('2026-01-06'), BRAND, split))
  cut = (await takeCut(db, 60_000)) ?? ''
  // Simulates the database clock going backward. Bookings made after a cut must still be dated after it.
  await app.owner.reader`update ledger_cut set cut_at = cut_at + interval '1 hour'`
  await book(db, tenant, ada, (opened) => accrue(opened, ada, at('2026-01-07'), BRAND, split))
  const [{ later } = { later: 0 }] = await db.reader<{ later: number }[]>`
    select count(*)::int as later from journals where user_id = ${ada} and created_at > ${cut}::text::timestamptz + interval '59 minutes'`
  assert.equal(later, 1)
  await app.owner.reader`update ledger_cut set cut_at = now()`
  await close(app, '2026-01', tenant)
  const [advertiser] = await documents(app, { month: '2026-01', kind: 'advertiser', books: toId(tenant) })
  assert.equal(advertiser.balances[0].closing, '200.00')
  assert.deepEqual((await verified()).differences, [])
})

test('closing production covers each publisher in its own time zone and advertisers in UTC', async () => {
  const [west, east] = [
    await app.tenant({ environment: 'production' }),
    await app.tenant({ environment: 'production' }),
  ]
  const users = [await addUser(west, 'ada'), await addUser(east, 'ada')] as const
  const inZone = (tenant: Tenant, timeZone: string) =>
    db.transaction(async (tx) => ({
      ...tenant,
      publisher: await changeSettings(tx, tenant.publisher.id, { timeZone }),
    }))
  const [inNewYork, inTokyo] = [await inZone(west, 'America/New_York'), await inZone(east, 'Asia/Tokyo')]
  // The evening of January 31 in New York is already February in UTC. The morning of February 1 in Tokyo is still
  // January.
  await book(db, inNewYork, users[0], (opened) => accrue(opened, users[0], at('2026-02-01T02:00:00Z'), BRAND, split))
  await book(db, inTokyo, users[1], (opened) => accrue(opened, users[1], at('2026-01-31T20:00:00Z'), BRAND, split))
  const january = await close(app, '2026-01', null)
  assert.equal(january.status, 200, JSON.stringify(january.body))
  const publishers = async (month: string) =>
    (await documents(app, { month, kind: 'publisher' }))
      .filter(({ environment }) => environment === 'production')
      .map(({ party }) => party)
  const owed = async (month: string) =>
    (await documents(app, { month, kind: 'advertiser', books: 'production' })).map(({ balances }) =>
      balances.map(({ detail, closing }: { detail: string | null; closing: string }) => [detail, closing]),
    )
  assert.deepEqual(await publishers('2026-01'), [toId(west)])
  assert.deepEqual(await owed('2026-01'), [
    [
      [null, '100.00'],
      [toId(east), '100.00'],
    ],
  ])
  assert.equal((await close(app, '2026-02', null)).status, 200)
  assert.deepEqual((await publishers('2026-02')).sort(), [toId(west), toId(east)].sort())
  const parts = [
    [toId(west), '100.00'],
    [toId(east), '100.00'],
  ].sort()
  assert.deepEqual(await owed('2026-02'), [[[null, '200.00'], ...parts]])
  const service = await documents(app, { month: '2026-02', kind: 'service', books: 'production' })
  assert.equal(service[0].balances[0].closing, '20.00')
  // One publisher can be closed ahead of the others. Closing production then creates no second statement for it.
  assert.equal((await close(app, '2026-03', west)).status, 200)
  assert.equal((await close(app, '2026-03', null)).status, 200)
  assert.deepEqual((await verified()).differences, [])
})

test('a publisher is notified only of its own statement', async () => {
  const tenant = await withJanuary()
  await close(app, '2026-01', tenant)
  const told = await eventually(async () => {
    const { body } = await tenant.call('GET', '/events?limit=100')
    const closed = body.content.filter(({ type }: { type: string }) => type === 'statement.closed')
    return closed.length > 0 ? closed : null
  })
  const own = (await tenant.call('GET', '/statements')).body.content
  assert.deepEqual(
    told.map(({ data }: { data: object }) => data),
    own,
  )
  assert.deepEqual([own.length, own[0].kind, own[0].month], [1, 'publisher', '2026-01'])
})

const COPIED = [
  ...['publishers', 'users', 'user_balances', 'brands', 'journals', 'payments', 'payment_journals', 'ledger_rollups'],
  ...['ledger_deltas', 'closings', 'statements'],
]

test('all statements can be rebuilt byte for byte in a database with copies of the tables', async () => {
  const tenant = await withJanuary()
  for (const month of ['2026-01', '2026-02']) await close(app, month, tenant)
  const other = await testDatabase('restored')
  const [from, to] = [postgres(app.owner.url, { max: 1 }), postgres(other.url, { max: 1 })]
  const restored = openDatabase(other.url)
  try {
    await to`set session_replication_role = replica`
    for (const table of COPIED) {
      const columns = (
        await from`
        select column_name as name from information_schema.columns
        where table_name = ${table} and is_generated = 'NEVER' order by ordinal_position`
      ).map(({ name }) => `"${name}"`)
      const rows = (await from.unsafe(`copy ${table} (${columns}) to stdout`).readable()) as Readable
      await pipeline(rows, await to.unsafe(`copy ${table} (${columns}) from stdin`).writable())
    }
    const [before, again] = [await verified(), await restored.snapshot(verifyStatements)]
    assert.ok(before.statements > 0)
    assert.deepEqual(again, before)
    assert.deepEqual(await restored.snapshot((tx) => verifyLedger(tx)), [])
  } finally {
    await restored.close()
    await from.end()
    await to.end()
  }
})

test('a publisher whose first month was closed individually does not block closing production', async () => {
  const world = await startTestApp()
  try {
    await world.catalog(CATALOG)
    assert.equal((await close(world, '2025-01', null)).status, 200)
    const late = await world.tenant({ environment: 'production' })
    assert.equal((await close(world, '2025-04', late)).status, 200)
    const { status, body } = await close(world, '2025-02', null)
    assert.equal(status, 200, JSON.stringify(body))
  } finally {
    await world.close()
  }
})
