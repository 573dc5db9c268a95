import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { testDatabase } from '../test/support/postgres.ts'
import { getAccountName } from './actor.ts'
import { dataFolder, laurel, laurelJson, PROGRAM } from './test-support.ts'

const folder = await dataFolder()
const database = await testDatabase('cli-catalog')
const env = { DATABASE_URL: database.url, LAUREL_DATA_DIR: folder }

const offer = (uid: string, rate: number, more: object = {}) => ({
  offer_uid: uid,
  name: `Offer ${uid}`,
  offer_type: 'CARD_LINKED',
  reward_type: 'CASHBACK_PERCENTAGE',
  commission: { rate },
  ...more,
})
const brand = (uid: string, ...offers: object[]) => ({ brand_uid: uid, category_id: 1, name: `Brand ${uid}`, offers })
const LINES = [{ category_id: 1, category: 'GROCERY' }, brand('one', offer('a', 5), offer('b', 3)), brand('two')]

async function writeTestFile(name: string, lines: readonly (object | string)[]): Promise<string> {
  const file = join(folder, name)
  await writeFile(file, lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'))
  return file
}

test('a JSON Lines catalog survives a round trip through every export format unchanged', async () => {
  const taken = await laurelJson(['catalog', 'import', await writeTestFile('catalog.jsonl', LINES)], env)
  assert.deepEqual([taken.ok, taken.categories, taken.brands, taken.offers], [true, 1, 2, 2])
  assert.deepEqual(taken.changes.offers, { added: 2, changed: 0, retired: 0, unchanged: 0 })
  for (const format of ['json', 'jsonl', 'csv']) {
    const file = join(folder, `out.${format}`)
    assert.equal((await laurel(['catalog', 'export', file], env)).code, 0)
    const piped = await laurel(['catalog', 'export', '--format', format], env)
    assert.equal(piped.stdout, await readFile(file, 'utf8'), format)
    const again = await laurelJson(['catalog', 'import', file], env)
    assert.deepEqual([again.changes.offers.unchanged, again.version], [2, taken.version], format)
  }
  assert.equal(
    await readFile(join(folder, 'out.jsonl'), 'utf8'),
    `${LINES.map((one) => JSON.stringify(one)).join('\n')}\n`.replace(',"offers":[]', ''),
  )
})

test('an error in a JSON Lines file is reported with its line number, and nothing is imported', async () => {
  const lines = ['', brand('three', offer('c', 5)), '{"brand_uid": ', brand('four', offer('d', 200)), brand('three')]
  const ended = await laurel(['catalog', 'import', await writeTestFile('faulty.jsonl', lines)], env)
  assert.equal(ended.code, 1)
  assert.match(ended.stderr, /line 3, brands\.1: is not valid JSON/)
  assert.match(
    ended.stderr,
    /line 4, brands\.2\.offers\.0\.commission\.rate: must be a number above 0 and at most 100, such as 12.50/,
  )
  assert.match(ended.stderr, /line 5, brands\.3: appears in the file twice \(three\)/)
  const { stdout } = await laurel(['catalog', 'export'], env)
  assert.doesNotMatch(stdout, /three/)
})

test('a malformed brand neither hides errors in its category nor causes errors in other brands', async () => {
  const lines = [
    { ...brand('five', offer('e', 200)), category_id: 77 },
    { ...brand('six', offer('f', 200)), category_id: 78, category: 'BOOKS' },
    { ...brand('seven'), category_id: 78 },
  ]
  const { stderr } = await laurel(['catalog', 'import', await writeTestFile('shapes.jsonl', lines)], env)
  assert.deepEqual(stderr.trim().split('\n').slice(1), [
    'line 1, brands.0.offers.0.commission.rate: must be a number above 0 and at most 100, such as 12.50',
    'line 1, brands.0.category_id: is not an existing category (77)',
    'line 2, brands.1.offers.0.commission.rate: must be a number above 0 and at most 100, such as 12.50',
  ])
})

test('a dry run shows what is retired, the old and new value of each change, and the totals', async () => {
  const changed = [brand('one', offer('a', 6.5, { end_date: '2026-12-31' }), offer('n', 1))]
  const file = await writeTestFile('changed.jsonl', changed)
  const { stdout } = await laurel(['catalog', 'import', file, '--dry-run', '--replace'], env)
  const lines = stdout.split('\n').slice(1, -1)
  assert.deepEqual(lines, [
    'brands   0 added, 0 changed, 1 retired, 1 unchanged',
    'offers   1 added, 1 changed, 1 retired, 0 unchanged',
    'in offers that continue: 1 change in what users get, 1 change in days and hours',
    '- brand two  Brand two',
    '    retired: (none) → true',
    '- offer b  Brand one: Offer b',
    '    retired: (none) → true',
    '~ offer a  Brand one: Offer a',
    '    commission.rate: 5 → 6.5',
    '    end_date: (none) → 2026-12-31',
    '+ offer n  Brand one: Offer n',
  ])
  const { stdout: exported } = await laurel(['catalog', 'export'], env)
  assert.doesNotMatch(exported, /retired|2026-12-31/)
})

test('brands and offers missing from a file are retired only with --replace and --yes', async () => {
  const file = await writeTestFile('less.jsonl', [brand('one', offer('a', 5))])
  const kept = await laurelJson(['catalog', 'import', file], env)
  assert.deepEqual([kept.changes.brands.retired, kept.changes.offers.retired], [0, 0])
  const unsure = await laurel(['catalog', 'import', file, '--replace'], env)
  assert.equal(unsure.code, 2)
  assert.match(unsure.stderr, /--yes/)
  const replaced = await laurelJson(['catalog', 'import', file, '--replace', '--yes'], env)
  assert.deepEqual([replaced.changes.brands.retired, replaced.changes.offers.retired], [1, 1])
})

test('the history of an offer shows each change and who made it', async () => {
  await laurelJson(['catalog', 'import', await writeTestFile('more.jsonl', [brand('one', offer('a', 8))])], env)
  const { versions } = await laurelJson(['catalog', 'history', 'a'], env)
  const by = `local:${getAccountName()}`
  assert.deepEqual(
    versions.map((one: Record<string, unknown>) => [one['version'], one['changed_by']]),
    [
      [1, by],
      [2, by],
    ],
  )
  assert.deepEqual(versions[1].changes, [{ field: 'commission.rate', from: 5, to: 8 }])
  const { stdout } = await laurel(['catalog', 'history', 'a'], env)
  assert.match(stdout, /^version 2 .*local:.*\n {4}commission\.rate: 5 → 8$/m)
  const unknown = await laurel(['catalog', 'history', 'nobody'], env)
  assert.deepEqual([unknown.code, unknown.stderr.trim()], [1, 'There is no offer nobody.'])
})

test('operator keys are created, listed and revoked, and the audit log records who did it', async () => {
  const made = await laurelJson(['operators', 'create', 'Ada', '--role', 'catalog'], env)
  assert.match(made.api_key, /^lrl_operator_/)
  const { operators } = await laurelJson(['operators', 'list'], env)
  assert.deepEqual([operators[0].name, operators[0].role, operators[0].revoked_at], ['Ada', 'catalog', null])
  assert(!JSON.stringify(operators).includes(made.api_key))
  assert.equal((await laurel(['operators', 'revoke', made.operator_id], env)).code, 0)
  assert.equal((await laurel(['operators', 'revoke', made.operator_id], env)).code, 1)
  const { entries } = await laurelJson(['audit', 'list', '--subject', made.operator_id], env)
  assert.deepEqual(
    entries.map((one: Record<string, unknown>) => one['action']),
    ['operator.revoked', 'operator.created'],
  )
  const { stdout } = await laurel(['audit', 'list'], env)
  assert.match(stdout, new RegExp(`${getAccountName()} +catalog\\.imported +catalog`))
})

test('an export exits cleanly when its reader closes the pipe', async () => {
  const many = Array.from({ length: 1_000 }, (_, index) => brand(`many-${index}`, offer(`of-${index}`, 5)))
  await laurelJson(['catalog', 'import', await writeTestFile('many.jsonl', [LINES[0] as object, ...many])], env)
  const child = spawn(process.execPath, [PROGRAM, 'catalog', 'export'], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  child.stdout.once('data', () => child.stdout.destroy())
  const [code] = await once(child, 'exit')
  assert.equal(code, 0)
})
