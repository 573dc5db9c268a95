import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, test } from 'node:test'
import { type Answer, makeCaller, startTestApp } from '../../../test/support/app.ts'
import { openDatabase } from '../../platform/db/database.ts'
import { createOperator } from '../../tenants/access/index.ts'
import { toLocalActor } from '../../tenants/accounts/index.ts'
import { streamCatalog } from './feed/export.ts'

const app = await startTestApp()
const { db, url } = app.service
after(() => app.close())
const put = (body: object, query = '', headers = {}) => app.operator('PUT', `/operator/catalog${query}`, body, headers)

const offer = (uid: string, rate: number, more: object = {}) => ({
  offer_uid: uid,
  name: uid,
  offer_type: 'CARD_LINKED',
  reward_type: 'CASHBACK_PERCENTAGE',
  commission: { rate },
  ...more,
})
const batch = (...offers: object[]) => ({
  categories: [{ category_id: 1, category: 'GROCERY' }],
  brands: [{ brand_uid: 'acme', category_id: 1, name: 'Acme', offers }],
})
const counts = (added: number, changed: number, retired: number, unchanged: number) => ({
  added,
  changed,
  retired,
  unchanged,
})

test('a batch adds and changes only what it contains, and repeating it changes nothing', async () => {
  const first = await put(batch(offer('a', 5), offer('b', 3)))
  assert.deepEqual([first.status, first.body.brands, first.body.offers], [200, counts(1, 0, 0, 0), counts(2, 0, 0, 0)])
  const again = await put(batch(offer('a', 5), offer('b', 3)))
  assert.deepEqual([again.body.offers, again.body.version], [counts(0, 0, 0, 2), first.body.version])
  const second = await put(batch(offer('a', 6), offer('c', 1)))
  assert.deepEqual([second.body.offers, second.body.version], [counts(1, 1, 0, 0), first.body.version + 1])
  const { body } = await app.operator('GET', '/operator/catalog/export')
  assert.deepEqual(
    body.brands[0].offers.map((one: Record<string, unknown>) => [one['offer_uid'], one['commission']]),
    [
      ['a', { rate: 6 }],
      ['b', { rate: 3 }],
      ['c', { rate: 1 }],
    ],
  )
})

test('a dry run lists the changes and their effects on users field by field, and changes nothing', async () => {
  const before = (await app.operator('GET', '/operator/catalog/export?format=csv')).body
  const { body } = await put(batch(offer('a', 7, { end_date: '2026-12-31' }), offer('d', 2)), '?dry_run=true')
  assert.deepEqual([body.dry_run, body.offers], [true, counts(1, 1, 0, 0)])
  assert.deepEqual(body.diff.effects, { rates: 1, dates: 1, conditions: 0 })
  assert.deepEqual(body.diff.offers, [
    {
      change: 'changed',
      uid: 'a',
      name: 'a',
      brand_name: 'Acme',
      fields: [
        { field: 'commission.rate', from: 6, to: 7 },
        { field: 'end_date', from: null, to: '2026-12-31' },
      ],
    },
    { change: 'added', uid: 'd', name: 'd', brand_name: 'Acme', fields: [] },
  ])
  assert.equal((await app.operator('GET', '/operator/catalog/export?format=csv')).body, before)
})

test('a dry run does not wait for a running import, but an import does', { timeout: 600_000 }, async () => {
  let imported = false
  const importing = await db.transaction(async (tx) => {
    await tx`select version from catalog_version for update`
    const dry = await put(batch(offer('a', 8)), '?dry_run=true')
    assert.deepEqual([dry.status, dry.body.offers], [200, counts(0, 1, 0, 0)])
    const answer = put(batch(offer('a', 6))).then(({ status }) => {
      imported = true
      return status
    })
    assert.equal((await put(batch(offer('a', 9)), '?dry_run=true')).status, 200)
    assert.equal(imported, false)
    return { answer }
  })
  assert.equal(await importing.answer, 200)
})

test('a CSV catalog is converted to the import document, and errors are reported by line and column', async () => {
  const read = (csv: string) => app.operator('POST', '/operator/catalog/csv', { csv })
  const { status, body } = await read('brand_uid,brand_name,category_id\nread,Read Shop,1\n\nread-2,Second,1\n')
  assert.deepEqual([status, body.lines.map(({ line }: { line: number }) => line)], [200, [2, 4]])
  assert.equal((await put({ ...body, lines: undefined }, '?dry_run=true')).body.brands.added, 2)
  const faulty = await read('brand_uid,colour\nread,green\n')
  assert.deepEqual([faulty.status, faulty.body.errors[0].field], [400, 'lines.1.colour'])
})

test('with replace, everything missing from the batch is retired exactly once', async () => {
  const other = { brand_uid: 'other', category_id: 1, name: 'Other', offers: [offer('o', 1)] }
  await put({ brands: [other] })
  const { brands, offers } = (await put(batch(offer('a', 6)), '?replace=true')).body
  assert.deepEqual([brands, offers], [counts(0, 0, 1, 1), counts(0, 0, 3, 1)])
  const again = (await put(batch(offer('a', 6)), '?replace=true')).body
  assert.deepEqual([again.brands.retired, again.offers.retired], [0, 0])
  const back = (await put({ brands: [other] })).body
  assert.deepEqual([back.brands, back.offers], [counts(0, 1, 0, 0), counts(0, 1, 0, 0)])
})

test('an empty batch with replace is rejected, and the error identifies the field', async () => {
  const before = (await app.operator('GET', '/operator/catalog/export')).body
  for (const empty of [{ brands: [] }, { categories: [{ category_id: 1, category: 'GROCERY' }] }]) {
    const { status, body } = await put(empty, '?replace=true')
    assert.deepEqual([status, body.errors[0].field], [400, 'brands'])
  }
  assert.deepEqual((await app.operator('GET', '/operator/catalog/export')).body, before)
})

test('an invalid batch is rejected as a whole, and each error is listed by field', async () => {
  const before = (await app.operator('GET', '/operator/catalog/export')).body
  const wrong = batch(offer('new', 5), offer('a', 5, { commission: undefined }), offer('a', 4))
  const { status, body } = await put(wrong)
  assert.deepEqual([status, body.code], [400, 'invalid_input'])
  assert.deepEqual(body.errors.map((one: { field: string }) => one.field).sort(), [
    'brands.0.offers.1.commission',
    'brands.0.offers.2',
  ])
  assert.deepEqual((await app.operator('GET', '/operator/catalog/export')).body, before)
})

test('a repeated Idempotency-Key returns the same response, or is rejected if the input differs', async () => {
  const key = { 'Idempotency-Key': 'one' }
  const first = await put(batch(offer('once', 5)), '', key)
  const again = await put(batch(offer('once', 5)), '', key)
  assert.deepEqual(again.body, first.body)
  assert.equal(first.body.offers.added, 1)
  assert.equal(again.headers.get('idempotency-replayed'), 'true')
  const other = await put(batch(offer('once', 6)), '', key)
  assert.deepEqual([other.status, other.body.code], [422, 'idempotency_key_reused'])
})

test('batches of up to ten MiB are accepted', async () => {
  const terms = (count: number) =>
    batch(...Array.from({ length: count }, (_, at) => offer(`t${at}`, 1, { description: 'x'.repeat(19_000) })))
  const { status, body } = await put(terms(500), '?dry_run=true')
  assert.deepEqual([status, body.offers.added], [200, 500])
  assert.equal((await put(terms(600))).status, 413)
})

test('imports are recorded in the audit log, and every version of an offer is retained', async () => {
  const { key } = await db.transaction((tx) =>
    createOperator(tx, { name: 'Grace', role: 'catalog', by: toLocalActor('tests') }, new Date()),
  )
  const call = makeCaller(url, key)
  for (const rate of [1, 2]) assert.equal((await call('PUT', '/operator/catalog', batch(offer('v', rate)))).status, 200)
  const { body } = await app.operator('GET', '/operator/audit?actor=Grace')
  const [entry] = body.content
  assert.deepEqual(
    [entry.action, entry.subject, entry.after.version - entry.before.version, entry.after.offers],
    ['catalog.imported', 'catalog', 1, counts(0, 1, 0, 0)],
  )
  const kept = await db.reader<{ version: number; rate: string; by: string }[]>`
    select version, content -> 'commission' ->> 'rate' as rate, changed_by as by from offer_versions
    where offer_uid = 'v' order by version`
  assert.deepEqual(
    kept.map(({ version, rate, by }) => [version, rate, by]),
    [
      [1, '1', entry.actor],
      [2, '2', entry.actor],
    ],
  )
})

test('the support role can neither change nor export the catalog', async () => {
  const { key } = await db.transaction((tx) =>
    createOperator(tx, { name: 'Linus', role: 'support', by: toLocalActor('tests') }, new Date()),
  )
  assert.equal((await makeCaller(url, key)('PUT', '/operator/catalog', batch())).body.code, 'role_missing')
  assert.equal((await makeCaller(url, key)('GET', '/operator/catalog/export')).status, 403)
})

test('an operator can run only one export at a time', async () => {
  const exported = () => app.operator('GET', '/operator/catalog/export')
  let both: Promise<Answer>[] = []
  await app.owner.transaction(async (tx) => {
    await tx`lock table categories in access exclusive mode`
    both = [exported(), exported()]
    const refused = await Promise.race(both)
    assert.deepEqual([refused.status, refused.body.code], [429, 'rate_limited'])
  })
  const statuses = (await Promise.all(both)).map(({ status }) => status)
  assert.deepEqual(statuses.toSorted(), [200, 429])
  assert.equal((await exported()).status, 200)
})

test('an export that is read too slowly is cut off, and its snapshot ends', async (context) => {
  const brands = Array.from({ length: 1_500 }, (_, index) => ({
    brand_uid: `many_${index}`,
    category_id: 1,
    name: `Many ${index}`,
    offers: [offer(`many_${index}`, 1)],
  }))
  assert.equal((await put({ categories: [{ category_id: 1, category: 'GROCERY' }], brands })).status, 200)
  const exports = openDatabase(db.url, { work: 'reports', connections: 1 })
  context.after(() => exports.close())
  const bounds = { windowMs: 100, windowBytesMin: 1024 * 1024, wholeMs: 600_000 }
  const { stream, ended } = streamCatalog(exports, 'json', bounds)
  await once(stream, 'readable')
  stream.read(100)
  await once(stream, 'error')
  await ended
  assert.equal((await exports.reader`select 1 as one`).length, 1)
})
