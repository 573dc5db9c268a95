/**
 * Publishers: the tenants, their environment and settings, their API keys and scopes, and the limits set by the
 * operator. Guarantees that a Publisher value exists only after a valid key or session has been checked (or for the
 * operator), and that a write repeated with the same Idempotency-Key happens only once.
 */
export { isAllowedAndroidPackage, isAllowedRedirectUri } from './allow-lists.ts'
export type { PublisherRefusal } from './errors.ts'
export { buildAccountFilters, getLinkName } from './link-settings.ts'
export {
  faultAt,
  NewPublisherSchema,
  PublisherChangesSchema,
  PublisherParams,
  PublisherSchema,
  parseLimits,
  parsePpm,
  parseSettings,
  presentPublisher,
  publisherExample,
  refuseStaleSettings,
} from './operator-schema.ts'
export {
  CLAIM_DEFAULTS,
  type Environment,
  getCurrencies,
  getLimits,
  LIMITS,
  type MoneyLimits,
  PAYOUT_METHODS,
  type PayoutMethod,
  type Publisher,
  publisherNotFound,
  publisherNow,
  requireSandbox,
  resolveCurrency,
  SCOPES,
  type Scope,
  VERSIONS,
} from './publisher.ts'
export {
  type AnswerStore,
  type ApiKey,
  createAnswerStore,
  findLiveKey,
  findMoving,
  getPublisher,
  isMoving,
  type KeyedRequest,
  type LiveKey,
  listLiveHashes,
  listMovingPublishers,
  listPublishers,
  lockPublisher,
  markKeysUsed,
  nowOfPublisher,
  type PublisherRow,
  publisherColumns,
  retainedAnswers,
  type StoredAnswer,
  toPublisher,
} from './queries.ts'
export {
  addCurrency,
  advanceClock,
  allowAndroidPackage,
  allowRedirectUri,
  announcePublishers,
  changeSettings,
  createApiKey,
  createPublisher,
  disallow,
  listAllowed,
  listApiKeys,
  PUBLISHERS_CHANGED,
  revokeApiKey,
} from './service.ts'
