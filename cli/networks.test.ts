import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { openDatabase } from '../src/platform/db/database.ts'
import { savePrograms } from '../src/sources/affiliate/index.ts'
import { testDatabase } from '../test/support/postgres.ts'
import { dataFolder, laurel, laurelJson } from './test-support.ts'

const { url } = await testDatabase('cli_networks')
const folder = await dataFolder()
const env = { DATABASE_URL: url, LAUREL_DATA_DIR: folder }
const { publisher_id } = await laurelJson(['publishers', 'create', '--name', 'Acme', '--environment', 'sandbox'], env)
const db = openDatabase(url)
after(() => db.close())
const program = { offerUid: 'off', network: 'impact', addressTemplate: 'https://shop.example/', currency: 'USD' }
await db.transaction((tx) => savePrograms(tx, [{ ...program, firstDay: null, lastDay: null }]))

const file = async (name: string, content: string): Promise<string> => {
  await writeFile(join(folder, name), content)
  return join(folder, name)
}
const ROWS = 'Id,State,Amount,SubId1,Oid\n7,APPROVED,12.50,cut,A-1\n8,PENDING,5.00,,A-2\n'

test('a network is created, given a format and listed with its settings', async () => {
  assert.equal(
    (await laurel(['networks', 'list'], env)).stderr.split('\n').at(-2)?.includes('There are no networks yet'),
    true,
  )
  await laurelJson(['networks', 'secret', 'impact'], env)
  const fields = await file('fields.json', '{"sub_id": "SubId1"}')
  assert.equal((await laurel(['networks', 'format', 'impact', 'impact', '--fields', fields], env)).code, 0)
  for (const wrong of ['[]', '{', '{"size": "x"}'])
    assert.equal(
      (await laurel(['networks', 'format', 'impact', 'cj', '--fields', await file('no.json', wrong)], env)).code,
      1,
    )
  assert.equal((await laurel(['networks', 'format', 'impact', 'other'], env)).code, 2)
  const secret = await file('secret', 'Basic abcdef\n')
  const address = 'https://api.impact.example/x?StartDate={from}&EndDate={to}&key=hidden'
  const fetch = await laurel(['networks', 'fetch', 'impact', address, '--secret-file', secret, '--every', '30'], env)
  assert.deepEqual([fetch.code, fetch.stdout], [0, 'The reports of impact will be fetched every 30 minutes.\n'])
  const { networks } = await laurelJson(['networks', 'list'], env)
  assert.deepEqual(
    [networks[0].format, networks[0].report_host, networks[0].every_minutes, networks[0].last_error],
    ['impact', 'api.impact.example', 30, null],
  )
  assert(!JSON.stringify(networks).includes('hidden'))
  assert.match((await laurel(['networks', 'list'], env)).stdout, /impact +impact +90 d +30 d +every 30 min/)
  assert.equal((await laurel(['networks', 'stop-fetching', 'impact'], env)).code, 0)
  assert.equal((await laurel(['networks', 'stop-fetching', 'impact'], env)).code, 1)
})

test('a report can be dry-run, its rows are added only once, and its invalid lines are reported', async () => {
  const report = await file('report.csv', ROWS)
  const dry = await laurel(['networks', 'import', 'impact', report, '--dry-run'], env)
  assert.equal(dry.stdout, 'All 2 rows can be parsed. Nothing was imported.\n')
  assert.equal((await laurelJson(['networks', 'unknown'], env)).postbacks.length, 0)
  const done = await laurel(['networks', 'import', 'impact', report], env)
  assert.equal(
    done.stdout,
    '2 rows: 2 new, 0 known.\n2 of them match no click. List them with `laurel networks unknown`.\n',
  )
  const { rows, taken } = await laurelJson(['networks', 'import', 'impact', report], env)
  assert.deepEqual([rows, taken], [2, 0])
  for (const manner of [[], ['--dry-run']]) {
    const faulty = await file('faulty.csv', `${ROWS}9,PERHAPS,5.00,x,A-3\n`)
    const refused = await laurel(['networks', 'import', 'impact', faulty, ...manner], env)
    assert.equal(refused.code, 1)
    assert.match(refused.stderr, /^line 4: State must be one of/)
  }
})

test('sales without a click are listed with the reason and can be dismissed by id', async () => {
  const { postbacks } = await laurelJson(['networks', 'unknown'], env)
  assert.deepEqual(
    postbacks.map((one: Record<string, unknown>) => [one['order_id'], one['reason'], one['amount']]),
    [
      ['A-2', 'no_sub_id', 5],
      ['A-1', 'unknown_sub_id', 12.5],
    ],
  )
  const [one, other] = postbacks.map(({ postback_id }: { postback_id: string }) => postback_id)
  assert.match((await laurel(['networks', 'unknown'], env)).stdout, /unknown_sub_id +A-1 +approved +12\.5 USD/)
  const by = ['--by', 'ada', '--reason', 'their own newsletter']
  const done = await laurel(['networks', 'dismiss', one, ...by], env)
  assert.deepEqual([done.code, done.stdout], [0, `The sale reported in ${one} was dismissed.\n`])
  const again = await laurel(['networks', 'dismiss', one, ...by], env)
  assert.deepEqual([again.code, again.stderr], [1, 'This report was already decided by ada.\n'])
  const to = ['--publisher', publisher_id, '--user', 'mia', '--offer', 'off']
  const assigned = await laurel(['networks', 'assign', other, ...to, ...by], env)
  assert.deepEqual([assigned.code, assigned.stderr.startsWith('The user followed no link to this offer')], [1, true])
  assert.equal((await laurel(['networks', 'dismiss', other], env)).code, 2)
  const { entries } = await laurelJson(['audit', 'list', '--subject', one], env)
  assert.deepEqual([entries[0].action, entries[0].after], ['postback.dismissed', { reason: 'their own newsletter' }])
})
