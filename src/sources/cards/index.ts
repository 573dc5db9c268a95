/**
 * Cards: the accounts each user has linked, at which institution and for how long, and whether the login still works.
 * Guarantees that a card keeps its identity when its user links the same login again, that an account is a card of only
 * one user per publisher, and that every visible change emits an event.
 */
export { countBrokenLogins } from './across-queries.ts'
export { detectDuplicates, type Linking } from './duplicates.ts'
export { setLinkDeadline, setLinkError } from './link-health.ts'
export { operatorLoginRoutes } from './operator-routes.ts'
export {
  type BankAccount,
  CARD_ERRORS,
  type CardError,
  type CardId,
  type CardSpan,
  type Link,
  type LinkId,
  type LinkKey,
  listCardSpans,
  listFormerCards,
  lockCards,
} from './queries.ts'
export { type FindCard, indexCardsByAccount } from './rules.ts'
export { CardSchema, DuplicateCardSchema, type FailedLink, FailedLinkSchema, NewAccountsSchema } from './schema.ts'
export {
  announceFailedLinks,
  announceNewAccounts,
  findLinksByAccounts,
  type LinkWithCards,
  linkCards,
  listLinks,
  markAccountsChosen,
  unlinkCards,
} from './service.ts'
