import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { parse } from 'csv-parse/sync'
import { CATALOG, startTestApp, type Tenant } from '../../../test/support/app.ts'
import { accrue, closeBook, holdForRedemption, openBook, payRedemption } from '../../ledger/index.ts'
import { encodeId, newUuid, toUserId } from '../../platform/ids.ts'
import { changeSettings } from '../../tenants/publishers/index.ts'
import type { PresentedStatement } from './statement-schema.ts'

const app = await startTestApp()
after(app.close)
await app.catalog(CATALOG)

type Amounts = PresentedStatement['opening']
const none: Amounts = { pending: 0, available: 0, held: 0, debt: 0 }

async function addUser({ call }: Tenant, publisher_user_id: string): Promise<void> {
  assert.equal((await call('POST', '/users', { publisher_user_id })).status, 200)
  assert.equal((await call('POST', '/terms/accept', { publisher_user_id, tnc_id: app.tncId })).status, 200)
}

async function report({ call }: Tenant, event: object): Promise<string> {
  const { status, body } = await call('POST', '/transactions', { source: 'GIFT_CARD', ...event })
  assert.equal(status, 200, JSON.stringify(body))
  return body.transaction_uid
}

async function statement({ call }: Tenant, user: string, query = ''): Promise<PresentedStatement> {
  const { status, body } = await call('GET', `/users/${user}/statement${query}`)
  assert.equal(status, 200, JSON.stringify(body))
  assertSums(body)
  return body
}

/**
 * Checks that each line's balances equal the previous line's plus the line's changes. Compares cents, because sums of
 * doubles would be inexact.
 */
function assertSums({ content, opening, closing, next_after }: PresentedStatement, isFirst = true): void {
  const cents = (amounts: Amounts) => Object.values(amounts).map((amount) => Math.round(amount * 100))
  let before = isFirst ? cents(opening) : null
  for (const { changes, balances } of content) {
    if (before !== null)
      assert.deepEqual(
        cents(balances),
        cents(changes).map((change, at) => (before?.[at] ?? 0) + change),
      )
    before = cents(balances)
  }
  if (next_after === null && before !== null) assert.deepEqual(before, cents(closing))
}

/** Inserts journals of one cent each at the given booking times. Bypasses the modules that normally write them. */
async function addJournals({ publisher }: Tenant, user: string, times: readonly string[]): Promise<void> {
  await app.owner.reader`
    insert into journals (user_id, journal_id, publisher_id, kind, cause_id, cause_version, effective_at, created_at, currency,
      accounts, owners, amounts)
    select ${toUserId(publisher.id, user)}, ('01900000-0000-7000-8000-' || lpad(to_hex(number), 12, '0'))::uuid, ${publisher.id},
      'accrual', gen_random_uuid(), 1, '2020-01-01', time, 'USD', '{advertiser_receivable,user_pending}', '{brand,""}', '{1,-1}'
    from unnest(${times as string[]}::text[]::timestamptz[]) with ordinality as given (time, number)`
}

test("a statement accounts for the user's money line by line and ends with the balances", async () => {
  const tenant = await app.tenant()
  await addUser(tenant, 'ada')
  const userId = toUserId(tenant.publisher.id, 'ada')
  const purchase = { publisher_user_id: 'ada', external_id: 'one', offer_uid: 'offer-gadgets-gift', amount: 50 }
  const transaction_uid = await report(tenant, purchase)
  await tenant.call('POST', '/sandbox/clock', { advance_days: 60 })
  const redemption = newUuid()
  const ofRedemption = { id: redemption, version: 1, currency: 'USD', effectiveAt: new Date('2026-01-02T03:04:05Z') }
  for (const step of [holdForRedemption, payRedemption])
    await app.service.db.transaction(async (tx) => {
      const book = await openBook(tx, tenant.publisher, [userId])
      step(book, userId, ofRedemption, 150n, 'publisher')
      await closeBook(tx, book)
    })
  await report(tenant, {
    publisher_user_id: 'ada',
    external_id: 'back',
    kind: 'REFUND',
    original_external_id: 'one',
    amount: 50,
  })
  const { content, opening, closing, currency, next_after } = await statement(tenant, 'ada')
  const at = 'a purchase at Gadget Barn'
  assert.deepEqual(
    content.map(({ kind, description, changes, balances }) => [kind, description, changes, balances]),
    [
      ['accrual', `Cashback from ${at}`, { ...none, pending: 2 }, { ...none, pending: 2 }],
      [
        'maturity',
        `Cashback from ${at} became available`,
        { ...none, pending: -2, available: 2 },
        { ...none, available: 2 },
      ],
      [
        'redemption_hold',
        'Set aside for a redemption',
        { ...none, available: -1.5, held: 1.5 },
        { ...none, available: 0.5, held: 1.5 },
      ],
      ['redemption_paid', 'Redemption paid out', { ...none, held: -1.5 }, { ...none, available: 0.5 }],
      [
        'clawback',
        `Cashback from ${at} taken back; the part already spent is owed`,
        { ...none, available: -0.5, debt: 1.5 },
        { ...none, debt: 1.5 },
      ],
    ],
  )
  assert.deepEqual([opening, closing, currency, next_after], [none, { ...none, debt: 1.5 }, 'USD', null])
  assert.deepEqual(
    content.slice(0, 4).map((line) => [line.transaction_uid, line.redemption_id]),
    [
      [transaction_uid, null],
      [transaction_uid, null],
      [null, encodeId('rdm', redemption)],
      [null, encodeId('rdm', redemption)],
    ],
  )
  assert.equal(content[2]?.effective_at, '2026-01-02T03:04:05.000Z')
  assert.notEqual(content[4]?.transaction_uid, transaction_uid, 'the adjustment took it back')
  const { body } = await tenant.call('GET', `/transactions/${content[4]?.transaction_uid}`)
  assert.equal(body.adjusts, transaction_uid)
})

test('journals that do not affect the user, such as discounts and brand changes, are omitted', async () => {
  const tenant = await app.tenant()
  await addUser(tenant, 'ben')
  const { publisher } = tenant
  for (const [kind, accounts] of [
    ['accrual', ['advertiser_receivable', 'fee_pending']],
    ['reassignment', ['advertiser_receivable', 'advertiser_receivable']],
  ] as const)
    await app.owner.reader`
      insert into journals (user_id, journal_id, publisher_id, kind, cause_id, cause_version, effective_at, currency, accounts,
        owners, amounts)
      values (${toUserId(publisher.id, 'ben')}, ${newUuid()}, ${publisher.id}, ${kind}, ${newUuid()}, 1, now(), 'USD',
        ${accounts as unknown as string[]}, '{brand,""}', '{5,-5}')`
  assert.deepEqual((await statement(tenant, 'ben')).content, [])
})

test('days are inclusive booking dates in the publisher’s time zone', async () => {
  const made = await app.tenant()
  const timeZone = 'America/New_York'
  const publisher = await app.service.db.transaction((tx) => changeSettings(tx, made.publisher.id, { timeZone }))
  const tenant = { ...made, publisher }
  await addUser(tenant, 'eve')
  // Midnight in New York is 05:00 UTC in January.
  const times = [
    '2026-01-10T04:59:59.999999Z',
    '2026-01-10T05:00:00Z',
    '2026-01-12T04:59:59.999999Z',
    '2026-01-12T05:00:00Z',
  ]
  await addJournals(tenant, 'eve', times)
  const { content, opening, closing, start_date, end_date } = await statement(
    tenant,
    'eve',
    '?start_date=2026-01-10&end_date=2026-01-11',
  )
  assert.deepEqual(
    content.map((line) => line.booked_at),
    ['2026-01-10T05:00:00.000Z', '2026-01-12T04:59:59.999Z'],
  )
  assert.deepEqual([opening.pending, closing.pending], [0.01, 0.03])
  assert.deepEqual([start_date, end_date], ['2026-01-10', '2026-01-11'])
  const whole = await statement(tenant, 'eve')
  assert.deepEqual([whole.content.length, whole.start_date, whole.closing.pending], [4, null, 0.04])
  const over = await statement(tenant, 'eve', '?end_date=2026-01-09')
  assert.deepEqual([over.content.length, over.opening.pending, over.closing.pending], [1, 0, 0.01])
  const later = await statement(tenant, 'eve', '?start_date=2026-02-01')
  assert.deepEqual(
    [later.content, later.opening, later.closing],
    [[], { ...none, pending: 0.04 }, { ...none, pending: 0.04 }],
  )
})

test('a backdated booking leaves the statement of an earlier period unchanged', async () => {
  const tenant = await app.tenant()
  await addUser(tenant, 'kay')
  await addJournals(tenant, 'kay', ['2026-01-10T12:00:00Z'])
  const january = '?start_date=2026-01-01&end_date=2026-01-31'
  const first = await statement(tenant, 'kay', january)
  assert.equal(first.content.length, 1)
  const { publisher } = tenant
  const userId = toUserId(publisher.id, 'kay')
  await app.service.db.transaction(async (tx) => {
    const book = await openBook(tx, publisher, [userId])
    const cause = { id: newUuid(), version: 1, currency: 'USD', effectiveAt: new Date('2026-01-05T12:00:00Z') }
    accrue(book, userId, cause, 'brand', { user: 5n, publisher: 0n, fee: 0n })
    await closeBook(tx, book)
  })
  assert.deepEqual(await statement(tenant, 'kay', january), first)
  const { content } = await statement(tenant, 'kay')
  assert.deepEqual(
    content.map(({ effective_at, balances }) => [effective_at.slice(0, 10), balances.pending]),
    [
      ['2020-01-01', 0.01],
      ['2026-01-05', 0.06],
    ],
  )
})

test('no journal is lost between pages, even among journals booked at the same instant', async () => {
  const tenant = await app.tenant()
  await addUser(tenant, 'max')
  await addJournals(
    tenant,
    'max',
    Array.from({ length: 3_000 }, (_, index) => {
      const second = String(Math.floor(index / 250)).padStart(2, '0')
      return `2026-03-01T00:00:${second}.000123Z`
    }),
  )
  const period = 'start_date=2026-03-01&end_date=2026-03-01'
  const seen: string[] = []
  let [next, pages]: [string | null, number] = ['', 0]
  while (next !== null) {
    const { body } = await tenant.call('GET', `/users/max/statement?${period}&size=999${next && `&after=${next}`}`)
    assertSums(body, pages === 0)
    assert.deepEqual([body.opening, body.closing], [none, { ...none, pending: 30 }])
    assert.equal(body.content[0].balances.pending, (seen.length + 1) / 100)
    seen.push(...body.content.map((line: { journal_id: string }) => line.journal_id))
    next = body.next_after
    pages++
  }
  assert.deepEqual([pages, new Set(seen).size, seen.length], [4, 3_000, 3_000])
  assert.deepEqual([...seen].sort(), seen, 'of one instant, in the order of their ids')
  const { body } = await tenant.call('GET', `/users/max/statement?${period}&after=${seen.at(-1)}`)
  assert.deepEqual([body.content, body.next_after], [[], null])
})

test('the CSV format has the same lines as JSON and is safe to open in a spreadsheet', async () => {
  const tenant = await app.tenant()
  await addUser(tenant, 'kim')
  await app.owner.reader`update brands set name = '=1+1, "Barn"' where brand_uid = 'brand-gadgets'`
  await report(tenant, { publisher_user_id: 'kim', external_id: 'one', offer_uid: 'offer-gadgets-gift', amount: 25 })
  const { body, headers } = await tenant.call('GET', '/users/kim/statement?format=csv')
  assert.equal(headers.get('content-type'), 'text/csv; charset=utf-8')
  assert.match(headers.get('content-disposition') ?? '', /^attachment; filename="statement_usr_[a-z0-9]{26}\.csv"$/)
  const rows: Record<string, string>[] = parse(body, { columns: true, record_delimiter: '\r\n' })
  const [line] = (await statement(tenant, 'kim')).content
  assert.ok(line)
  const { changes, balances, redemption_id: _, ...rest } = line
  assert.equal(rest.description, 'Cashback from a purchase at =1+1, "Barn"')
  const toColumns = (amounts: Amounts, name: string) =>
    Object.fromEntries(Object.entries(amounts).map(([account, amount]) => [account + name, String(amount)]))
  assert.deepEqual(rows, [
    { ...rest, redemption_id: '', currency: 'USD', ...toColumns(changes, '_change'), ...toColumns(balances, '') },
  ])
  await addUser(tenant, 'none')
  assert.match(
    (await tenant.call('GET', '/users/none/statement?format=csv')).body,
    /^journal_id,booked_at,[a-z_,]+\r\n$/,
  )
})

test('only the user’s own publisher, with a key that can read rewards, can see a statement', async () => {
  const [owner, stranger] = [await app.tenant(), await app.tenant()]
  await addUser(owner, 'only-here')
  assert.deepEqual((await statement(owner, 'only-here')).content, [])
  const refused = await stranger.call('GET', '/users/only-here/statement')
  assert.deepEqual([refused.status, refused.body.code], [404, 'user_not_found'])
  const poor = await app.tenant({ scopes: ['users:read'] })
  assert.equal((await poor.call('GET', '/users/only-here/statement')).status, 403)
})

test("an invalid parameter, even a position in another user's statement, is rejected with a field error", async () => {
  const tenant = await app.tenant()
  for (const user of ['one', 'other']) {
    await addUser(tenant, user)
    await addJournals(tenant, user, ['2026-01-10T12:00:00Z'])
  }
  await report(tenant, { publisher_user_id: 'other', external_id: 'x', offer_uid: 'offer-gadgets-gift', amount: 50 })
  const foreign = (await statement(tenant, 'other')).content.at(-1)?.journal_id
  const table: [string, string][] = [
    ['start_date=2026-02-30', 'start_date'],
    ['end_date=yesterday', 'end_date'],
    ['start_date=2026-03-02&end_date=2026-03-01', 'end_date'],
    ['size=1001', 'size'],
    ['size=0', 'size'],
    ['after=nothing', 'after'],
    [`after=${foreign}`, 'after'],
    ['format=xlsx', 'format'],
    ['page=1', 'page'],
  ]
  for (const [query, field] of table) {
    const { status, body } = await tenant.call('GET', `/users/one/statement?${query}`)
    assert.deepEqual([status, body.errors?.[0].field], [400, field], query)
  }
})
