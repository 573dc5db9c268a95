import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp } from '../../../test/support/app.ts'
import { CATEGORIES, offer } from '../../../test/support/catalog-world.ts'
import { newUuid, toUserId } from '../../platform/ids.ts'

const app = await startTestApp()
after(() => app.close())

const gift = (name: string, more: object) => offer(name, { offer_type: 'GIFT_CARD', offer_uid: name, ...more })
const brand = (brand_uid: string, name: string, category_id: number, offers: readonly object[]) => ({
  brand_uid,
  name,
  category_id,
  offers,
})
const market = (amount: number, more: readonly object[] = []) =>
  brand('market', 'Corner Market', 1, [
    gift('budgeted', { commission: { rate: 10 }, budgets: [{ period: 'LIFETIME', amount }] }),
    gift('past', { end_date: '2020-01-31' }),
    ...more,
  ])

before(async () => {
  const barn = brand('barn', 'Gadget Barn', 2, [
    offer('100% Barn', { offer_uid: 'future', start_date: '2999-01-01', commission: { rate: 8 } }),
    gift('daily', {
      budgets: [
        { period: 'DAY', amount: 50 },
        { period: 'MONTH', amount: 500 },
      ],
    }),
  ])
  await app.catalog({ categories: CATEGORIES, brands: [market(10, [gift('gone', {})]), barn] })
  await app.operator('PUT', '/operator/catalog?replace=true', {
    categories: CATEGORIES,
    brands: [market(10), barn],
  })
  await app.call('POST', '/users', { publisher_user_id: 'ada' })
  await app.call('POST', '/terms/accept', { publisher_user_id: 'ada', tnc_id: app.tncId })
})

async function read(address: string) {
  const { status, body } = await app.operator('GET', address)
  assert.equal(status, 200, JSON.stringify(body))
  return body
}

test('all catalog offers, including retired ones, are listed and can be filtered', async () => {
  const cases: readonly [query: string, offers: readonly string[]][] = [
    ['sort=created', ['budgeted', 'past', 'gone', 'future', 'daily']],
    ['', ['daily', 'future', 'gone', 'past', 'budgeted']],
    ['state=live', ['daily', 'budgeted']],
    ['state=ended', ['past']],
    ['state=scheduled', ['future']],
    ['state=retired', ['gone']],
    ['brand_uid=market&sort=created', ['budgeted', 'past', 'gone']],
    ['brand_uid=market&state=live', ['budgeted']],
    ['offer_type=CARD_LINKED', ['future']],
    ['category_id=1', ['gone', 'past', 'budgeted']],
    ['category_id=3', []],
    ['search_text=BARN', ['daily', 'future']],
    ['search_text=0%25%20b', ['future']],
    ['search_text=past', ['past']],
    ['search_text=_', []],
  ]
  for (const [query, offers] of cases) {
    const { content } = await read(`/operator/offers?${query}`)
    assert.deepEqual(
      content.map(({ offer_uid }: { offer_uid: string }) => offer_uid),
      offers,
      query,
    )
  }
  const [future] = (await read('/operator/offers?state=scheduled')).content
  assert.deepEqual([future.brand_name, future.commission, future.has_budget], ['Gadget Barn', 8, false])
})

test('an offer, even a retired one, is returned in catalog-file format with its current state', async () => {
  const future = await read('/operator/offers/future')
  assert.deepEqual(
    [future.state, future.brand_name, future.category_id, future.commission_groups],
    ['scheduled', 'Gadget Barn', 2, 1],
  )
  assert.deepEqual(
    [future.content.offer_uid, future.content.name, future.content.commission, future.content.start_date],
    ['future', '100% Barn', { rate: 8 }, '2999-01-01'],
  )
  const gone = await read('/operator/offers/gone')
  assert.deepEqual([gone.state, gone.content.name], ['retired', 'gone'])
  const { status, body } = await app.operator('GET', '/operator/offers/nowhere')
  assert.deepEqual([status, body.code], [404, 'offer_unknown'])
})

test("an offer's requirements for a purchase are listed, with amounts in major units", async () => {
  const demanding = brand('strict', 'Strict', 1, [
    gift('strict', { min_spend: 12.5, max_spend: 80, one_time_use: true, activation_required: true }),
  ])
  await app.catalog({ categories: CATEGORIES, brands: [demanding] })
  const [listed] = (await read('/operator/offers?brand_uid=strict')).content
  const { min_spend, max_spend, one_time_use, new_customer_only, activation_required } = listed
  assert.deepEqual(
    [min_spend, max_spend, one_time_use, new_customer_only, activation_required],
    [12.5, 80, true, false, true],
  )
  const { content: _content, ...whole } = await read('/operator/offers/strict')
  assert.deepEqual(whole, listed)
})

test('paging by cursor returns each offer once, and a cursor that does not fit the list is rejected', async () => {
  const seen: string[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const page = await read(`/operator/offers?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`)
    seen.push(...page.content.map(({ offer_uid }: { offer_uid: string }) => offer_uid))
    cursor = page.next_cursor
  }
  assert.deepEqual(seen, ['strict', 'daily', 'future', 'gone', 'past', 'budgeted'])
  const forged = (parts: unknown) => Buffer.from(JSON.stringify(parts)).toString('base64url')
  for (const wrong of [
    'x',
    forged(['-created', 'x', null]),
    forged(['-created', '1', newUuid()]),
    forged(['created', '1', null]),
  ]) {
    const { status, body } = await app.operator('GET', `/operator/offers?cursor=${wrong}`)
    assert.deepEqual([status, body.errors[0].field], [400, 'cursor'], wrong)
  }
})

test('budgets show how much is spent, and nearly spent ones stay on the desk until raised', async () => {
  const waiting = async () => {
    const { content } = await read('/operator/desk')
    return content.find(({ what }: { what: string }) => what === 'budgets')
  }
  const nearly = async () => (await read((await waiting()).address)).content
  const untouched = (await read('/operator/budgets')).content
  assert.deepEqual(
    untouched.map(
      ({ offer_uid, budgets }: { offer_uid: string; budgets: { period: string; spent: number; left: number }[] }) => [
        offer_uid,
        budgets.map(({ period, spent, left }) => [period, spent, left]),
      ],
    ),
    [
      [
        'daily',
        [
          ['DAY', 0, 50],
          ['MONTH', 0, 500],
        ],
      ],
      ['budgeted', [['LIFETIME', 0, 10]]],
    ],
  )
  assert.deepEqual([(await waiting()).count, await nearly()], [0, []])
  const bought = await app.call('POST', '/transactions', {
    publisher_user_id: 'ada',
    external_id: 'b-1',
    source: 'GIFT_CARD',
    amount: 92,
    offer_uid: 'budgeted',
  })
  assert.equal(bought.status, 200)
  const [{ budgets }] = await nearly()
  assert.deepEqual(
    budgets.map((one: object) => Object.values(one)),
    [
      ['production', 'LIFETIME', null, null, 10, 0, 10, 0, null],
      ['sandbox', 'LIFETIME', null, null, 10, 9.2, 0.8, 92, null],
    ],
  )
  const { count, oldest_at } = await waiting()
  assert.deepEqual([count, oldest_at === null], [1, false])
  const [daily] = (await read('/operator/budgets?brand_uid=barn')).content
  const [day, month] = daily.budgets
  assert.equal(day.starts_on, day.ends_on)
  assert.deepEqual([month.starts_on.slice(8), month.starts_on.slice(0, 7)], ['01', month.ends_on.slice(0, 7)])
  assert.equal(month.elapsed_percent >= 0 && month.elapsed_percent <= 100, true)
  await app.operator('PUT', '/operator/catalog', { categories: CATEGORIES, brands: [market(20)] })
  assert.deepEqual([(await waiting()).count, await nearly()], [0, []])
})

test("an offer's versions list their changes", async () => {
  const { versions } = await read('/operator/offers/budgeted/versions')
  assert.deepEqual(
    versions.map(({ version, changes }: { version: number; changes: { field: string; to: unknown }[] }) => [
      version,
      changes.map(({ field, to }) => [field, to]),
    ]),
    [
      [2, [['budgets.0.amount', 20]]],
      [1, []],
    ],
  )
  assert.equal((await app.operator('GET', '/operator/offers/none/versions')).status, 404)
})

test('broken logins are listed and appear on the desk', async () => {
  const userId = toUserId(app.publisher.id, 'ada')
  const link = (error: string | null, unlinked: Date | null) => app.owner.reader`
    insert into links (user_id, link_id, publisher_id, institution_id, institution_name, error, linked_at, unlinked_at)
    values (${userId}, ${newUuid()}, ${app.publisher.id}, 'ins_1', ${`Bank ${error}`}, ${error}, now(), ${unlinked})`
  await link('NEED_AUTHENTICATION', null)
  await link('UNKNOWN', null)
  await link('UNKNOWN', new Date())
  await link(null, null)
  const names = async (query: string) =>
    (await read(`/operator/logins/broken?${query}`)).content.map(
      (one: { institution_name: string; publisher_user_id: string }) =>
        `${one.publisher_user_id} ${one.institution_name}`,
    )
  assert.deepEqual(await names(''), ['ada Bank UNKNOWN', 'ada Bank NEED_AUTHENTICATION'])
  assert.deepEqual(await names('sort=linked_at&error=UNKNOWN'), ['ada Bank UNKNOWN'])
  const { content } = await read('/operator/desk')
  const { count, address } = content.find(({ what }: { what: string }) => what === 'broken_logins')
  assert.deepEqual([count, address], [2, '/operator/logins/broken'])
})
