import type { LinkId } from '../../cards/index.ts'
import type { PublisherId, UserId } from '../../platform/ids.ts'
import type { Vault } from '../../secrets/index.ts'

/** Whose token it is; sealed into it, so that a token copied to another row does not open. */
type TokenOwner = { readonly publisherId: PublisherId; readonly userId: UserId; readonly linkId: LinkId }

export function sealToken(vault: Vault, owner: TokenOwner, accessToken: string): Buffer {
  return vault.seal(accessToken, contextOf(owner))
}

export function openToken(vault: Vault, owner: TokenOwner, sealed: Uint8Array): string {
  return vault.open(sealed, contextOf(owner))
}

/** Webhooks name the item; it is found by this hash, for the item's id is a secret too. */
export function fingerprintOf(vault: Vault, itemId: string): Buffer {
  return vault.fingerprint(itemId, 'linker_items')
}

function contextOf({ publisherId, userId, linkId }: TokenOwner): string {
  return `linker_items:${publisherId}:${userId}:${linkId}`
}
