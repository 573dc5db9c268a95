import { LOGIN_REQUIRED, ProviderError } from './errors.ts'
import { announceUpdates, record } from './feed.ts'
import { findByToken, leaveItem } from './find.ts'
import { type Item, lookUp } from './state.ts'
import type { World } from './world.ts'

/** The item of an access token, or why not: INVALID_ACCESS_TOKEN, ITEM_NOT_FOUND once it was removed. */
export function itemOfToken(world: World, accessToken: string): Item {
  const item = findByToken(world.state, accessToken)
  if (item !== undefined) return item
  if (lookUp(world.state.removedTokens, accessToken) !== undefined) throw itemNotFound()
  throw new ProviderError('INVALID_ACCESS_TOKEN', 'the access token is unknown')
}

export function getItem(world: World, itemId: string): Item {
  const item = lookUp(world.state.items, itemId)
  if (item === undefined) throw itemNotFound()
  return item
}

/** Throws the item's stored error: what needs a login that works cannot be answered. */
export function refuseWhenBroken(item: Item): void {
  if (item.error?.error_code === LOGIN_REQUIRED.error_code) {
    throw new ProviderError('ITEM_LOGIN_REQUIRED', item.error.error_message)
  }
}

/** Moves the time of this login's bank alone: clients whose users live in different presents share one simulator. */
export function moveItemClock(world: World, item: Item, offsetSeconds: number): void {
  item.clockOffsetSeconds = offsetSeconds
  world.changed()
}

export function removeItem(world: World, item: Item): void {
  leaveItem(world.state, item)
  delete world.state.items[item.itemId]
  world.state.removedTokens[item.accessToken] = item.clientId
  world.changed()
}

/** The user's login stops working, as after a change of password at the bank. Breaking a broken item tells no one. */
export function breakLogin(world: World, item: Item): void {
  if (item.error !== null) return
  item.error = LOGIN_REQUIRED
  item.lastFailedUpdate = world.nowOf(item).toISOString()
  world.changed()
  world.webhooks.send(item, 'ITEM', 'ERROR', { error: { ...LOGIN_REQUIRED, status: 400 } })
}

/**
 * The login works again. The provider announces that only when it was repaired elsewhere: a client that ran update mode
 * itself is expected to know. What the bank collected meanwhile comes with the next updates.
 */
export function repairLogin(world: World, item: Item, where: 'in update mode' | 'elsewhere'): void {
  if (item.error === null) return
  item.error = null
  item.lastSuccessfulUpdate = world.nowOf(item).toISOString()
  world.changed()
  if (where === 'elsewhere') world.webhooks.send(item, 'ITEM', 'LOGIN_REPAIRED')
  announceUpdates(world, item)
}

/** Changes which accounts are shared; the rows of an account come and go with it. */
export function shareAccounts(world: World, item: Item, accountIds: readonly string[]): void {
  for (const account of item.accounts) {
    const shared = accountIds.includes(account.accountId)
    if (shared === account.shared) continue
    account.shared = shared
    for (const { row } of Object.values(item.transactions)) {
      if (row.account_id === account.accountId) record(item, shared ? 'added' : 'removed', row)
    }
  }
  world.changed()
}

function itemNotFound(): ProviderError {
  return new ProviderError('ITEM_NOT_FOUND', 'the item does not exist, or was removed')
}
