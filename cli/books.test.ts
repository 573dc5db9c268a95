import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { openDatabase } from '../src/platform/db/database.ts'
import { encodeId } from '../src/platform/ids.ts'
import { changeSettings, listPublishers } from '../src/tenants/publishers/index.ts'
import { testDatabase } from '../test/support/postgres.ts'
import { seedEmptyDatabase } from './seed/seed.ts'
import { dataFolder, laurel, laurelJson } from './test-support.ts'

const folder = await dataFolder()
const db = openDatabase((await testDatabase('cli_books')).url)
after(() => db.close())
const env = { DATABASE_URL: db.url, LAUREL_DATA_DIR: folder }
await seedEmptyDatabase(db, new Date())
const [sandbox] = await listPublishers(db.reader)
assert(sandbox)
const of = ['--publisher', encodeId('pub', sandbox.id), '--user', 'ben']
await db.transaction((tx) => changeSettings(tx, sandbox.id, { ownCardFeed: true }))

/** Returns a date on which Ben was a user, in the format that banks use. */
const day = (daysAgo: number): string => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10)
const file = join(folder, 'statement.csv')

test('importing a statement creates transactions and a refund, and importing it again changes nothing', async () => {
  const rows = [
    `${day(9)},WALMART #3141 AUSTIN TX,-50.00`,
    `${day(8)},OLD MILL HARDWARE,-20.00`,
    `${day(7)},ADOBE *CREATIVE,-10.00`,
    `${day(5)},ADOBE *CREATIVE,10.00`,
    `${day(4)},WALMART #3141 AUSTIN TX,-50.00`,
  ]
  await writeFile(file, ['Date,Description,Amount', ...rows].join('\n'))
  const first = await laurelJson(['transactions', 'import', file, ...of], env)
  assert.deepEqual([first.rows, first.transactions, first.new_transactions, first.debits], [5, 4, 4, 'negative'])
  assert.deepEqual([first.rewarded, first.user_cashback], [2, 2])
  assert.deepEqual(first.without_reward, { unmatched: 1, refunded: 1 })
  const second = await laurelJson(['transactions', 'import', file, ...of], env)
  assert.deepEqual(second, { ...first, new_transactions: 0 })
  const text = await laurel(['transactions', 'import', file, ...of], env)
  assert.match(text.stderr, /^Debits are the negative amounts\.\n$/)
  assert.match(text.stdout, /^5 rows are 4 transactions, 0 of them new\.\n2 rewarded, 2\.00 USD for the user\n/)
})

test('a re-imported statement is recognized regardless of letter case and whitespace', async () => {
  const header = 'Date,Description,Amount'
  const written = [`${day(3)},Walmart #3141  Austin TX,-70.00`, `${day(3)},Walmart #3141 Austin TX,-70.00`]
  await writeFile(file, [header, ...written, `${day(2)},Walmart #3141 Austin TX,70.00`].join('\n'))
  const first = await laurelJson(['transactions', 'import', file, ...of], env)
  assert.deepEqual([first.transactions, first.new_transactions, first.without_reward], [2, 2, { refunded: 1 }])
  await writeFile(file, (await readFile(file, 'utf8')).toUpperCase())
  assert.deepEqual(await laurelJson(['transactions', 'import', file, ...of], env), { ...first, new_transactions: 0 })
})

test('a credit is counted once, even if a later file contains both the credit and its purchase', async () => {
  const credit = `${day(2)},TWICE BOUGHT,20.00`
  const rows = [`${day(6)},TWICE BOUGHT,-20.00`, `${day(5)},TWICE BOUGHT,-20.00`, credit]
  const header = 'Date,Description,Amount'
  await writeFile(file, [header, `${day(2)},TWICE BOUGHT,-3.00`, credit].join('\n'))
  const alone = await laurelJson(['transactions', 'import', file, ...of, '--debits', 'negative'], env)
  assert.deepEqual(alone.without_reward, { unmatched: 1, original_unknown: 1 })
  await writeFile(file, [header, ...rows].join('\n'))
  await laurelJson(['transactions', 'import', file, ...of], env)
  const together = await laurelJson(['transactions', 'import', file, ...of], env)
  assert.deepEqual(together.without_reward, { unmatched: 1, refunded: 1 })
})

test('an import larger than one batch is imported completely', async () => {
  const rows = Array.from({ length: 501 }, (_, index) => `${day(3)},SOMEWHERE ${index},-1.00`)
  await writeFile(file, ['Date,Description,Amount', ...rows].join('\n'))
  const summary = await laurelJson(['transactions', 'import', file, ...of], env)
  assert.deepEqual([summary.rows, summary.new_transactions, summary.without_reward.unmatched], [501, 501, 501])
})

test("purchases in the publisher's second currency earn only from offers in that currency", async () => {
  await laurel(['publishers', 'add-currency', encodeId('pub', sandbox.id), 'EUR', '--by', 'Ada'], env)
  await writeFile(file, ['Date,Description,Amount', `${day(3)},WALMART #3141 AUSTIN TX,"-31,50"`].join('\n'))
  const euros = [...of, '--currency', 'EUR', '--debits', 'negative']
  const { currency, user_cashback, without_reward } = await laurelJson(['transactions', 'import', file, ...euros], env)
  assert.deepEqual([currency, user_cashback, without_reward], ['EUR', 0, { currency_mismatch: 1 }])
  const unknown = await laurel(['transactions', 'import', file, ...of, '--currency', 'GBP'], env)
  assert.deepEqual([unknown.code, unknown.stdout], [1, ''])
  assert.match(unknown.stderr, /EUR/)
})

test('options can map the columns of an unfamiliar statement and the values in them', async () => {
  const rows = [`${day(3)};KIOSK;4,00;Karte;OK`, `${day(3)};KIOSK;5,00;Karte;NOK`, `${day(2)};ACME;90,00;Lohn;OK`]
  const text = ['Datum;Text;Betrag;Art;Vermerk', ...rows, 'Summe;;99,00;;'].join('\r\n')
  await writeFile(file, Buffer.from(`\uFEFF${text}`, 'utf16le'))
  const answers = [
    ...['--column', 'direction=Art', '--column', 'status=Vermerk', '--money-in', 'Lohn', '--completed', 'OK'],
    ...['--decimal', 'comma', '--skip-invalid'],
  ]
  const read = await laurelJson(['transactions', 'import', file, ...of, ...answers], env)
  assert.deepEqual(
    [read.rows, read.transactions, read.ignored_credits, read.left_out, read.skipped_rows, read.debits],
    [2, 1, 1, { pending: 0, void: 2, other_currency: 0 }, 0, 'direction column'],
  )
  const misnamed = await laurel(['transactions', 'import', file, ...of, '--column', 'colour=Art'], env)
  assert.deepEqual([misnamed.code, /one of the roles date, description/.test(misnamed.stderr)], [2, true])
})

test('an invalid row is reported with its line number, and nothing is imported', async () => {
  await writeFile(file, ['Date,Description,Amount', `${day(2)},NEW PLACE,-1.00`, `${day(2)},NEW PLACE,lots`].join('\n'))
  const refused = await laurel(['transactions', 'import', file, ...of, '--json'], env)
  assert.deepEqual([refused.code, refused.stdout], [1, ''])
  assert.equal(
    refused.stderr,
    'Nothing was imported: 1 row is invalid. To skip such rows, add --skip-invalid.\nline 3: "lots" is not an amount in USD\n',
  )
  const unknown = await laurel(['transactions', 'import', file, ...of.slice(0, 2), '--user', 'nobody'], env)
  assert.deepEqual([unknown.code, unknown.stderr], [1, 'There is no user with this publisher_user_id.\n'])
})

test('the books balance after the imports, and an injected difference is found and reported', async () => {
  assert.deepEqual(await laurelJson(['ledger', 'verify'], env), { ok: true, publishers: 1, differences: [] })
  await db.reader`update user_balances set available = available + 1 where available > 0`
  const found = await laurel(['ledger', 'verify', '--json'], env)
  assert.equal(found.code, 1)
  const { ok, differences } = JSON.parse(found.stdout)
  assert.equal(ok, false)
  assert.deepEqual(
    differences.map((one: { check: string; where: string }) => [one.check, one.where.split(' ').at(-1)]),
    [['user_balance', 'available']],
  )
  const text = await laurel(['ledger', 'verify'], env)
  assert.match(text.stdout, /user_balance .* available/)
  await db.reader`update user_balances set available = available - 1 where available > 0`
})

test('a trial balance prints exact amounts as of an instant, with totals for both sides', async () => {
  const publisher = ['--publisher', encodeId('pub', sandbox.id)]
  const shown = await laurelJson(['ledger', 'trial-balance', ...publisher], env)
  assert.deepEqual([shown.balanced, shown.publisher_id], [true, publisher[1]])
  const text = await laurel(['ledger', 'trial-balance', ...publisher, '--at', shown.at], env)
  assert.equal(text.code, 0)
  const rows = text.stdout
    .trimEnd()
    .split('\n')
    .map((line) => line.split(/ {2,}/))
  assert.deepEqual(rows[0], ['account', 'owner', 'debits', 'credits', 'balance', 'currency'])
  assert.deepEqual(
    rows.slice(1, -1).map(([account, debits]) => [account, Number(debits)]),
    shown.content.map((one: { account: string; debits: number }) => [one.account, one.debits]),
  )
  const [total] = shown.totals
  assert.deepEqual(rows.at(-1), ['total', total.debits.toFixed(2), total.credits.toFixed(2), '0.00', 'USD'])
  assert.equal(text.stderr, `As booked by ${shown.at}: debits equal credits.\n`)
  const { content } = await laurelJson(['ledger', 'trial-balance', ...publisher, '--by-owner'], env)
  assert.ok(
    content.every(
      (one: { account: string; owner: string | null }) =>
        (one.owner !== null) === (one.account === 'advertiser_receivable'),
    ),
  )
  const before = await laurelJson(['ledger', 'trial-balance', ...publisher, '--at', '2020-01-01T00:00:00Z'], env)
  assert.deepEqual([before.content, before.totals, before.balanced], [[], [], true])
  const refused = await laurel(['ledger', 'trial-balance', ...publisher, '--at', 'yesterday'], env)
  assert.deepEqual(
    [refused.code, refused.stderr],
    [2, '"yesterday" is not a timestamp such as 2026-12-31T23:59:59Z.\n'],
  )
})

test('ledger verify shows its progress only on a terminal', async () => {
  const onTerminal = await laurel(['ledger', 'verify'], env, '', { isTTY: true })
  assert.equal(onTerminal.code, 0)
  for (const step of [
    'journals',
    'user balances',
    'shared accounts',
    'rewards',
    'statements',
    'purchases of publisher 1 of 1',
  ])
    assert(onTerminal.stderr.includes(`| ${step}`), step)
  assert.equal((await laurel(['ledger', 'verify'], env)).stderr, '')
})
