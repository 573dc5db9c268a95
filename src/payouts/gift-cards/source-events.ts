import type { CatalogStore } from '../../catalog/catalog/index.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database, Tx } from '../../platform/db/database.ts'
import { encodeId, type TransactionId } from '../../platform/ids.ts'
import type { Log } from '../../platform/telemetry/log.ts'
import type { Vault } from '../../platform/vault/index.ts'
import { type EventKind, ingestEvents, type SourceEventInput } from '../../purchases/transactions/index.ts'
import { type Publisher, publisherNow } from '../../tenants/publishers/index.ts'
import type { GiftCard, GiftCardOrder } from './order.ts'
import type { GiftCardSupplier } from './supplier/supplier.ts'

export type CardReportDeps = { readonly catalog: CatalogStore; readonly vault: Vault; readonly clock: Clock }
export type GiftCardDeps = CardReportDeps & {
  readonly db: Database
  readonly log: Log
  readonly giftCardSupplier: GiftCardSupplier
}

/** The changes to a card that are reported as events of its purchase. */
type CardEvent = 'ordered' | 'delivered' | 'undelivered' | 'refunded'

const KINDS: Readonly<Record<CardEvent, EventKind>> = {
  ordered: 'AUTHORIZATION',
  delivered: 'CLEARING',
  undelivered: 'REVERSAL',
  refunded: 'REFUND',
}

/** Returns the ID of the card's first event, which identifies its purchase: the order and the card's position in it. */
function toExternalId({ orderId, ordinal }: Pick<GiftCard, 'orderId' | 'ordinal'>): string {
  return `${encodeId('gco', orderId)}:${ordinal}`
}

export function buildCardPurchase(
  order: Pick<GiftCardOrder, 'userId' | 'currency' | 'offerUid'>,
  card: Pick<GiftCard, 'denomination'>,
): Omit<SourceEventInput, 'externalId'> {
  return {
    userId: order.userId,
    source: 'GIFT_CARD',
    kind: 'AUTHORIZATION',
    originalExternalId: null,
    amount: card.denomination,
    currency: order.currency,
    occurredAt: null,
    dateOnly: false,
    facts: { offerUid: order.offerUid },
  }
}

/**
 * Reports changes to cards through the regular event intake, which derives their rewards. Returns each card's purchase.
 * A card bought by a redemption is not a purchase, because spending rewards earns no rewards.
 */
export async function reportCards(
  tx: Tx,
  deps: CardReportDeps,
  publisher: Publisher,
  { order, cards }: { readonly order: GiftCardOrder; readonly cards: readonly (GiftCard & { event: CardEvent })[] },
  now: Date,
): Promise<(TransactionId | null)[]> {
  if (order.redemptionId !== null) return cards.map(() => null)
  const intake = { ...deps, nowUnderLock: () => publisherNow(publisher, deps.clock) }
  const inputs = cards.map((card): SourceEventInput => {
    const first = toExternalId(card)
    const isFirst = card.event === 'ordered'
    return {
      ...buildCardPurchase(order, card),
      kind: KINDS[card.event],
      externalId: isFirst ? first : `${first}:${card.event}`,
      originalExternalId: isFirst ? null : card.event === 'refunded' ? `${first}:delivered` : first,
    }
  })
  return (await ingestEvents(tx, intake, publisher, inputs, now)).map((outcome) => {
    if ('refusal' in outcome) throw outcome.refusal
    return outcome.transactionId
  })
}
