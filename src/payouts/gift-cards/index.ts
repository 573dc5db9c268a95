/**
 * Gift cards: orders placed with a supplier, their outcomes, and the cards' codes. Guarantees that an order is
 * delivered only once, that the publisher is notified of every card that was not delivered or was refunded, that a code
 * is revealed only once unless an operator allows another reveal, and that no code ever appears in clear text in the
 * database, a log or an event.
 */
export { allowRevealAs, getOrderOfCard, giftCardNotFound, parseCardId, revealCard } from './cards.ts'
export type { GiftCardRefusal } from './errors.ts'
export { showUndecided } from './metrics.ts'
export { findOrderableCards } from './offers.ts'
export { operatorGiftCardRoutes } from './operator-routes.ts'
export { GIFT_CARD_ORDER, type GiftCard, type GiftCardOrder } from './order.ts'
export { orderForRedemptions } from './place.ts'
export { listCards, listOrders } from './queries.ts'
export { giftCardRoutes } from './routes.ts'
export type { GiftCardDeps } from './source-events.ts'
export { countWaitingOrders } from './supplier/queue-queries.ts'
export { createSimulatedSupplier } from './supplier/simulated-supplier.ts'
export type { GiftCardSupplier } from './supplier/supplier.ts'
export { verifyGiftCards } from './verify-queries.ts'
export { createGiftCardWork } from './work.ts'
