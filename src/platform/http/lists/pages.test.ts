import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem } from '../problems.ts'
import { buildPage, readPaging } from './pages.ts'

const allowed = ['created_at', 'email'] as const

test('the sort parameter accepts every notation', () => {
  const up = { field: 'email', descending: false }
  const down = { field: 'email', descending: true }
  const rows: [sort: string[], fields: object[]][] = [
    [[], []],
    [['email'], [up]],
    [['-email'], [down]],
    [['email', 'asc'], [up]],
    [['email', 'DESC'], [down]],
    [
      ['email', 'desc', 'created_at'],
      [down, { field: 'created_at', descending: false }],
    ],
    [
      ['-created_at', 'email', 'asc'],
      [{ field: 'created_at', descending: true }, up],
    ],
  ]
  for (const [sort, fields] of rows) assert.deepEqual(readPaging({ sort }, allowed).sort, fields, sort.join(' '))
})

test('sorting by a field that is not allowed is rejected', () => {
  for (const sort of ['password', 'desc', '--email', 'Email', '', '__proto__']) {
    assert.throws(
      () => readPaging({ sort: [sort] }, allowed),
      (error: unknown) => error instanceof Problem && error.errors?.[0]?.field === 'sort',
    )
  }
})

test('a page beyond the limit is rejected with a hint to use the cursor', () => {
  assert.equal(readPaging({ page: 10_000, size: 100 }, allowed).offset, 1_000_000)
  assert.throws(
    () => readPaging({ page: 10_001, size: 100 }, allowed),
    (error: unknown) =>
      error instanceof Problem &&
      error.errors?.[0]?.field === 'page' &&
      /at most 10000 with size 100.*GET \/events/.test(error.message),
  )
})

test('a page reports its position in the full list', () => {
  const rows: [page: number, size: number, total: number, pages: number, last: boolean][] = [
    [0, 30, 0, 0, true],
    [0, 30, 30, 1, true],
    [0, 30, 31, 2, false],
    [1, 30, 31, 2, true],
    [9, 30, 31, 2, true],
  ]
  for (const [page, size, total, pages, last] of rows) {
    const shown = buildPage([], total, readPaging({ page, size, sort: ['-email'] }, allowed))
    const position = [shown.total_pages, shown.first, shown.last, shown.sort]
    assert.deepEqual(position, [pages, page === 0, last, ['email,desc']])
  }
  assert.deepEqual([readPaging({}, allowed).size, readPaging({ page: 3, size: 7 }, allowed).offset], [30, 21])
})
