/**
 * The linker: link tokens, the provider's items behind linked cards, their sealed tokens, and their transaction feeds.
 * Guarantees that no plaintext token is stored, logged or sent, that each purchase or refund in a feed is recorded
 * exactly once, and that an item's token is retained until the item is removed at the provider.
 */
export { type AccountSummary, findAccount, removeAccount, setAccount } from './accounts/provider-accounts.ts'
export type { LinkerDeps } from './deps.ts'
export {
  findLinkScript,
  isServed,
  listUnserved,
  PRODUCTION_SETTINGS,
  type Providers,
  WITHOUT_LINKING,
} from './environments.ts'
export type { LinkerRefusal } from './errors.ts'
export { listUnmatchedByUser, UNMATCHED_REFUNDS } from './feed/unmatched-queries.ts'
export { CANDIDATE_REFUND, type CandidateRefund, UNMATCHED_REFUND } from './feed/unmatched-refund.ts'
export { assignRefundAs, countWaitingRefunds, dismissRefundAs } from './feed/unmatched-refunds.ts'
export { countByState, findFeedFreshness } from './health/queries.ts'
export { linkPublicToken } from './links/link.ts'
export { createLinkToken } from './links/link-tokens.ts'
export { replaceTokens } from './links/replace-tokens.ts'
export { unlinkInstitution, unlinkUser } from './links/unlink.ts'
export { createLinkerLoops, removeItems, rescan, syncPublisher } from './loops.ts'
export { readProviderStates } from './metrics.ts'
export { operatorRefundRoutes } from './operator-routes.ts'
export { canReach } from './plaid/api.ts'
export { openProviders, PRODUCTION } from './plaid/open.ts'
export { linkerPublicRoutes } from './public-routes.ts'
export { linkerRoutes } from './routes.ts'
export { fingerprintItem, sealToken } from './sealed-tokens.ts'
