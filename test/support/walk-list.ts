import assert from 'node:assert/strict'
import type { TestApp } from './app.ts'

/** Reads an operator list one row at a time, and checks that each row appears only once. */
export async function walkList<Row extends object>(app: TestApp, address: string, id: keyof Row): Promise<Row[]> {
  const rows: Row[] = []
  for (let cursor = ''; cursor !== 'null'; ) {
    const page = `${address.includes('?') ? '&' : '?'}limit=1${cursor === '' ? '' : `&cursor=${cursor}`}`
    const { status, body } = await app.operator('GET', `${address}${page}`)
    assert.equal(status, 200, JSON.stringify(body))
    assert(body.content.length <= 1)
    rows.push(...body.content)
    cursor = String(body.next_cursor)
  }
  assert.equal(new Set(rows.map((row) => row[id])).size, rows.length)
  return rows
}
