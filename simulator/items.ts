import { ProviderError } from './errors.ts'
import { enterItem, findByToken, leaveItem } from './find.ts'
import { newToken } from './ids.ts'
import { applyExpiry } from './logins.ts'
import { remember } from './memory.ts'
import { type Item, lookUp } from './state.ts'
import type { World } from './world.ts'

/**
 * Returns the item that the access token belongs to.
 * @throws ProviderError INVALID_ACCESS_TOKEN, or ITEM_NOT_FOUND if the item was removed
 */
export function getItemByToken(world: World, accessToken: string): Item {
  const item = findByToken(world.state, accessToken)
  if (item !== undefined) return applyExpiry(world, item)
  if (lookUp(world.state.removedTokens, accessToken) !== undefined) throw itemNotFound()
  throw new ProviderError('INVALID_ACCESS_TOKEN', 'the access token is unknown')
}

export function getItem(world: World, itemId: string): Item {
  const item = lookUp(world.state.items, itemId)
  if (item === undefined) throw itemNotFound()
  return item
}

/**
 * Moves the clock of one login's bank, because a single simulator can serve clients whose users are at different
 * simulated times.
 */
export function moveItemClock(world: World, item: Item, offsetSeconds: number): void {
  item.clockOffsetSeconds = offsetSeconds
  applyExpiry(world, item)
  world.changed()
}

/** Issues a new access token and invalidates the old one. */
export function replaceToken(world: World, item: Item): string {
  item.accessToken = newToken(world.state, 'access')
  enterItem(world.state, item)
  world.changed()
  return item.accessToken
}

export function removeItem(world: World, item: Item): void {
  leaveItem(world.state, item)
  remember(world, item)
  delete world.state.items[item.itemId]
  world.state.removedTokens[item.accessToken] = item.clientId
  world.changed()
}

function itemNotFound(): ProviderError {
  return new ProviderError('ITEM_NOT_FOUND', 'the item does not exist, or was removed')
}
