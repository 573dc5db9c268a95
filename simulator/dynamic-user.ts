import { put } from './feed.ts'
import { listSharedAccounts } from './linking.ts'
import { isPosted, makePurchase, postPurchase } from './purchases.ts'
import type { Item } from './state.ts'
import { DYNAMIC_USERNAME } from './users.ts'
import type { World } from './world.ts'

/**
 * The user whose feed changes with each refresh: all pending rows post, one posted amount increases by 1.00, and two
 * new pending purchases appear. The feeds of all other users change only through the control interface.
 */

const PURCHASES = [
  { merchant: 'Corner Coffee', amount: 4.75 },
  { merchant: 'Hillside Market', amount: 38.2 },
]

export function playDynamicUser(world: World, item: Item): void {
  if (item.username !== DYNAMIC_USERNAME) return
  const before = Object.values(item.transactions)
  const shared = new Set(listSharedAccounts(item).map(({ accountId }) => accountId))
  const raised = before.find(({ row }) => !row.pending && shared.has(row.account_id))
  if (raised !== undefined) {
    const amount = Math.round(raised.row.amount * 100 + 100) / 100
    put(item, { ...raised, row: { ...raised.row, amount } })
  }
  for (const stored of before) {
    if (stored.row.pending && shared.has(stored.row.account_id) && !isPosted(item, stored))
      postPurchase(world, stored.row.transaction_id, {})
  }
  for (const purchase of PURCHASES) makePurchase(world, { item_id: item.itemId }, { ...purchase, pending: true })
}
