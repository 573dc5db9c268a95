import type { LinkId } from '../../cards/index.ts'
import type { PublisherId, UserId } from '../../platform/ids.ts'
import type { LinkerDeps } from '../deps.ts'
import { ProviderFault } from '../provider.ts'
import { listTokensAfter, type StoredToken, updateToken } from './replace-token-queries.ts'
import { openToken, sealToken } from './sealed-tokens.ts'

/**
 * New tokens for old, after a leak: the old ones are dead at once. A reading that is under way with the old token fails
 * and is done again. Items of a publisher's own account are not touched: their tokens are the publisher's, who replaces
 * them and hands over the new ones.
 */
type Replaced = {
  readonly replaced: readonly LinkId[]
  /** The old token is as it was: the provider refused, or could not be reached before anything happened. */
  readonly refused: readonly LinkId[]
  /** Nobody knows whether the old token is dead. If it is, the login shows an error, and its user links it anew. */
  readonly uncertain: readonly LinkId[]
}

type Ending = keyof Replaced
type Deps = Pick<LinkerDeps, 'db' | 'vault' | 'provider'>

const PAGE = 100

/** Replaces the tokens of a publisher's items, of one user or of all. May be repeated; then they are replaced again. */
export async function replaceTokens(deps: Deps, publisherId: PublisherId, userId: UserId | null): Promise<Replaced> {
  const ended: Record<Ending, LinkId[]> = { replaced: [], refused: [], uncertain: [] }
  let after: LinkId | null = null
  for (;;) {
    const page: StoredToken[] = await listTokensAfter(deps.db.reader, publisherId, { userId, after, limit: PAGE })
    for (const token of page) ended[await replace(deps, token)].push(token.linkId)
    after = page.at(-1)?.linkId ?? null
    if (after === null) return ended
  }
}

async function replace(deps: Deps, token: StoredToken): Promise<Ending> {
  const replaced = await deps.provider.patient
    .replaceToken(openToken(deps.vault, token, token.sealedToken))
    .catch((error: unknown) => {
      if (!(error instanceof ProviderFault)) throw error
      return error
    })
  if (replaced instanceof ProviderFault)
    return replaced.kind === 'refused' || replaced.symptom === 'spared' ? 'refused' : 'uncertain'
  const sealedToken = sealToken(deps.vault, token, replaced)
  await deps.db.transaction((tx) => updateToken(tx, token.publisherId, { ...token, sealedToken }))
  return 'replaced'
}
