/**
 * Gift cards: orders of cards at a supplier, what became of them, and the codes.
 * Promises that a user gets what was ordered once, that each card that was not delivered or was refunded is told, that a
 * code is shown once, and that no code stands in the database, a log or an event.
 */
export { allowReveal, cardIdIn, giftCardNotFound } from './cards.ts'
export type { GiftCardDeps } from './deps.ts'
export type { GiftCardRefusal } from './errors.ts'
export { wantedCards } from './offers.ts'
export type { GiftCardId } from './order.ts'
export { orderForRedemptions } from './place.ts'
export { findPublisherOfCard } from './queries.ts'
export { giftCardRoutes } from './routes.ts'
export { simulatedSupplier } from './simulated-supplier.ts'
export type { GiftCardSupplier } from './supplier.ts'
export { workGiftCards } from './work.ts'
