import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Answer, CATALOG, startTestApp, type TestApp } from '../support/app.ts'
import { eventually } from '../support/eventually.ts'
import { problemFault } from './operations.ts'

// All lists with page numbers share one paging contract. The file first fills each list with at least seven elements.

let app: TestApp
const THINGS = 7
const user = 'pager-0'
const lists: readonly {
  readonly path: string
  readonly id: string
  readonly sorts: readonly string[]
  readonly filter?: string
}[] = [
  {
    path: '/users',
    id: 'svc_user_id',
    sorts: ['created_at', 'updated_at', 'publisher_user_id', 'email', 'svc_user_id'],
  },
  { path: '/users/status', id: 'publisher_user_id', sorts: ['created_at', 'publisher_user_id', 'svc_user_id'] },
  {
    path: '/transactions',
    id: 'transaction_uid',
    sorts: ['transaction_date_time', 'created_at', 'amount', 'transaction_uid'],
  },
  { path: '/transactions', id: 'transaction_uid', sorts: ['amount'], filter: `publisher_user_id=${user}` },
  { path: '/publishers/brands', id: 'brand_uid', sorts: ['name'], filter: `publisher_user_id=${user}` },
  { path: '/webhooks/endpoints', id: 'endpoint_id', sorts: ['created_at'] },
  { path: '/webhooks/deliveries', id: 'delivery_id', sorts: ['created_at'] },
]

before(async () => {
  app = await startTestApp()
  const [market] = CATALOG.brands
  const brands = Array.from({ length: THINGS }, (_, index) => ({
    ...market,
    brand_uid: `brand-${index}`,
    name: `Market ${index}`,
    website: `https://market-${index}.example`,
    offers: market?.offers.map((offer) => ({ ...offer, offer_uid: `offer-${index}` })),
  }))
  await app.catalog({ ...CATALOG, brands })
  for (let index = 0; index < THINGS; index++) {
    const url = `http://127.0.0.1:9/${index}`
    assert.equal(
      (await app.call('POST', '/webhooks/endpoints', { url, event_types: ['transaction.created'] })).status,
      200,
    )
    await app.call('POST', '/users', { publisher_user_id: `pager-${index}`, email: `p${index}@example.com` })
  }
  const bought = (index: number) => ({ publisher_user_id: user, external_id: `p-${index}`, amount: 1 + (index % 3) })
  await app.call('POST', '/transactions', { transactions: Array.from({ length: THINGS }, (_, index) => bought(index)) })
  for (const path of ['/users', '/transactions', '/webhooks/deliveries'])
    await eventually(async () => ((await app.call('GET', path)).body.total_elements >= THINGS ? true : null))
})

after(() => app.close())

const ENVELOPE = [
  'content',
  'page',
  'size',
  'number_of_elements',
  'total_elements',
  'total_pages',
  'first',
  'last',
  'sort',
]

for (const { path, id, sorts, filter } of lists) {
  const name = filter === undefined ? path : `${path}?${filter}`
  const get = (query: string): Promise<Answer> =>
    app.call('GET', `${path}?${[filter ?? '', query].filter(Boolean).join('&')}`)
  const getIds = ({ body }: Answer): string[] => body.content.map((one: Record<string, string>) => one[id])

  test(`${name}: the pages together contain every element of the list exactly once`, async () => {
    const whole = await get('size=100')
    const { total_elements: total } = whole.body
    assert.deepEqual(Object.keys(whole.body).sort(), [...ENVELOPE].sort())
    assert.ok(total >= THINGS)
    assert.deepEqual([whole.body.page, whole.body.size, whole.body.first, whole.body.last], [0, 100, true, true])
    for (const sort of ['', ...sorts.flatMap((field) => [`&sort=${field},asc`, `&sort=-${field}`])]) {
      const seen: string[] = []
      const pages = Math.ceil(total / 3)
      for (let page = 0; page < pages; page++) {
        const answer = await get(`size=3&page=${page}${sort}`)
        const { content: _, sort: sorted, ...envelope } = answer.body
        seen.push(...getIds(answer))
        const number_of_elements = page === pages - 1 ? total - 3 * page : 3
        assert.deepEqual(envelope, {
          page,
          size: 3,
          number_of_elements,
          total_elements: total,
          total_pages: pages,
          first: page === 0,
          last: page === pages - 1,
        })
        assert.ok(Array.isArray(sorted))
      }
      assert.deepEqual([...seen].sort(), getIds(whole).sort(), `sorted by "${sort}"`)
    }
  })

  test(`${name}: page 0 of size 30 is the default, and a page past the end is empty with correct totals`, async () => {
    const { page, size, total_elements } = (await get('')).body
    assert.deepEqual([page, size], [0, 30])
    for (const far of [1_000, 10_000]) {
      const { body } = await get(`page=${far}&size=100`)
      assert.deepEqual(body.content, [])
      assert.deepEqual(
        [body.number_of_elements, body.total_elements, body.total_pages, body.first, body.last],
        [0, total_elements, Math.ceil(total_elements / 100), false, true],
      )
    }
  })

  test(`${name}: each sort field works in both directions, and other fields are rejected`, async () => {
    for (const field of sorts) {
      const up = await get(`size=100&sort=${field},asc`)
      const down = await get(`size=100&sort=${field},desc`)
      assert.deepEqual([up.body.sort, down.body.sort], [[`${field},asc`], [`${field},desc`]])
      assert.deepEqual(getIds(down), getIds(up).reverse(), field)
      assert.deepEqual(getIds(await get(`size=100&sort=-${field}`)), getIds(down))
    }
    for (const sort of [
      'nonsense',
      'asc',
      '',
      `${sorts[0]};drop`,
      `${sorts[0]},sideways`,
      'constructor',
      '__proto__',
    ]) {
      const refused = await get(`sort=${encodeURIComponent(sort)}`)
      assert.equal(problemFault(refused, 400, path), null, sort)
      assert.equal(refused.body.errors[0].field, 'sort')
    }
  })

  test(`${name}: an out-of-range page or size is rejected, and the error identifies the parameter`, async () => {
    for (const [field, values] of Object.entries({
      page: ['-1', '1.5', 'x', '', '1000000001'],
      size: ['0', '101', '-1', 'x'],
    })) {
      for (const value of values) {
        const refused = await get(`${field}=${value}`)
        assert.equal(problemFault(refused, 400, path), null, `${field}=${value}`)
        assert.deepEqual(
          refused.body.errors.map((one: { field: string }) => one.field),
          [field],
        )
      }
    }
  })
}
