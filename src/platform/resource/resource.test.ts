import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newUuid } from '../ids.ts'
import { day, id, instant, integer, money, oneOf, text } from './fields.ts'
import { column, resource } from './resource.ts'

const BOOK = resource(
  'Book',
  {
    book_uid: id('pay', { property: 'bookId', example: 'pay_01kbjyt5v3f4nvj5yq5yfypr9v', description: 'The book.' }),
    publisher_user_id: text({ joined: true, example: 'user-1' }),
    kind: oneOf(['novel', 'essay'], { title: 'BookKind', example: 'novel', description: 'Its kind.' }),
    price: money({ nullable: true, example: 12.5, description: 'The price, or null if unknown.' }),
    currency: text({ example: 'JPY' }),
    pages: integer({ example: 320 }),
    bought_on: day({ example: '2026-11-21' }),
    read_at: instant({ nullable: true, example: null }),
  },
  { shelf: column<string>() },
)

test('a resource presents the members of a row in the order and format of its fields', () => {
  const row = {
    bookId: newUuid<'payment'>(),
    publisherUserId: 'ada',
    kind: 'essay',
    price: 1_250n,
    currency: 'JPY',
    pages: 12,
    boughtOn: '2026-11-20',
    readAt: new Date('2026-11-21T10:15:30Z'),
    shelf: 'never shown',
  } as const
  const { book_uid, ...shown } = BOOK.present(row)
  assert.match(book_uid, /^pay_[0-9a-z]{26}$/)
  assert.deepEqual(Object.entries(shown), [
    ['publisher_user_id', 'ada'],
    ['kind', 'essay'],
    ['price', 1250],
    ['currency', 'JPY'],
    ['pages', 12],
    ['bought_on', '2026-11-20'],
    ['read_at', '2026-11-21T10:15:30.000Z'],
  ])
  assert.deepEqual(BOOK.present({ ...row, price: null, readAt: null }), {
    book_uid,
    ...shown,
    price: null,
    read_at: null,
  })
})

test("a resource's columns include the hidden ones but no joined values", () => {
  assert.deepEqual(BOOK.columns, ['bookId', 'kind', 'price', 'currency', 'pages', 'boughtOn', 'readAt', 'shelf'])
})

test("a resource's schema has its name, and both the schema and the example have all of its fields", () => {
  const { title, required, properties } = BOOK.schema as typeof BOOK.schema & { title: string }
  assert.equal(title, 'Book')
  assert.deepEqual(required, Object.keys(BOOK.example))
  assert.deepEqual(properties.kind, {
    ...properties.kind,
    type: 'string',
    enum: ['novel', 'essay'],
    description: 'Its kind.',
    title: 'BookKind',
  })
  assert.deepEqual([BOOK.example.price, BOOK.example.read_at], [12.5, null])
})
