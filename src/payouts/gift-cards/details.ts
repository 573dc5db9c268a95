import type { Vault } from '../../platform/vault/index.ts'
import type { GiftCard } from './order.ts'

/** The details needed to spend a card. */
export type CardDetails = { readonly number: string; readonly code: string }

export function sealCard(vault: Vault, card: Pick<GiftCard, 'userId' | 'cardId'>, details: CardDetails): Buffer {
  return vault.seal(JSON.stringify(details), toContext(card))
}

export function openCard(vault: Vault, card: GiftCard): CardDetails {
  if (card.sealedDetails === null) throw new Error('a card that was not delivered has no details')
  return JSON.parse(vault.open(card.sealedDetails, toContext(card)))
}

function toContext({ userId, cardId }: Pick<GiftCard, 'userId' | 'cardId'>): string {
  return `gift_cards:${userId}:${cardId}`
}
