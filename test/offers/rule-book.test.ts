import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { offersDocument } from '../../scripts/offers-doc.ts'
import { RULE_BOOK } from './index.ts'
import { playRow } from './row.ts'

for (const { title: chapter, rows } of RULE_BOOK) {
  for (const row of rows) {
    test(`${chapter}: ${row.title}`, () => {
      const { reason, amounts } = playRow(row)
      if (typeof row.expected === 'string') {
        assert.deepEqual({ reason, amounts }, { reason: row.expected, amounts: null })
        return
      }
      assert.equal(reason, null)
      assert(amounts !== null)
      assert.deepEqual({ ...amounts, ...row.expected }, amounts)
      assert.equal(amounts.user + amounts.publisher + amounts.fee + amounts.discount, amounts.gross)
    })
  }
}

test('docs/offers.md is generated from these rows', async () => {
  const document = await readFile(new URL('../../docs/offers.md', import.meta.url), 'utf8')
  assert.equal(document, offersDocument(), 'run node scripts/offers-doc.ts')
})

test('no case appears twice in the rule book', () => {
  const titles = RULE_BOOK.flatMap(({ title, rows }) => rows.map((row) => `${title}: ${row.title}`))
  assert.deepEqual(
    titles.filter((title, index) => titles.indexOf(title) !== index),
    [],
  )
})
