import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loaded } from '../../../../test/support/replayed.ts'
import { openHistory } from './history.ts'

let looks = 0
/** A date that counts how often it is compared. */
class Watched extends Date {
  override getTime(): number {
    looks++
    return super.getTime()
  }
}

test('the previous purchase is found among many others without comparing them all', () => {
  const purchases = Array.from({ length: 4_000 }, (_, hour) => {
    const one = loaded({ id: `purchase-${hour}`, hour })
    return { ...one, folded: { ...one.folded, authorizedAt: new Watched(one.folded.authorizedAt) } }
  })
  const history = openHistory(purchases, [], new Map())
  looks = 0
  for (const [index, one] of purchases.entries())
    assert.equal(
      history.previousPurchaseAt(one, 'brand')?.valueOf(),
      purchases[index - 1]?.folded.authorizedAt.valueOf(),
    )
  assert.ok(looks < 40 * purchases.length, `${looks}`)
})

test('another report of a purchase does not count as its previous purchase', () => {
  const purchases = ['a', 'b', 'c', 'd'].map((id, hour) => loaded({ id, hour }))
  const [first, second, third, last] = purchases
  assert.ok(first && second && third && last)
  const reports = new Set([second, third].map(({ group }) => group.root.transactionId))
  const madeAt = second.folded.authorizedAt
  const samePurchases = new Map([...reports].map((id) => [id, { reports, madeAt }]))
  const history = openHistory(purchases, [], samePurchases)
  assert.deepEqual(
    purchases.map((one) => history.previousPurchaseAt(one, 'brand')),
    [null, first.folded.authorizedAt, first.folded.authorizedAt, third.folded.authorizedAt],
  )
})
