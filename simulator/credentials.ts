import { createHash } from 'node:crypto'
import { ProviderError } from './errors.ts'
import { getItemByToken } from './items.ts'
import { lookUp } from './state.ts'
import type { World } from './world.ts'

/**
 * Authenticates callers. Any client id is accepted with any secret, but the first secret used with an id becomes the
 * only valid one. A token is valid only for the client id that created it.
 */

export function checkSecret(world: World, clientId: string, secret: string): void {
  const { clientSecrets } = world.state
  const hash = createHash('sha256').update(secret).digest('base64')
  const known = lookUp(clientSecrets, clientId)
  if (known === undefined) {
    // Uses defineProperty instead of assignment so that even `__proto__` works as a client id.
    Object.defineProperty(clientSecrets, clientId, { value: hash, enumerable: true })
    world.changed()
  } else if (known !== hash) throw invalidKeys()
}

export function invalidKeys(): ProviderError {
  return new ProviderError('INVALID_API_KEYS', 'invalid client_id or secret provided')
}

type Tokens = { readonly access_token?: unknown; readonly public_token?: unknown; readonly link_token?: unknown }

/**
 * Rejects tokens that belong to other clients. Unknown tokens pass, so that the call itself reports the right error.
 */
export function checkTokens(world: World, clientId: string, tokens: Tokens): void {
  const { access_token, public_token, link_token } = tokens
  if (typeof access_token === 'string' && !mayUseAccess(world, clientId, access_token)) {
    throw new ProviderError('INVALID_ACCESS_TOKEN', 'the access token was created under another client_id')
  }
  if (typeof public_token === 'string' && !owns(world, clientId, findPublicTokenHolder(world, public_token))) {
    throw new ProviderError('INVALID_PUBLIC_TOKEN', 'the public token was created under another client_id')
  }
  if (typeof link_token === 'string' && !owns(world, clientId, lookUp(world.state.linkTokens, link_token))) {
    throw new ProviderError('INVALID_LINK_TOKEN', 'the link token was created under another client_id')
  }
}

type Holder = { clientId: string | null }

function mayUseAccess(world: World, clientId: string, token: string): boolean {
  const removed = lookUp(world.state.removedTokens, token)
  if (removed !== undefined) return removed === null || removed === clientId
  return owns(world, clientId, findItemByToken(world, token) ?? undefined)
}

/**
 * True unless another client owns the token. An unclaimed token, which exists only in old snapshots, is assigned to the
 * first client id that uses it.
 */
function owns(world: World, clientId: string, holder: Holder | undefined): boolean {
  if (holder === undefined) return true
  if (holder.clientId === null) {
    holder.clientId = clientId
    world.changed()
  }
  return holder.clientId === clientId
}

function findPublicTokenHolder(world: World, token: string): Holder | undefined {
  const link = lookUp(world.state.publicTokens, token)?.link
  return link?.kind === 'update' ? lookUp(world.state.items, link.itemId) : link?.item
}

/** Returns the item that the access token belongs to, or null if the token is invalid for any reason. */
export function findItemByToken(world: World, token: unknown) {
  if (typeof token !== 'string') return null
  try {
    return getItemByToken(world, token)
  } catch {
    return null
  }
}
