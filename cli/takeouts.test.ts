import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { Webhook } from 'standardwebhooks'
import { verifyStatements } from '../src/books/statements/index.ts'
import { fingerprintCode, importCodes, listCodesByFingerprint } from '../src/catalog/allowances/index.ts'
import { accrue } from '../src/ledger/index.ts'
import { encodeId, newUuid, type PublisherId, toUserId } from '../src/platform/ids.ts'
import { setNetworkSecret } from '../src/sources/affiliate/index.ts'
import { addCurrency, changeSettings } from '../src/tenants/publishers/index.ts'
import { type Call, makeCaller, startTestApp, type TestApp } from '../test/support/app.ts'
import { eventually } from '../test/support/eventually.ts'
import { asService } from '../test/support/postgres.ts'
import { CHECKING, openRedeemer, type Redeemer } from '../test/support/redemptions.ts'
import { differencesIn } from '../test/support/reward-world.ts'
import { addUser, at, book, close, documents, playUntil, split } from '../test/support/settlement-world.ts'
import {
  ask,
  atSimulator,
  buyThroughNetwork,
  linkCard,
  moneyByState,
  monthAfter,
  POOL,
  redeemInAllStates,
  SECRET,
  sealedArchive,
  THEIR_CATALOG,
  WITH_POOL,
} from '../test/support/takeout-life.ts'
import { dataFolder, laurel, laurelJson, PROGRAM } from './test-support.ts'

// Two installations, each with its own master key. One publisher of the first has data of every kind.

const folder = await dataFolder()
const file = (name: string): string => join(folder, name)
const makeKey = (of: string) => createHash('sha256').update(of).digest('base64')
let [source, target] = [] as unknown as [TestApp, TestApp]
let redeemer: Redeemer
let neighbour: Redeemer
let item = ''
let webhookSecret = ''
let isListening = false
const receiver = createServer(async (request, reply) => {
  const body = await text(request)
  // Throws unless the payload is signed with the publisher's original secret.
  if (isListening) new Webhook(webhookSecret).verify(body, request.headers as Record<string, string>)
  reply.writeHead(isListening ? 200 : 503).end()
})

before(async () => {
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  source = await startTestApp({ masterKey: makeKey('source') })
  // Both use the same provider account.
  target = await startTestApp({ masterKey: makeKey('target'), linkerUrls: { sandbox: source.simulatorUrl } })
  await source.catalog(WITH_POOL)
  await target.catalog(THEIR_CATALOG)
  const { db, vault } = source.service
  await db.transaction((tx) => setNetworkSecret(tx, vault, 'default', SECRET, new Date()))
  const codes = { offerUid: POOL, environment: 'sandbox' as const }
  await db.transaction((tx) => importCodes(tx, vault, codes, [{ code: 'SAVE-THREE', expiresOn: null }], new Date()))
  redeemer = await openRedeemer(source, { redemptionReviewAbove: 1_50n })
  await db.transaction(async (tx) => {
    await addCurrency(tx, redeemer.publisher.id, 'EUR', new Date())
    await changeSettings(tx, redeemer.publisher.id, { adjustmentAloneMax: 10_00n }, 'EUR')
  })
  await rename(redeemer.publisher.id, 'Mover')
  neighbour = await openRedeemer(source)
  await neighbour.user('neighbour-1', 0)
  await live()
})
after(async () => {
  receiver.close()
  await source.close()
  await target.close()
})

async function rename(id: PublisherId, name: string): Promise<void> {
  await source.owner.reader`update publishers set name = ${name} where publisher_id = ${id}`
}

const makeEnv = (app: TestApp, key: string) => ({
  DATABASE_URL: asService(app.owner.url),
  LAUREL_DATA_DIR: folder,
  LAUREL_MASTER_KEY: key,
})
const here = () => makeEnv(source, makeKey('source'))
const there = () => makeEnv(target, makeKey('target'))
const toId = ({ publisher }: Pick<Redeemer, 'publisher'>) => encodeId('pub', publisher.id)

async function live(): Promise<void> {
  const { call } = redeemer
  const { port } = receiver.address() as AddressInfo
  webhookSecret = (await ask(call, 'POST', '/webhooks/endpoints', { url: `http://127.0.0.1:${port}/` })).secret
  const { db } = source.service
  for (const name of ['ann', 'eve']) await redeemer.user(name, 0)
  await redeemer.user('bob', 8)
  item = await linkCard(source, redeemer, 'ann')
  await buyThroughNetwork(source, redeemer, 'ann')
  await ask(call, 'POST', `/offers/${POOL}/voucher-code`, { publisher_user_id: 'ann' })
  const of = { publisher_user_id: 'ann', source: 'VOUCHER', offer_uid: POOL, voucher_code: 'SAVE-THREE' }
  await ask(call, 'POST', '/transactions', { ...of, external_id: 'v1', amount: 30 })
  const items = [{ denomination: 25, quantity: 1 }]
  const cards = { publisher_user_id: 'ann', external_ref: 'basket', offer_uid: 'offer-gadgets-gift', items }
  assert.equal((await call('POST', '/gift-cards/orders', cards, { 'Idempotency-Key': 'basket' })).status, 200)
  await redeemer.days(1)
  await redeemInAllStates(source, redeemer)
  const given = { publisher_id: toId(redeemer), publisher_user_id: 'ann', kind: 'goodwill', reason: 'sorry' }
  for (const currency of ['USD', 'EUR'])
    await ask(source.operator, 'POST', '/operator/adjustments', { ...given, amount: 5, currency })
  await ask(source.operator, 'POST', '/operator/adjustments', { ...given, amount: 90, external_ref: 'proposed' })
  const payment = {
    publisher_id: toId(redeemer),
    external_ref: 'p1',
    direction: 'paid',
    party: 'publisher',
    currency: 'USD',
  }
  await ask(source.operator, 'POST', '/operator/payments', { ...payment, amount: 1, value_date: '2026-01-01' })
  await allowAndReview()
  const claim = { publisher_user_id: 'ann', kind: 'missing', opened_by: 'user', amount: 50, brand_uid: 'brand-market' }
  for (const external_ref of ['open', 'declined']) await ask(call, 'POST', '/claims', { ...claim, external_ref })
  await closeMonth()
  const leaver = toUserId(redeemer.publisher.id, 'eve')
  await ask(call, 'POST', '/users/eve/erase', { confirm: 'eve' })
  await redeemer.days(1)
  const [done] = await db.reader`select from erasures where user_id = ${leaver} and done_at is not null`
  assert(done !== undefined)
  report = (await ask(call, 'POST', '/reports', { kind: 'redemptions', day: '2026-01-01' })).report_id
  await eventually(async () => (await ask(call, 'GET', `/reports/${report}`)).status === 'ready')
  // One purchase that matures in the target, and one that never clears.
  const purchase = { publisher_user_id: 'bob', source: 'GIFT_CARD', offer_uid: 'offer-gadgets-gift' }
  await ask(call, 'POST', '/transactions', { ...purchase, external_id: 'pending', amount: 50 })
  await ask(call, 'POST', '/transactions', { ...purchase, external_id: 'held', amount: 25, kind: 'AUTHORIZATION' })
}

/** Adds a redirect URI, and a review answered by a service-wide alias. */
async function allowAndReview(): Promise<void> {
  const value = 'https://mover.example/back'
  const allowed = await laurel(['allow', 'redirect-uri', value, '--publisher', toId(redeemer)], here())
  assert.equal(allowed.code, 0, allowed.stderr)
  const { reader } = source.owner
  await reader`
    with alias as (
      insert into match_aliases (alias_uid, key, brand_uid, decided_by, decided_at)
      values (gen_random_uuid(), 'SOME TILL', 'brand-gadgets', 'Ada', now())
      returning alias_uid
    )
    insert into review_items (review_id, publisher_id, template, proposed_uid, score, method, evidence, purchases, samples,
      first_seen_at, last_seen_at, decided_at, decided_by, brand_uid, alias_uid)
    select gen_random_uuid(), ${redeemer.publisher.id}, 'SOME TILL', 'brand-gadgets', 0.1 + 0.2, 'name', '[]', 1, '{}',
      now(), now(), now(), 'Ada', 'brand-gadgets', alias_uid
    from alias`
}

const toMonth = (now: string) => now.slice(0, 7)
const readNow = async (call: Call) => (await ask(call, 'GET', '/sandbox/clock')).now as string
let closedMonth = ''
let report = ''

async function closeMonth(): Promise<void> {
  closedMonth = toMonth(await readNow(redeemer.call))
  await playUntil(redeemer, `${monthAfter(closedMonth)}-01`)
  const closed = await close(source, closedMonth, redeemer)
  assert.equal(closed.status, 200, JSON.stringify(closed.body))
}

/** Counts the publisher's rows in the target. */
async function arrived(): Promise<number> {
  const tables = await target.owner.reader<{ name: string }[]>`
    select table_name as name from information_schema.columns
    where table_schema = 'public' and column_name = 'publisher_id' and table_name <> 'postings'`
  // One query for all tables, because it runs after each refusal.
  const rows = tables.map(({ name }) => `select from "${name}" where publisher_id = '${redeemer.publisher.id}'`)
  const [found] = await target.owner.reader.unsafe<{ count: number }[]>(
    `select count(*)::int as count from (${rows.join(' union all ')}) as rows`,
  )
  assert(found !== undefined)
  return found.count
}

const importArgs = (name: string, key = 'key') => ['takeouts', 'import', '--file', file(name), '--key-file', file(key)]
const createArgs = (of: Pick<Redeemer, 'publisher'>, archive: string, key: string) => [
  ...['takeouts', 'create', '--publisher', toId(of), '--out', file(archive), '--key-file', file(key)],
]
// biome-ignore lint/suspicious/noExplicitAny: a manifest
let manifest: any
let lines: string[] = []

test("a takeout contains all of its publisher's data, none of other publishers', and no plaintext secret", async () => {
  manifest = await laurelJson(createArgs(redeemer, 'archive', 'key'), here())
  assert.equal(manifest.final, false)
  assert.equal((await stat(file('key'))).mode & 0o777, 0o600)
  const content = gunzipSync(await readFile(file('archive'))).toString('utf8')
  lines = content.split('\n')
  const counts = Map.groupBy(lines.slice(1, -2), (line) => JSON.parse(line).table)
  for (const [name, { rows }] of Object.entries(manifest.tables as Record<string, { rows: number }>))
    assert.equal(counts.get(name)?.length ?? 0, rows, name)
  assert.deepEqual(
    LIVED.split(' ').filter((name) => !counts.has(name)),
    [],
  )
  const [key = ''] = (await readFile(file('key'), 'utf8')).split('\n')
  const neighbourId = neighbour.publisher.id
  const others = [neighbourId, toId(neighbour), toUserId(neighbourId, 'neighbour-1'), 'neighbour-1']
  const token = await source.owner.reader<{ token: string }[]>`
    select encode(sealed_token, 'hex') as token from linker_items limit 1`
  const secrets = [key, webhookSecret, CHECKING.account_number, 'SAVE-THREE"', makeKey('source'), token[0]?.token ?? '']
  const found = [...others, ...secrets].filter((one) => one !== 'SAVE-THREE"' && content.includes(one))
  assert.deepEqual(found, [])
})

const LIVED =
  'adjustments allowance_holds allowed_redirect_uris api_keys brands card_accounts cards categories claims clicks closings ' +
  'decisions erasures event_feed event_sequences events feed_rows gift_card_orders gift_cards idempotency_keys journals ' +
  'ledger_rollups linker_items links list_counts match_aliases networks offers payment_journals payments ' +
  'payout_destinations postbacks publishers redemption_steps redemptions review_items source_claims source_events ' +
  'statements sub_ids terms_acceptances terms_documents transactions user_balances user_deactivations users voucher_codes ' +
  'webhook_deliveries webhook_endpoints'

/** Rewrites the lines of the archive and compresses it again. */
async function tampered(name: string, change: (lines: string[]) => string[]): Promise<string> {
  await writeFile(file(name), gzipSync(change([...lines]).join('\n')))
  return name
}

const findLine = (table: string) => lines.findIndex((line) => line.startsWith(`{"table":"${table}"`))

test('an altered or truncated archive, or one under another key, is rejected and leaves nothing behind', async () => {
  const other = await laurel(createArgs(neighbour, 'other', 'other-key'), here())
  assert.equal(other.code, 0, other.stderr)
  const amount = (all: string[]) => {
    const place = findLine('redemptions')
    return all.with(place, all[place]?.replace(/"amount":(\d+)/, '"amount":1$1') ?? '')
  }
  const whole = await readFile(file('archive'))
  await writeFile(file('half'), whole.subarray(0, whole.length / 2))
  await writeFile(file('no-archive'), 'nothing')
  const changed = /was changed after (it|the archive) was created/
  const cases: [string, RegExp, string?][] = [
    [await tampered('amount', amount), changed],
    [await tampered('line', (all) => all.toSpliced(findLine('clicks'), 1)), changed],
    [await tampered('user', (all) => all.toSpliced(findLine('users'), 1)), /cannot be imported\. It was changed/],
    [await tampered('end', (all) => all.slice(0, -2).concat('')), /is truncated/],
    ['half', /is truncated/],
    ['no-archive', /cannot be read as a takeout/],
    ['nowhere', /There is no file/],
    ['archive', /This is not the key/, 'other-key'],
    [
      await tampered('schema', (all) => all.with(0, all[0]?.replace(/"schema":"/, '"schema":"0') ?? '')),
      /same version/,
    ],
  ]
  for (const [archive, message, key] of cases) {
    const { code, stderr } = await laurel(importArgs(archive, key), there())
    assert.equal(code, 1, archive)
    assert.match(stderr, message)
    assert.equal(await arrived(), 0, archive)
  }
})

test('an archive with rows of another publisher is rejected, even if sealed with the right key', async () => {
  const body = lines.slice(0, -2)
  const foreign = (table: string, ...changes: [RegExp, string][]) =>
    changes.reduce((line, [from, to]) => line.replace(from, to), lines[findLine(table)] ?? '')
  const theirs: [RegExp, string] = [/"publisher_id":"[^"]*"/, `"publisher_id":"${target.publisher.id}"`]
  const cases = [
    foreign('api_keys', theirs, [/"sha256":"[^"]*"/, `"sha256":"\\\\x${'ab'.repeat(32)}"`]),
    foreign('closings', [/"books":"[^"]*"/, '"books":"production"']),
    foreign('decisions', [/"user_id":"[^"]*"/, `"user_id":"${newUuid()}"`]),
  ]
  const [key = ''] = (await readFile(file('key'), 'utf8')).split('\n')
  for (const row of cases) {
    const last = body.findLastIndex((line) => line.startsWith(row.slice(0, '{"table":"api_keys"'.length)))
    const all = body.toSpliced(last + 1, 0, row)
    await writeFile(file('foreign'), gzipSync(sealedArchive(all, key)))
    const { code, stderr } = await laurel(importArgs('foreign'), there())
    assert.equal(code, 1)
    assert.match(stderr, /contains rows of (api_keys|closings|decisions) that do not belong to the publisher/)
    assert.equal(await arrived(), 0)
  }
})

test('a killed import leaves nothing behind and can be retried', async () => {
  const blocker = target.owner.transaction(async (tx) => {
    await tx`lock table webhook_deliveries in access exclusive mode`
    const { PATH, HOME } = process.env
    const env = { ...Object.fromEntries(Object.entries(process.env).filter(([name]) => /^PG/.test(name))), PATH, HOME }
    const child = spawn(process.execPath, [PROGRAM, ...importArgs('archive')], { env: { ...env, ...there() } })
    const waits = async () =>
      (await tx`select from pg_locks where relation = 'webhook_deliveries'::regclass and not granted`).length > 0
    await eventually(waits)
    child.kill('SIGKILL')
    await once(child, 'exit')
  })
  await blocker
  assert.equal(await arrived(), 0)
})

let mover: Redeemer

test("an import preserves all totals, and the target's books and statements pass verification", async () => {
  const imported = await laurelJson(importArgs('archive'), there())
  assert.deepEqual([imported.tables, imported.money], [manifest.tables, manifest.money])
  const call = makeCaller(target.service.url, redeemer.apiKey)
  mover = { ...redeemer, call }
  const { ok } = await laurelJson(['ledger', 'verify'], there())
  assert.equal(ok, true)
  assert.deepEqual((await target.service.db.snapshot(verifyStatements)).differences, [])
  assert.deepEqual(await moneyByState(target, redeemer), await moneyByState(source, redeemer))
  const of = { month: closedMonth, kind: 'publisher', books: toId(redeemer) }
  const [theirs, ours] = [await documents(target, of), await documents(source, of)]
  assert.deepEqual(ours.map(({ currency }) => currency).toSorted(), ['EUR', 'USD'])
  assert.deepEqual(theirs, ours)
  for (const path of [
    '/users/ann',
    '/rewards/summary/ann',
    '/rewards/summary/bob',
    '/redemptions',
    '/claims',
    '/users/bob/statement',
    '/users/ann/statement?currency=EUR',
  ]) {
    const [was, is] = [await redeemer.call('GET', path), await call('GET', path)]
    assert.equal(is.status, was.status, path)
    assert.deepEqual(is.body, was.body, path)
  }
  const again = await laurel(importArgs('archive'), there())
  assert.equal(again.stderr, `${toId(redeemer)} already exists here, as Mover.\n`)
})

test('report files are not part of a takeout, so ready reports show as expired in the target', async () => {
  assert.equal((await ask(redeemer.call, 'GET', `/reports/${report}`)).status, 'ready')
  const { status, url } = await ask(mover.call, 'GET', `/reports/${report}`)
  assert.deepEqual([status, url], ['expired', null])
})

test('a name that is already taken blocks an import until the other publisher is renamed', async () => {
  const { stderr } = await laurel(importArgs('other', 'other-key'), there())
  const remedy =
    /^Another publisher here has the name Test\. Rename it with: laurel (.+) NAME\.\n$/.exec(stderr)?.[1] ?? ''
  assert.equal((await laurel([...remedy.split(' '), 'Elsewhere'], there())).code, 0, stderr)
  assert.equal((await laurel(importArgs('other', 'other-key'), there())).code, 0)
})

test('the target keeps its own catalog, and offers missing from it are imported as retired', async () => {
  const rows = await target.owner.reader<{ offerUid: string; name: string; isRetired: boolean }[]>`
    select offer_uid, name, retired_at is not null as is_retired from offers where offer_uid <> 'offer-gadgets-once'`
  const shown = rows.map(({ offerUid, name, isRetired }) => `${offerUid}: ${name}${isRetired ? ', retired' : ''}`)
  assert.deepEqual(shown.filter((one) => /market|pool/.test(one)).sort(), [
    'offer-gadgets-pool: Codes, retired',
    'offer-market: Their 5%',
  ])
})

test('the feed, webhooks, secrets, logins, rewards, payouts and months continue in the target', async () => {
  const { call } = mover
  const last = (await ask(redeemer.call, 'GET', '/events?after=0&limit=1')).content[0]
  assert.deepEqual((await ask(call, 'GET', '/events?after=0&limit=1')).content[0], last)
  const newest = Number(
    (
      await source.owner.reader`select last_sequence from event_sequences where publisher_id = ${redeemer.publisher.id}`
    )[0]?.['lastSequence'],
  )
  isListening = true
  await ask(call, 'PUT', '/users/bob/payout-destination', CHECKING)
  const { redemptions } = { redemptions: (await ask(call, 'GET', '/redemptions?size=100')).content }
  const sent = redemptions.find((one: { external_ref: string }) => one.external_ref === 'sent')
  const paid = await ask(call, 'POST', `/redemptions/${sent.redemption_id}/outcome`, { status: 'paid' })
  assert.equal(paid.status, 'paid')
  await eventually(async () => (await ask(call, 'GET', `/events?after=${newest}&limit=100`)).content.length > 0)
  const [next] = (await ask(call, 'GET', `/events?after=${newest}&limit=100`)).content
  assert.equal(next.sequence, newest + 1)
  // Codes and destinations are recognized by fingerprints, which differ in each installation.
  const { vault, db } = target.service
  const [code] = await listCodesByFingerprint(db.reader, [fingerprintCode(vault, 'save-three')])
  assert.equal(code?.userId, toUserId(redeemer.publisher.id, 'ann'))
  const destinations = await target.owner
    .reader`select from payout_destinations where publisher_id = ${redeemer.publisher.id}`
  assert.equal(destinations.length, 1, 'the same destination again is no other')
  await atSimulator(source, '/_sim/purchases', { item_id: item, merchant: 'Corner Market 12', amount: 20 })
  const before = (await ask(call, 'GET', '/transactions?publisher_user_id=ann&size=100')).total_elements
  await ask(call, 'POST', '/sandbox/clock', { advance_days: 3 })
  const after = (await ask(call, 'GET', '/transactions?publisher_user_id=ann&size=100')).total_elements
  assert.equal(after, before + 1, 'the feed of the card is read')
  await ask(call, 'POST', '/sandbox/clock', { advance_days: 40 })
  const pending = (await ask(call, 'GET', '/transactions?publisher_user_id=bob&size=100')).content
  assert(pending.every(({ status }: { status: string }) => status !== 'PENDING'))
  const refund = { publisher_user_id: 'bob', source: 'GIFT_CARD', kind: 'REFUND', external_id: 'back', amount: 50 }
  const debt = await ask(call, 'POST', '/transactions', { ...refund, original_external_id: 'bob bought 0' })
  assert.equal(debt.status, 'EARNED')
  const month = monthAfter(closedMonth)
  await playUntil(mover, `${monthAfter(month)}-01`)
  assert.equal((await close(target, month, mover)).status, 200)
  // Deliveries that failed in the source would not be retried for hours. The test makes them due now.
  await target.owner.reader`
    update webhook_endpoints set throttled_until = null, failures = 0, failing_since = null where publisher_id = ${redeemer.publisher.id}`
  await target.owner.reader`
    update webhook_queues set due_at = '-infinity' where publisher_id = ${redeemer.publisher.id}`
  await eventually(async () => {
    const [row] = await target.owner.reader`
      select bool_and(status = 'delivered') as is_done from webhook_deliveries
      where publisher_id = ${redeemer.publisher.id} and sequence <= ${newest}`
    return row?.['isDone']
  })
  assert.deepEqual(await differencesIn(target.service.db, [mover.publisher]), [])
  assert.deepEqual((await target.service.db.snapshot(verifyStatements)).differences, [])
  const { ok } = await laurelJson(['ledger', 'verify'], there())
  assert.equal(ok, true)
})

test('a publisher that has left stays frozen, even when rewards fall due and holds lapse', async () => {
  const args = (name: string) => [...createArgs(redeemer, name, `${name}-key`), '--final', '--settle', '1']
  const left = await laurelJson([...args('left'), '--by', 'Ada'], here())
  const { entries } = await laurelJson(['audit', 'list', '--subject', toId(redeemer)], here())
  assert.deepEqual([entries[0].action, entries[0].after], ['publisher.taken_out', { final: true }])
  const purchase = { publisher_user_id: 'neighbour-1', source: 'GIFT_CARD', offer_uid: 'offer-gadgets-gift' }
  await ask(neighbour.call, 'POST', '/transactions', { ...purchase, external_id: 'n1', amount: 50 })
  // Rewards of both publishers fall due and holds lapse, but the worker processes only the neighbor's.
  await source.owner.reader`
    update publishers set clock_offset_ms = clock_offset_ms + 4000000000
    where publisher_id = any(${[redeemer.publisher.id, neighbour.publisher.id]})`
  await eventually(async () => {
    const [row] = await source.owner.reader`
      select status from transactions where publisher_id = ${neighbour.publisher.id} and external_id = 'n1'`
    return row?.['status'] === 'EARNED'
  })
  const later = await laurelJson(args('later'), here())
  // The publisher's report files still expire, even though it has left.
  const { publishers: _was, report_orders: _ready, ...before } = left.tables
  const { publishers: _is, report_orders: _expired, ...after } = later.tables
  assert.deepEqual([after, later.money], [before, left.money])
})

/** Returns a command from docs/leaving.md, with this test's files filled in. */
async function documented(command: string, of: Pick<Redeemer, 'publisher'>): Promise<string[]> {
  const found = new RegExp(`^ +\\./laurel (takeouts ${command} .*)$`, 'm').exec(
    await readFile('docs/leaving.md', 'utf8'),
  )
  const known = (word: string) => (word === 'pub_…' ? toId(of) : /^mover\./.test(word) ? file(word) : word)
  return found?.[1]?.split(' ').map(known) ?? []
}

test('a production publisher must leave one installation before it can be imported elsewhere', async () => {
  const tenant = await source.tenant({ environment: 'production' })
  await rename(tenant.publisher.id, 'Live')
  const userId = await addUser(tenant, 'zoe')
  await book(source.service.db, tenant, userId, (opened) => accrueFor(opened, userId))
  const copy = await laurel(createArgs(tenant, 'copy', 'copy-key'), here())
  assert.equal(copy.code, 0, copy.stderr)
  // Printed in major units, for comparison with a trial balance. The archive has minor units.
  assert.match(copy.stdout, /^ {2}account user_pending USD balance +-\d+\.\d\d$/m)
  assert.match(copy.stdout, /^ {2}users +1$/m)
  const refused = await laurel(importArgs('copy', 'copy-key'), there())
  assert.match(refused.stderr, /Create the archive with --final/)
  const moved = await laurelJson([...(await documented('create', tenant)), '--settle', '500'], here())
  assert.equal(moved.final, true)
  const late = await tenant.call('POST', '/users', { publisher_user_id: 'late' })
  assert.deepEqual([late.status, late.body.code], [403, 'publisher_moved'])
  const given = { publisher_id: toId(tenant), publisher_user_id: 'zoe', kind: 'goodwill', reason: 'r', amount: 1 }
  const byOperator = await source.operator('POST', '/operator/adjustments', given)
  assert.deepEqual([byOperator.status, byOperator.body.code], [403, 'publisher_moved'])
  const unserved = await laurel(await documented('import', tenant), there())
  assert.match(unserved.stderr, /Users of Live could not link cards.*Set LAUREL_LINKER=plaid.*--links-cards false/)
  const atBanks = { LAUREL_LINKER: 'plaid', LAUREL_PLAID_ENV: 'production' }
  const account = { LAUREL_PLAID_CLIENT_ID: 'client', LAUREL_PLAID_SECRET: 'secret' }
  await laurelJson(await documented('import', tenant), { ...there(), ...atBanks, ...account })
  const there_ = makeCaller(target.service.url, tenant.apiKey)
  assert.equal((await there_('GET', '/users/zoe')).status, 200)
  // Advertisers are charged only by the installation that booked the rewards.
  const month = toMonth(new Date(Date.now() - 40 * 86_400_000).toISOString())
  for (const [app, parties] of [
    [source, 1],
    [target, 0],
  ] as const) {
    const closed = await close(app, month, null)
    assert.equal(closed.status, 200, JSON.stringify(closed.body))
    assert.equal((await documents(app, { month, kind: 'advertiser' })).length, parties)
    assert.deepEqual((await app.service.db.snapshot(verifyStatements)).differences, [])
  }
  const cancelled = await laurel(['takeouts', 'cancel', '--publisher', toId(tenant)], here())
  assert.equal(cancelled.code, 0, cancelled.stderr)
  await eventually(async () => (await tenant.call('GET', '/users/zoe')).status === 200)
  const twice = await laurel(['takeouts', 'cancel', '--publisher', toId(tenant)], here())
  assert.match(twice.stderr, /has not moved/)
})

function accrueFor(opened: Parameters<Parameters<typeof book>[3]>[0], userId: Parameters<typeof book>[2]): void {
  accrue(opened, userId, at(new Date(Date.now() - 80 * 86_400_000).toISOString()), 'brand-market', split)
}
