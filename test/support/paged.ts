import assert from 'node:assert/strict'
import type { TestApp } from './app.ts'

type Shown = Readonly<Record<string, string>>

/** Asserts that paging through an operator list row by row yields each row exactly once in every order. */
export async function checkPaging(
  { operator }: Pick<TestApp, 'operator'>,
  address: string,
  { key, orders }: { readonly key: string; readonly orders: readonly string[] },
): Promise<void> {
  const read = async (query: string) => {
    const { status, body } = await operator('GET', `${address}${address.includes('?') ? '&' : '?'}${query}`)
    assert.equal(status, 200, JSON.stringify(body))
    return { ids: body.content.map((one: Shown) => one[key]) as string[], next: body.next_cursor as string | null }
  }
  for (const order of orders) {
    const { ids: ascending } = await read(`sort=${order}`)
    assert.ok(ascending.length > 1, `${address} has no rows to order`)
    for (const [sort, expected] of [
      [order, ascending],
      [`-${order}`, ascending.toReversed()],
    ] as const) {
      const seen: string[] = []
      for (let cursor: string | null = ''; cursor !== null; ) {
        const { ids, next } = await read(`sort=${sort}&limit=1${cursor === '' ? '' : `&cursor=${cursor}`}`)
        seen.push(...ids)
        cursor = next
      }
      assert.deepEqual(seen, expected, `${address} by ${sort}`)
    }
  }
}
