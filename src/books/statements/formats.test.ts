import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, test } from 'node:test'
import { parse } from 'csv-parse/sync'
import { CATALOG, makeCaller, startTestApp } from '../../../test/support/app.ts'
import { checkPaging } from '../../../test/support/operator-lists.ts'
import { addUser, bookJanuary, close, toId } from '../../../test/support/settlement-world.ts'
import { createOperator } from '../../tenants/access/index.ts'
import { toLocalActor } from '../../tenants/accounts/index.ts'
import type { StatementDocument } from './statements/document.ts'
import { renderStatementPdf } from './statements/pdf.ts'
import { documentExample } from './statements/schema.ts'

const app = await startTestApp()
await app.catalog(CATALOG)
const { db, url } = app.service
await bookJanuary(db, app, await addUser(app, 'ada'), 'brand-market')
await close(app, '2026-01', app)
const { body: own } = await app.call('GET', '/statements')
const [heading] = own.content
after(() => app.close())

const fetchBytes = async (path: string, key: string) => {
  const answer = await fetch(url + path, { headers: { authorization: `Bearer ${key}` } })
  assert.equal(answer.status, 200)
  return { headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) }
}

test("all parties' statements can be paged through in every sort order", () =>
  checkPaging(app, '/operator/statements', { key: 'statement_id', orders: ['month', 'party', 'created_at'] }))

test('a JSON statement consists of exactly the bytes that were hashed', async () => {
  const { headers, bytes } = await fetchBytes(`/statements/${heading.statement_id}`, app.apiKey)
  const hash = createHash('sha256').update(bytes)
  assert.equal(hash.copy().digest('hex'), heading.sha256)
  assert.equal(headers.get('content-digest'), `sha-256=:${hash.digest('base64')}:`)
  assert.match(headers.get('content-disposition') ?? '', /statement_2026-01_stm_\w+\.json/)
})

test('a CSV statement lists the closing balances and the hash in one table', async () => {
  const { bytes } = await fetchBytes(`/statements/${heading.statement_id}?format=csv`, app.apiKey)
  const rows = parse(bytes, { columns: true }) as Record<string, string>[]
  const { body } = await app.call('GET', `/statements/${heading.statement_id}`)
  const closings = rows.filter(({ section }) => section === 'balance').map(({ closing }) => closing)
  assert.deepEqual(
    closings,
    body.balances.map((line: { closing: string }) => line.closing),
  )
  assert.equal(rows.find(({ name }) => name === 'sha256')?.['detail'], heading.sha256)
})

test('a PDF is reproducible byte for byte, and long statements and names in any script can be rendered', async () => {
  const path = `/statements/${heading.statement_id}?format=pdf`
  const [first, second] = [await fetchBytes(path, app.apiKey), await fetchBytes(path, app.apiKey)]
  assert.equal(first.headers.get('content-type'), 'application/pdf')
  assert.match(first.bytes.toString('latin1'), /^%PDF-1\.[\s\S]*%%EOF\s*$/)
  assert(first.bytes.equals(second.bytes))
  const long: StatementDocument = {
    ...documentExample,
    movements: Array.from({ length: 200 }, () => documentExample.movements).flat(),
  }
  const written = await renderStatementPdf(long, 'Łódź 東京 Café', 'f'.repeat(64))
  assert.ok((written.toString('latin1').match(/\/Type \/Page\b/g) ?? []).length > 5)
})

test('finance closes months and records payments, support can only read, and catalog can do none of this', async () => {
  const statuses = {
    finance: [200, 200, 200, 200],
    support: [403, 403, 200, 200],
    catalog: [403, 403, 403, 403],
  } as const
  for (const [role, expected] of Object.entries(statuses)) {
    const { key } = await db.transaction((tx) =>
      createOperator(tx, { name: role, role: role as keyof typeof statuses, by: toLocalActor('tests') }, new Date()),
    )
    const call = makeCaller(url, key)
    const payment = {
      publisher_id: toId(app),
      direction: 'paid',
      party: 'publisher',
      amount: 1,
      currency: 'USD',
      external_ref: `of ${role}`,
      value_date: '2026-01-31',
    }
    const answers = [
      await call('POST', '/operator/statements/close', { month: '2026-01', publisher_id: toId(app) }),
      await call('POST', '/operator/payments', payment),
      await call('GET', '/operator/statements'),
      await call('GET', '/operator/payments'),
    ]
    assert.deepEqual(
      answers.map(({ status }) => status),
      expected,
      role,
    )
  }
})

test('a publisher cannot see the statements of other publishers or the service', async () => {
  const other = await app.tenant()
  const ids = [heading.statement_id, 'stm_01kbjyt5v3f4nvj5yq5yfypr9v', 'nothing']
  for (const id of ids) {
    const { status, body } = await other.call('GET', `/statements/${id}?format=pdf`)
    assert.deepEqual([status, body.code], [404, 'statement_not_found'])
  }
  assert.equal((await other.call('GET', '/statements')).body.total_elements, 0)
  const { body } = await app.operator('GET', '/operator/statements?kind=service')
  assert.equal((await app.call('GET', `/statements/${body.content[0].statement_id}`)).status, 404)
  const keyless = await app.tenant({ scopes: ['users:read'] })
  assert.equal((await keyless.call('GET', '/statements')).status, 403)
})
