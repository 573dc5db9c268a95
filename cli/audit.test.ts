import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { after, test } from 'node:test'
import type { Command } from 'commander'
import { findSqlState, openDatabase } from '../src/platform/db/database.ts'
import { decodeId } from '../src/platform/ids.ts'
import { getPublisher } from '../src/tenants/publishers/index.ts'
import { createUser } from '../src/users/users/index.ts'
import { testDatabase } from '../test/support/postgres.ts'
import { COMMAND_NAMES, createProgram } from './program.ts'
import { runIn } from './shell.ts'
import { withChanges, withStorage } from './storage.ts'
import { dataFolder, laurel, laurelJson } from './test-support.ts'

const folder = await dataFolder()
const { url } = await testDatabase('cli_audit')
const env = { DATABASE_URL: url, LAUREL_DATA_DIR: folder }
const db = openDatabase(url)
after(() => db.close())

// Read-only commands. They need no audit entry, because their transactions cannot write.
const LOOK = [
  ...[
    'accounts list',
    'audit list',
    'allow list',
    'budgets',
    'catalog export',
    'catalog history',
    'claims list',
    'claims show',
    'facts list',
  ],
  ...['keys list', 'ledger trial-balance', 'ledger verify', 'reconcile'],
  ...['match', 'networks list', 'networks unknown', 'operators list', 'payouts files'],
  ...['payouts list', 'publishers list', 'refunds unmatched'],
  ...['publishers provider-account show', 'rematch list', 'rematch preview', 'rematch show', 'review aliases'],
  ...['review list', 'review show', 'secrets status', 'statements list', 'statements show', 'statements verify'],
  ...['terms list', 'vouchers show'],
]
// `restore` is covered by backup.test.ts. The others run, copy or check the service itself, or drive the simulated
// provider.
const NO_CHANGES = /^(start|doctor|demo|migrate|backup|restore|simulator .*)$/
// These need linked logins, refunds, gift cards, reviews, claims or redemptions. What they have in common is tested
// below, and the commands themselves in rematch.test.ts (reviews), claims.test.ts, payouts.test.ts and
// takeouts.test.ts.
const ELSEWHERE = [
  ...[
    'claims decline',
    'gift-cards allow-reveal',
    'networks assign',
    'networks dismiss',
    'refunds assign',
    'refunds dismiss',
    'linker rescan',
    'linker replace-tokens',
  ],
  ...['rematch apply', 'rematch undo', 'review decide', 'review revoke'],
  ...['payouts answer', 'payouts content', 'payouts file', 'payouts settle'],
  ...['takeouts create', 'takeouts import', 'takeouts cancel'],
]

const file = async (name: string, content: string): Promise<string> => {
  await writeFile(join(folder, name), content)
  return join(folder, name)
}
const offer = { offer_uid: 'pool', name: 'Pool', offer_type: 'VOUCHER_CODE', reward_type: 'CASHBACK_DOLLAR' }
const catalog = {
  categories: [{ category_id: 1, category: 'ALL' }],
  brands: [
    {
      brand_uid: 'brand',
      category_id: 1,
      name: 'House',
      offers: [{ ...offer, commission: { amount: 5 }, unique_codes: true }],
    },
  ],
}

/** Returns one call of each command that makes changes, ordered so that each finds what it needs. */
async function callsOfAll(): Promise<Record<string, readonly string[]>> {
  const { publisher_id: id, key_id: keyId } = await laurelJson(
    ['publishers', 'create', '--name', 'First', '--environment', 'sandbox'],
    env,
  )
  const publisherId = decodeId<'publisher'>('pub', id)
  assert(publisherId !== null)
  await db.transaction(async (tx) => {
    const input = { publisherUserId: 'ada', email: null, primaryZipCode: null, attributes: null }
    await createUser(tx, await getPublisher(tx, publisherId), input, new Date())
  })
  const { operator_id: operatorId } = await laurelJson(['operators', 'create', 'Tool'], env)
  const { account_id: accountId } = await laurelJson(['accounts', 'invite', 'mara@example.com'], env)
  const of = ['--publisher', id]
  const codes = ['--offer', 'pool', '--environment', 'sandbox']
  const secret = ['--secret-file', await file('secret', 'a-secret-of-theirs\n')]
  return {
    'catalog import': [await file('catalog.json', JSON.stringify(catalog))],
    'publishers create': ['--name', 'Acme', '--environment', 'production', '--links-cards', 'false'],
    'publishers set': [id, '--fee', '10', '--share', '20'],
    'publishers add-currency': [id, 'EUR'],
    'publishers assortment': [
      id,
      '--file',
      await file('assortment.json', '{"brands": [{"brand_uid": "brand", "carried": false}]}'),
    ],
    'publishers carry': [id, '--only', 'brand'],
    'publishers split': [id, '--brand', 'brand', '--fee', '1', '--share', '2'],
    'publishers wording': [id, 'Ours', '--offer', 'pool'],
    'publishers category-order': [id, '1'],
    'publishers provider-account set': [...of, '--client-id', 'theirs', ...secret],
    'publishers provider-account remove': of,
    'keys create': of,
    'keys revoke': [keyId],
    'accounts invite': ['grace@example.com', '--role', 'admin', ...of],
    'accounts link': [accountId],
    'accounts disable': [accountId],
    'accounts enable': [accountId],
    'operators create': ['Grace'],
    'operators revoke': [operatorId],
    'allow redirect-uri': ['https://acme.example/back', ...of],
    'allow android-package': ['com.acme.app', ...of],
    'allow remove': ['com.acme.app', ...of],
    'terms publish': ['--url', 'https://acme.example/terms', '--revision', '1', ...of],
    'vouchers import': [await file('codes.txt', 'CODE-1\n'), ...codes],
    'payouts payer': ['--name', 'Acme Inc'],
    'networks secret': ['awin'],
    'networks lock-days': ['awin', '45'],
    'networks window': ['awin', '45'],
    'networks format': ['awin', 'awin'],
    'networks import': ['awin', await file('report.json', '[]')],
    'networks fetch': ['awin', 'https://api.awin.com/?from={from}&to={to}', ...secret],
    'networks stop-fetching': ['awin'],
    'events restored': [],
    'facts retry': ['--all'],
    'secrets rotate': ['--settle', '0'],
    'statements close': ['2026-01', ...of],
    'transactions import': [
      await file('statement.csv', 'Date,Description,Amount\n2026-01-05,HOUSE,-5.00\n'),
      ...of,
      '--user',
      'ada',
    ],
  }
}

const leaves = (command: Command, path: readonly string[] = []): [string, Command][] =>
  command.commands.length === 0
    ? [[path.join(' '), command]]
    : command.commands.flatMap((one) => leaves(one, [...path, one.name()]))
const commands = leaves(await createProgram(COMMAND_NAMES))

test('every command either is read-only or accepts --by and writes one audit entry', async () => {
  const calls = await callsOfAll()
  for (const [name, command] of commands) {
    if (NO_CHANGES.test(name)) continue
    const changes = command.options.some(({ long }) => long === '--by')
    assert.equal(changes, !LOOK.includes(name), `${name}: --by and an entry, or the list of those that only look`)
    assert.equal(changes, name in calls || ELSEWHERE.includes(name), `${name} has no example here`)
  }
  for (const [name, args] of Object.entries(calls)) {
    const by = `Ada for ${name}`
    const { code, stderr } = await laurel([...name.split(' '), ...args, '--by', by], env)
    assert.equal(code, 0, `${name}: ${stderr}`)
    const entries = await db.reader<{ action: string; actor: string; text: string }[]>`
      select action, actor, audit_log::text as text from audit_log where actor_name = ${by}`
    assert.equal(entries.length, 1, `${name} leaves one entry`)
    assert.match(entries[0]?.actor ?? '', /^local:/)
    assert(!entries[0]?.text.includes('a-secret-of-theirs'))
  }
})

test('an audit entry records the state before and after the change', async () => {
  const { entries } = await laurelJson(['audit', 'list', '--actor', 'Ada for publishers set'], env)
  assert.deepEqual(
    entries.map(({ before, after }: Record<string, unknown>) => [before, after]),
    [
      [
        { fee_percent: 0, share_percent: 0 },
        { fee_percent: 10, share_percent: 20 },
      ],
    ],
  )
})

const output = () => new PassThrough()
const inShell = <T>(work: () => Promise<T>): Promise<T> =>
  runIn({ env: { ...process.env, ...env }, stdin: output(), stdout: output(), stderr: output() }, work)

test('a read-only command cannot change anything', async () => {
  await assert.rejects(
    inShell(() => withStorage(({ db }) => db.transaction((tx) => tx`delete from allowed_redirect_uris`))),
    // read_only_sql_transaction
    (error) => findSqlState(error) === '25006',
  )
})

test('multi-transaction work writes one audit entry in its first commit, or none if nothing commits', async () => {
  const entry = { action: 'thing.tried', subject: 'thing' }
  const tried = async () => (await db.reader`select 1 from audit_log where action = 'thing.tried'`).length
  const work = (fails: readonly boolean[]) =>
    inShell(() =>
      withChanges('Ada', entry, async ({ db }) => {
        for (const isFault of fails)
          await db.transaction(async (tx) => {
            await tx`select 1`
            if (isFault) throw new Error('planted')
          })
      }),
    )
  await assert.rejects(work([true]))
  assert.equal(await tried(), 0)
  await assert.rejects(work([false, true]))
  assert.equal(await tried(), 1)
  await work([false, false])
  assert.equal(await tried(), 2)
})

test('the audit list is truncated only on a terminal, and a message is printed if no entry matches', async () => {
  const listed = await laurel(['audit', 'list', '--subject', 'awin'], env)
  assert.doesNotMatch(listed.stdout, /…/)
  assert.match(listed.stdout, /lock_days/)
  assert.equal((await laurel(['audit', 'list', '--actor', 'Nobody'], env)).stderr, 'No entry matches.\n')
})
