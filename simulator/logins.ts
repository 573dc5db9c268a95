import { buildStoredError, LOGIN_REQUIRED, ProviderError } from './errors.ts'
import { announceUpdates, getLastUpdate, resumeFeed, silenceFeed } from './feed.ts'
import type { Item, StoredError } from './state.ts'
import type { World } from './world.ts'

/**
 * A login's states. Most errors can be resolved only by the user, and some cannot be resolved at all. Calls that need
 * the login fail with its error. While the bank is down, however, they return the last data read from it.
 */

const BANK_IS_DOWN: readonly string[] = ['INSTITUTION_DOWN', 'INSTITUTION_NOT_RESPONDING', 'INSTITUTION_NOT_AVAILABLE']
const REVOKED = 'USER_PERMISSION_REVOKED'

export type ChangeOptions = {
  /** Suppresses the webhook. */
  readonly silent?: boolean
}

/** Throws the item's stored error, unless the bank is merely down. */
export function refuseWhenBroken({ error }: Item): void {
  if (error !== null && !BANK_IS_DOWN.includes(error.error_code)) throw new ProviderError(error)
}

/**
 * Throws the item's error if its permission was revoked. A revoked permission cannot be restored, so the user must link
 * the bank again.
 */
export function refuseWhenRevoked({ error }: Item): void {
  if (error?.error_code === REVOKED) throw new ProviderError(error)
}

/** Breaks the login, as a password change at the bank would. Repeating the same error sends no webhook. */
export function breakLogin(world: World, item: Item, { error = LOGIN_REQUIRED, silent }: Break = {}): void {
  if (putError(world, item, error) && !silent) {
    world.webhooks.send(item, 'ITEM', 'ERROR', { error: { ...error, status: 400 } })
  }
}

type Break = ChangeOptions & { readonly error?: StoredError }

/** Simulates a user who revokes the permission at the bank. */
export function revokePermission(world: World, item: Item, { silent }: ChangeOptions): void {
  const error = buildStoredError(REVOKED)
  if (putError(world, item, error) && !silent) {
    world.webhooks.send(item, 'ITEM', REVOKED, { error: { ...error, status: 400 } })
  }
}

/**
 * Makes the login work again. The provider announces only repairs made elsewhere, because a client that ran update mode
 * does not need the announcement. Transactions made in the meantime arrive with the next updates.
 */
export function repairLogin(
  world: World,
  item: Item,
  where: 'in update mode' | 'elsewhere',
  { silent }: ChangeOptions = {},
): void {
  const wasEnding = item.consentExpiresAt !== undefined
  delete item.consentExpiresAt
  world.changed()
  if (item.error === null && !wasEnding) return
  item.error = null
  if (where === 'elsewhere' && !silent) world.webhooks.send(item, 'ITEM', 'LOGIN_REPAIRED')
  listenAgain(world, item)
}

type Expiry = ChangeOptions & { readonly in_seconds?: number; readonly as?: 'disconnect' | 'expiration' }

/**
 * Expires the consent, either immediately or at an announced deadline. Signing in again, before or after the deadline,
 * reverses this.
 */
export function expireConsent(world: World, item: Item, { in_seconds = 0, as = 'disconnect', silent }: Expiry): void {
  if (in_seconds === 0) {
    breakLogin(world, item, silent === undefined ? {} : { silent })
    return
  }
  const deadline = new Date(world.getNow(item).getTime() + in_seconds * 1000).toISOString()
  item.consentExpiresAt = deadline
  world.changed()
  if (silent) return
  if (as === 'expiration') {
    world.webhooks.send(item, 'ITEM', 'PENDING_EXPIRATION', { consent_expiration_time: deadline })
  } else {
    const fields = { reason: 'INSTITUTION_TOKEN_EXPIRATION', disconnect_time: deadline }
    world.webhooks.send(item, 'ITEM', 'PENDING_DISCONNECT', fields)
  }
}

/**
 * Expires the consent if its deadline has passed. This is checked when the item is used, not by a timer, because clocks
 * can be moved.
 */
export function applyExpiry(world: World, item: Item): Item {
  const { consentExpiresAt } = item
  if (consentExpiresAt === undefined || item.error !== null) return item
  if (Date.parse(consentExpiresAt) <= world.getNow(item).getTime()) breakLogin(world, item)
  return item
}

/** Stops or resumes the bank's reports to the provider. A frozen feed is not an error: it just stops changing. */
export function freezeFeed(world: World, item: Item, frozen: boolean): void {
  if (frozen) {
    keepLastUpdate(world, item)
    item.frozen = true
    silenceFeed(item)
    world.changed()
  } else if (item.frozen) {
    delete item.frozen
    listenAgain(world, item)
  }
}

function putError(world: World, item: Item, error: StoredError): boolean {
  if (item.error?.error_code === error.error_code) return false
  keepLastUpdate(world, item)
  item.error = error
  item.lastFailedUpdate = world.getNow(item).toISOString()
  if (BANK_IS_DOWN.includes(error.error_code)) silenceFeed(item)
  world.changed()
  return true
}

function keepLastUpdate(world: World, item: Item): void {
  item.lastSuccessfulUpdate = getLastUpdate(world, item)
}

function listenAgain(world: World, item: Item): void {
  const down = item.error !== null && BANK_IS_DOWN.includes(item.error.error_code)
  if (!down && !item.frozen) resumeFeed(item)
  announceUpdates(world, item)
}
