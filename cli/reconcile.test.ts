import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { addDays, toDay } from '../src/platform/calendar.ts'
import { openDatabase } from '../src/platform/db/database.ts'
import { decodeId, newUuid } from '../src/platform/ids.ts'
import { testDatabase } from '../test/support/postgres.ts'
import { dataFolder, laurel, laurelJson } from './test-support.ts'

const { url } = await testDatabase('cli_reconcile')
const folder = await dataFolder()
const env = { DATABASE_URL: url, LAUREL_DATA_DIR: folder }
const create = ['publishers', 'create', '--name', 'Acme', '--environment', 'production', '--links-cards', 'false']
const { publisher_id } = await laurelJson([...create, '--time-zone', 'America/New_York'], env)
const db = openDatabase(url)
after(() => db.close())

const file = async (name: string, content: string): Promise<string> => {
  await writeFile(join(folder, name), content)
  return join(folder, name)
}
const reconcile = (...more: string[]) => laurel(['reconcile', '--publisher', publisher_id, ...more], env)
const yesterday = addDays(toDay(new Date(), 'America/New_York'), -1)

/** Inserts a payment without a journal, recorded at the given instant. */
async function forgePayment(at: Date): Promise<void> {
  const publisherId = decodeId('pub', publisher_id)
  await db.transaction(
    (tx) => tx`
    insert into payments (payment_id, publisher_id, external_ref, direction, party, owner, currency, amount, value_date, created_at, created_by)
    values (${newUuid()}, ${publisherId}, ${at.toISOString()}, 'received', 'advertiser', 'brand-market', 'USD', 100, '2025-01-01', ${at}, 'x')`,
  )
}

test('every command in the reconciliation guide works', async () => {
  await laurelJson(['networks', 'secret', 'default'], env)
  await file('bank.csv', 'reference,amount,currency,status\n')
  await file('network.csv', 'sub_id,order_id,status,amount,currency\n')
  await file('supplier.csv', 'reference,amount,currency,status\n')
  const guide = await readFile(new URL('../docs/reconciliation.md', import.meta.url), 'utf8')
  const commands = [...guide.matchAll(/^\.\/laurel (reconcile .*)$/gm)].map(([, words = '']) => words.split(' '))
  assert.equal(commands.length, 6)
  for (const words of commands) {
    const args = words.map((word) => {
      if (word.endsWith('.csv')) return join(folder, word)
      // Dates in the guide may be in the future by this machine's clock.
      if (/^\d{4}-\d\d-\d\d$/.test(word)) return yesterday
      return word === '"$PUBLISHER"' ? publisher_id : word
    })
    const { code, stderr } = await laurel(args, env)
    assert.deepEqual([code, stderr], [0, ''], words.join(' '))
  }
})

test("the default day is yesterday in the publisher's time zone, and reconcile exits with 0 if books agree", async () => {
  const { code, stdout } = await reconcile()
  assert.equal(code, 0)
  assert.match(stdout, new RegExp(`^Acme, ${yesterday} \\(America/New_York\\)\n`))
  assert.match(stdout, /^transactions ↔ ledger +0 rows {3}equal$/m)
  assert.match(stdout, /\nNo difference\.\n$/)
})

test('reconcile exits with 2 on an unreadable file, a usage error or an unknown publisher', async () => {
  const bad = await file('bad.csv', 'reference,status\nX,lost\n')
  const xml = await file('bad.xml', '<Document/>')
  const calls: readonly [string[], RegExp][] = [
    [['--kind', 'bank', '--file', join(folder, 'none.csv')], /There is no file/],
    [['--kind', 'bank', '--file', bad], /line 2: status must be one of paid, failed, returned/],
    [['--kind', 'bank', '--file', xml], /line 1: [^.]*\(pain\.002\)\.\n$/],
    [['--kind', 'supplier', '--file', bad], /line 2: status must be one of processing/],
    [['--kind', 'network', '--network', 'nobody', '--file', bad], /no such network/],
    [['--kind', 'network', '--file', bad], /--network goes with --kind network/],
    [['--kind', 'bank'], /--file and --kind go together/],
    [['--kind', 'shop', '--file', bad], /must be bank or network or supplier/],
    [['--date', '2026-02-30'], /is not a date/],
    [['--date', '2026-02-01', '--from', '2026-02-01'], /Specify --date, or --from and --to/],
    [['--to', '2026-02-01'], /--to needs --from/],
    [['--date', addDays(yesterday, 3)], /has not begun\. The publisher's current date is \d{4}-\d\d-\d\d\.\n$/],
    [['--from', yesterday, '--to', addDays(yesterday, 3)], /has not begun/],
    [['--from', '2026-02-02', '--to', '2026-02-01'], /--from must not be after --to/],
  ]
  for (const [args, message] of calls) {
    const { code, stderr } = await reconcile(...args)
    assert.equal(code, 2, args.join(' '))
    assert.match(stderr, message)
  }
  const unknown = await laurel(['reconcile', '--publisher', 'pub_01kbjyt5v3f4nvj5yq5yfypr9v'], env)
  assert.equal(unknown.code, 2)
  const nowhere = await laurel(['reconcile', '--publisher', publisher_id], {
    ...env,
    DATABASE_URL: 'postgres://127.0.0.1:1/x',
  })
  assert.equal(nowhere.code, 2)
})

test('differences are printed after the summary, or as JSON, and reconcile exits with 1', async () => {
  // The last millisecond and the first instant of the 25-hour day on which clocks go back, and the instant after it.
  await forgePayment(new Date('2025-11-03T04:59:59.999Z'))
  await forgePayment(new Date('2025-11-03T05:00:00Z'))
  await forgePayment(new Date('2025-11-02T04:00:00Z'))
  const { code, stdout } = await reconcile('--date', '2025-11-02')
  assert.equal(code, 1)
  assert.match(stdout, /^payments ↔ ledger +2 rows {3}2 differences$/m)
  assert.match(
    stdout,
    /^pay_\w{26}: payments says account advertiser_receivable brand-market, amount 1\.00 USD, ledger has nothing/m,
  )
  assert.equal((await reconcile('--date', '2025-11-01')).code, 0)
  const both = await reconcile('--from', '2025-11-02', '--to', '2025-11-03', '--json')
  assert.equal(both.code, 1)
  const lines = both.stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  const differing = lines.filter(({ type }) => type === 'difference')
  assert.equal(differing.length, 3)
  assert.deepEqual(differing[0].right, null)
  assert.equal(differing[0].left.amount, '1.00 USD')
  assert.deepEqual(lines.at(-1), { type: 'total', publisher_id, from: '2025-11-02', to: '2025-11-03', differences: 3 })
})
