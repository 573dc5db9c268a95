import type { PublisherId, UserId } from '../../platform/ids.ts'
import type { Vault } from '../../platform/vault/index.ts'
import type { LinkId } from '../../sources/cards/index.ts'

/** The owner of a token, sealed with it so that a copy in another row cannot be opened. */
type TokenOwner = { readonly publisherId: PublisherId; readonly userId: UserId; readonly linkId: LinkId }

export function sealToken(vault: Vault, owner: TokenOwner, accessToken: string): Buffer {
  return vault.seal(accessToken, toContext(owner))
}

export function openToken(vault: Vault, owner: TokenOwner, sealed: Uint8Array): string {
  return vault.open(sealed, toContext(owner))
}

/** Hashes an item's id, which is also a secret. Webhooks contain the id, and their item is found by this hash. */
export function fingerprintItem(vault: Vault, itemId: string): Buffer {
  return vault.fingerprint(itemId, 'linker_items')
}

function toContext({ publisherId, userId, linkId }: TokenOwner): string {
  return `linker_items:${publisherId}:${userId}:${linkId}`
}
