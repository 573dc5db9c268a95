/**
 * Publishers: the tenants, their environment and settings, their API keys and scopes, and the limits set by the
 * operator. Guarantees that a Publisher value exists only after a live key or session was checked (or for the
 * operator), and that a write repeated with the same Idempotency-Key happens once.
 */
export { isAllowedAndroidPackage, isAllowedRedirectUri } from './allow-lists.ts'
export type { PublisherRefusal } from './errors.ts'
export { accountFiltersOf, linkNameOf } from './link-settings.ts'
export {
  faultAt,
  limitsOf,
  NewPublisherSchema,
  PublisherChangesSchema,
  PublisherParams,
  PublisherSchema,
  ppmIn,
  presentPublisher,
  publisherExample,
  refuseStaleSettings,
  settingsIn,
} from './operator-schema.ts'
export {
  CLAIM_DEFAULTS,
  currenciesOf,
  currencyNamed,
  type Environment,
  LIMITS,
  limitsIn,
  type MoneyLimits,
  PAYOUT_METHODS,
  type PayoutMethod,
  type Publisher,
  publisherNotFound,
  publisherNow,
  SCOPES,
  type Scope,
  sandboxOnly,
  VERSIONS,
} from './publisher.ts'
export {
  type ApiKey,
  findLiveKey,
  findMoving,
  getPublisher,
  isMoving,
  type KeptAnswer,
  type KeptAnswers,
  type KeyedRequest,
  keptAnswersOf,
  type LiveKey,
  listLiveHashes,
  listMovingPublishers,
  listPublishers,
  lockPublisher,
  markKeysUsed,
  nowOfPublisher,
  type PublisherRow,
  publisherColumns,
  publisherOf,
  retainedAnswers,
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
