import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { addKey } from '../src/platform/vault/key-source.ts'
import { databaseEnvironment, testDatabase } from '../test/support/postgres.ts'
import { dataFolder, laurel, laurelJson, PROGRAM } from './test-support.ts'

const folder = await dataFolder()
const env = { DATABASE_URL: (await testDatabase('cli')).url, LAUREL_DATA_DIR: folder }
const publisher = await laurelJson(['publishers', 'create', '--name', 'Acme', '--environment', 'sandbox'], env)

test('a new publisher comes with an API key, and the key is printed only once', async () => {
  assert.match(publisher.publisher_id, /^pub_[0-9a-z]{26}$/)
  assert.match(publisher.api_key, /^lrl_sandbox_\S{43}$/)
  const text = await laurel(
    ['publishers', 'create', '--name', 'Live', '--environment', 'production', '--links-cards', 'false'],
    env,
  )
  assert.match(text.stdout, /^publisher_id {2}pub_\S+\napi_key {7}lrl_live_\S+\n$/)
  const list = await laurelJson(['publishers', 'list'], env)
  assert.deepEqual(
    list.publishers.map((one: { name: string }) => one.name),
    ['Acme', 'Live'],
  )
  assert(!JSON.stringify(list).includes(publisher.api_key))
})

test('only the specified publisher settings change, and percentages stay exact', async () => {
  const id = publisher.publisher_id
  const set = await laurelJson(
    ['publishers', 'set', id, '--fee', '10', '--share', '12.3456', '--own-card-feed', 'true', '--links-cards', 'false'],
    env,
  )
  const { fee_percent, share_percent, own_card_feed, links_cards } = set
  assert.deepEqual([fee_percent, share_percent, own_card_feed, links_cards], [10, 12.3456, true, false])
  const back = await laurelJson(
    ['publishers', 'set', id, '--fee', '0', '--share', '0', '--time-zone', 'America/New_York'],
    env,
  )
  assert.deepEqual([back.fee_percent, back.time_zone, back.own_card_feed], [0, 'America/New_York', true])
  for (const [given, shown] of [
    [' Treats ', 'Treats'],
    ['', 'Acme'],
  ] as const) {
    const { link_name } = await laurelJson(['publishers', 'set', id, '--link-name', given], env)
    assert.equal(link_name, shown)
  }
})

test('a publisher can be renamed, but not to an empty name', async () => {
  const { publisher_id: id } = await laurelJson(
    ['publishers', 'create', '--name', 'Old', '--environment', 'sandbox'],
    env,
  )
  assert.equal((await laurelJson(['publishers', 'set', id, '--name', ' New '], env)).name, 'New')
  const { entries } = await laurelJson(['audit', 'list', '--subject', id, '--limit', '1'], env)
  assert.deepEqual([entries[0].before.name, entries[0].after.name], ['Old', 'New'])
  const empty = await laurel(['publishers', 'set', id, '--name', ' '], env)
  assert.deepEqual([empty.code, empty.stderr], [2, '--name must have 1 to 255 characters.\n'])
})

test('the publisher list shows every currency of each publisher', async () => {
  const { publisher_id: id } = await laurelJson(
    ['publishers', 'create', '--name', 'Duo', '--environment', 'sandbox'],
    env,
  )
  assert.equal((await laurel(['publishers', 'add-currency', id, 'EUR'], env)).code, 0)
  const { stdout } = await laurel(['publishers', 'list'], env)
  assert.match(stdout, new RegExp(`^${id} +Duo +sandbox +USD, EUR +UTC `, 'm'))
})

test('keys are created with scopes, listed without their secrets, and can be revoked only once', async () => {
  const of = ['--publisher', publisher.publisher_id]
  const made = await laurelJson(['keys', 'create', ...of, '--scope', 'users:read', '--scope', 'brands:read'], env)
  assert.deepEqual(made.scopes, ['users:read', 'brands:read'])
  const { keys } = await laurelJson(['keys', 'list', ...of], env)
  const found = keys.find((key: { key_id: string }) => key.key_id === made.key_id)
  assert.equal(found.last_four, made.api_key.slice(-4))
  assert.equal((await laurel(['keys', 'revoke', made.key_id], env)).code, 0)
  const again = await laurel(['keys', 'revoke', made.key_id], env)
  assert.deepEqual([again.code, again.stderr], [1, 'There is no active key with this id.\n'])
})

test('publisher and operator keys can expire and be restricted to IP addresses', async () => {
  const limits = ['--expires', '2999-01-01', '--from', '203.0.113.0/24,2001:db8::1']
  const shown = { expires_at: '2999-01-01T00:00:00.000Z', addresses: ['203.0.113.0/24', '2001:db8::1/128'] }
  const key = await laurelJson(['keys', 'create', '--publisher', publisher.publisher_id, ...limits], env)
  const { keys } = await laurelJson(['keys', 'list', '--publisher', publisher.publisher_id], env)
  const operator = await laurelJson(['operators', 'create', 'Grace', ...limits], env)
  const { operators } = await laurelJson(['operators', 'list'], env)
  for (const one of [key, keys.at(-1), operator, operators.at(-1)])
    assert.deepEqual({ expires_at: one.expires_at, addresses: one.addresses }, shown)
  assert.equal(keys.at(-1).last_used_on, null)
  for (const wrong of [
    ['--expires', '2020-01-01'],
    ['--from', 'nowhere'],
    ['--from', '203.0.113.0/40'],
  ])
    assert.equal((await laurel(['operators', 'create', 'Grace', ...wrong], env)).code, 2)
})

test('valid allowlist entries can be added, listed and removed, and invalid ones are rejected', async () => {
  const of = ['--publisher', publisher.publisher_id]
  assert.deepEqual(await laurelJson(['allow', 'redirect-uri', 'https://*.acme.example/back', ...of], env), {
    publisher_id: publisher.publisher_id,
    redirect_uri: 'https://*.acme.example/back',
  })
  assert.equal(
    (await laurelJson(['allow', 'android-package', 'com.acme.app', ...of], env)).android_package,
    'com.acme.app',
  )
  const allowed = async () => {
    const { redirect_uris, android_packages } = await laurelJson(['allow', 'list', ...of], env)
    return [...redirect_uris, ...android_packages]
  }
  assert.deepEqual(await allowed(), ['https://*.acme.example/back', 'com.acme.app'])
  for (const value of await allowed())
    assert.equal((await laurelJson(['allow', 'remove', value, ...of], env)).removed, value)
  assert.deepEqual(await allowed(), [])
  const again = await laurel(['allow', 'remove', 'com.acme.app', ...of], env)
  assert.deepEqual([again.code, again.stderr], [1, "com.acme.app is not on any of this publisher's lists.\n"])
  const { entries } = await laurelJson(['audit', 'list', '--subject', publisher.publisher_id], env)
  assert.deepEqual(
    entries.slice(0, 4).map(({ action }: { action: string }) => action.split('.')[1]),
    ['removed', 'removed', 'allowed', 'allowed'],
  )
  assert.equal((await laurel(['allow', 'redirect-uri', 'http://acme.example', ...of], env)).code, 1)
  assert.equal((await laurel(['allow', 'android-package', 'acme', ...of], env)).code, 1)
})

test('a revision of the terms can be published only once', async () => {
  const call = [
    'terms',
    'publish',
    '--url',
    'https://acme.example/terms',
    '--revision',
    '2026-11',
    '--required-from',
    '2126-12-01',
  ]
  const made = await laurelJson(call, env)
  assert.deepEqual([made.revision, made.required_from], ['2026-11', '2126-12-01T00:00:00.000Z'])
  const own = ['--revision', '2027-01', '--publisher', publisher.publisher_id]
  const preview = await laurelJson([...call, ...own, '--preview'], env)
  assert.deepEqual([preview.pending_users, preview.publishers, preview.revision], [0, 1, '2027-01'])
  await laurelJson([...call, ...own], env)
  const { terms } = await laurelJson(['terms', 'list'], env)
  assert.deepEqual(
    terms.map((one: Record<string, unknown>) => [one['revision'], one['publisher_id']]),
    [
      ['2026-11', null],
      ['2027-01', publisher.publisher_id],
    ],
  )
  const again = await laurel(call, env)
  assert.deepEqual([again.code, again.stderr], [1, 'Revision 2026-11 has already been published.\n'])
})

test('a catalog can be checked and re-imported, and an invalid one is rejected with line numbers', async () => {
  const file = join(folder, 'catalog.json')
  const brand = {
    category_id: 1,
    name: 'Acme Coffee',
    website: 'https://coffee.example',
    offers: [
      {
        name: '5% back',
        offer_type: 'CARD_LINKED',
        reward_type: 'CASHBACK_PERCENTAGE',
        commission: { rate: 5 },
        refund_period_days: 7,
      },
    ],
  }
  await writeFile(
    file,
    JSON.stringify({ categories: [{ category_id: 1, category: 'COFFEE' }], brands: [brand] }, null, 2),
  )
  const counts = { ok: true, categories: 1, brands: 1, offers: 1 }
  const take = async (...more: string[]) => {
    const { version: _, changes, ...taken } = await laurelJson(['catalog', 'import', file, ...more], env)
    return [taken, changes.offers.added]
  }
  assert.deepEqual(await take('--check'), [{ ...counts, checked_only: true }, 1])
  assert.deepEqual(await take(), [{ ...counts, checked_only: false }, 1])
  assert.deepEqual(await take(), [{ ...counts, checked_only: false }, 0])
  await writeFile(file, JSON.stringify({ categories: [], brands: [{ ...brand, category_id: 99 }] }, null, 2))
  const refused = await laurel(['catalog', 'import', file], env)
  assert.equal(refused.code, 1)
  assert.match(refused.stderr, /^Nothing was imported: .*\nline \d+.*/)
})

test('a network secret is read from a pipe or generated, and only a generated one is printed', async () => {
  const generated = await laurelJson(['networks', 'secret', 'partnerize'], env)
  assert.match(generated.secret, /^\S{32}$/)
  // This uses a shell pipe. Node gives child processes sockets, which stay open even if nobody writes to them.
  const piped = await promisify(execFile)(
    'sh',
    ['-c', 'printf "%s\\n" "$SECRET" | "$NODE" "$PROGRAM" networks secret partnerize --json'],
    {
      env: {
        ...databaseEnvironment(),
        ...env,
        PATH: process.env['PATH'],
        SECRET: 'a-secret-of-our-own',
        NODE: process.execPath,
        PROGRAM,
      },
    },
  )
  assert.deepEqual(JSON.parse(piped.stdout), { network: 'partnerize' })
  // Here stdin is a Node stream instead of a shell pipe.
  assert.deepEqual(await laurelJson(['networks', 'secret', 'partnerize'], env, 'another-secret-of-ours\n'), {
    network: 'partnerize',
  })
  assert.equal((await laurel(['networks', 'lock-days', 'partnerize', '45'], env)).code, 0)
  assert.equal((await laurel(['networks', 'lock-days', 'partnerize', 'long'], env)).code, 1)
  assert.deepEqual(await laurelJson(['networks', 'unknown', '--network', 'partnerize'], env), { postbacks: [] })
  const short = await laurel(['networks', 'secret', 'NOT A NETWORK'], env)
  assert.equal(short.code, 1)
})

test('usage errors exit with 2 and other errors with 1, each with a message but no stack trace', async () => {
  const of = publisher.publisher_id
  const terms = ['terms', 'publish', '--url', 'https://x.example', '--revision', '1']
  const cases: readonly (readonly [number, RegExp, ...string[]])[] = [
    [2, /required option '--environment/, 'publishers', 'create', '--name', 'X'],
    [2, /must be sandbox or production/, 'publishers', 'create', '--name', 'X', '--environment', 'test'],
    [2, /unknown command 'publsh'/, 'publsh'],
    [2, /not a publisher id/, 'keys', 'list', '--publisher', 'acme'],
    [1, /no such publisher/, 'keys', 'list', '--publisher', '00000000-0000-7000-8000-000000000000'],
    [2, /no scope "money:write"/, 'keys', 'create', '--publisher', of, '--scope', 'money:write'],
    [2, /not a key id/, 'keys', 'revoke', 'abc'],
    [1, /no time zone/, 'publishers', 'set', of, '--time-zone', 'Mars/Base'],
    [1, /add up to at most 100%/, 'publishers', 'set', of, '--fee', '60', '--share', '60'],
    [1, /link countries must be one or more of US/, 'publishers', 'set', of, '--link-countries', 'XX'],
    [2, /at least one setting/, 'publishers', 'set', of],
    [2, /http or https/, 'terms', 'publish', '--url', 'ftp://x', '--revision', '1'],
    [2, /yyyy-MM-dd/, ...terms, '--required-from', 'soon'],
    [2, /--changes must be a language/, ...terms, '--changes', 'fr=Tout.'],
    [2, /must not be before today, 20/, ...terms, '--required-from', '2026-01-01'],
    [2, /must end in \.json or \.jsonl or \.csv/, 'catalog', 'export', join(folder, 'catalog.txt')],
    [1, /There is no file/, 'catalog', 'import', join(folder, 'missing.json')],
  ]
  for (const [code, sentence, ...args] of cases) {
    const ended = await laurel(args, env)
    assert.equal(ended.code, code, args.join(' '))
    assert.match(ended.stderr, sentence)
    assert.doesNotMatch(ended.stderr, /^ {4}at /m)
    assert.equal(ended.stdout, '')
  }
})

test('an unreachable database and invalid settings are each reported in one sentence', async () => {
  const gone = await laurel(['publishers', 'list'], { ...env, DATABASE_URL: 'postgres://laurel@127.0.0.1:1/laurel' })
  assert.deepEqual(
    [gone.code, gone.stderr],
    [1, 'The database cannot be used: nothing is listening there. Start it or correct DATABASE_URL.\n'],
  )
  const bad = await laurel(['publishers', 'list'], { ...env, PORT: 'eighty' })
  assert.deepEqual([bad.code, bad.stderr], [2, 'PORT must be a port from 0 to 65535, not "eighty".\n'])
  const two = await laurel(['start'], { ...env, PORT: 'eighty', LAUREL_DEMO: 'no' })
  assert.deepEqual(
    [two.code, two.stderr],
    [2, 'PORT must be a port from 0 to 65535, not "eighty".\nLAUREL_DEMO must be one of 0, 1, not "no".\n'],
  )
})

test('doctor and secrets status report a key rotation that was killed midway, and how to resume it', async () => {
  const secrets = async () => {
    const { checks } = JSON.parse((await laurel(['doctor', '--json'], env)).stdout)
    return checks.find((check: { name: string }) => check.name === 'secrets')
  }
  assert.equal((await secrets()).ok, true)
  assert.equal((await laurelJson(['secrets', 'status'], env)).rotation, null)
  await addKey(join(folder, 'master.key'), [])
  const check = await secrets()
  assert.equal(check.ok, false)
  assert.match(`${check.detail} ${check.remedy}`, /new master key .*laurel secrets rotate/)
  assert.match((await laurel(['secrets', 'status'], env)).stdout, /rotation has begun: .*`\.\/laurel secrets rotate`/)
  assert.equal((await laurelJson(['secrets', 'rotate', '--settle', '0'], env)).rotation, null)
  assert.equal((await secrets()).ok, true)
})

test('doctor reports that no worker is running', async () => {
  const { checks } = JSON.parse((await laurel(['doctor', '--json'], env)).stdout)
  const check = checks.find((one: { name: string }) => one.name === 'worker')
  assert.equal(check.ok, false)
  assert.match(check.remedy, /LAUREL_ROLE=worker/)
})

test('doctor reports an environment variable that looks like a setting but is not one', async () => {
  const ended = await laurel(['doctor', '--json'], { ...env, LAUREL_BASEURL: 'https://rewards.example.com' })
  assert.equal(ended.code, 1)
  const { checks } = JSON.parse(ended.stdout)
  assert.equal(checks[0].detail, 'LAUREL_BASEURL is not a setting of Laurel; did you mean LAUREL_BASE_URL?')
})

test('doctor reports every invalid setting and still runs the checks that do not depend on them', async () => {
  const ended = await laurel(['doctor', '--json'], { ...env, LAUREL_LINKER: 'plaid', LAUREL_MASTER_KEY: 'weak' })
  assert.equal(ended.code, 1)
  const checks: { name: string; ok: boolean; detail: string }[] = JSON.parse(ended.stdout).checks
  assert.deepEqual(
    checks.filter(({ name }) => name === 'settings').map(({ detail }) => detail.split(' ')[0]),
    ['LAUREL_MASTER_KEY', 'LAUREL_LINKER=plaid'],
  )
  const names = checks.map(({ name }) => name)
  for (const name of ['node', 'database', 'migrations', 'port']) assert(names.includes(name), name)
  for (const name of ['master key', 'secrets', 'simulator', 'environments']) assert(!names.includes(name), name)
})
