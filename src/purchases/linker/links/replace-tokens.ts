import type { PublisherId, UserId } from '../../../platform/ids.ts'
import type { LinkId } from '../../../sources/cards/index.ts'
import { type AccountDeps, getProvider } from '../accounts/provider-accounts.ts'
import { type Item, listItemsNotHandedOver, updateToken } from '../item-queries.ts'
import { ProviderFault } from '../provider.ts'
import { openToken, sealToken } from '../sealed-tokens.ts'

/** The links whose tokens were to be replaced, by outcome. */
type Replaced = {
  readonly replaced: readonly LinkId[]
  /** The old token still works, because the provider refused the call or was not called. */
  readonly refused: readonly LinkId[]
  /** The old token may have stopped working. If so, the login shows an error and the user must link it again. */
  readonly uncertain: readonly LinkId[]
}

type Ending = keyof Replaced

const PAGE = 100

/**
 * Replaces the access tokens of a publisher's items after a leak, for one user or for all. The old tokens stop working
 * immediately, so a read in progress with an old token fails and is retried. Handed-over items are skipped, because the
 * publisher replaces their tokens and hands over the new ones. A repeated call replaces the tokens again.
 */
export async function replaceTokens(
  deps: AccountDeps,
  publisherId: PublisherId,
  userId: UserId | null,
): Promise<Replaced> {
  const ended: Record<Ending, LinkId[]> = { replaced: [], refused: [], uncertain: [] }
  let after: LinkId | null = null
  for (;;) {
    const page: Item[] = await listItemsNotHandedOver(deps.db.reader, publisherId, { userId, after, limit: PAGE })
    for (const item of page) ended[await replace(deps, item)].push(item.linkId)
    after = page.at(-1)?.linkId ?? null
    if (after === null) return ended
  }
}

async function replace(deps: AccountDeps, item: Item): Promise<Ending> {
  try {
    const provider = await getProvider(deps, item)
    const token = await provider.patient.replaceToken(openToken(deps.vault, item, item.sealedToken))
    const sealedToken = sealToken(deps.vault, item, token)
    await deps.db.transaction((tx) => updateToken(tx, item.publisherId, { ...item, sealedToken }))
    return 'replaced'
  } catch (error) {
    if (!(error instanceof ProviderFault)) throw error
    return error.kind === 'refused' || error.symptom === 'spared' ? 'refused' : 'uncertain'
  }
}
