/**
 * Publishers: the tenants, their environment and settings, their API keys and scopes, and the limits set by the
 * operator. Guarantees that a Publisher value exists only after a valid key or session has been checked (or for the
 * operator), and that a write repeated with the same Idempotency-Key happens only once.
 */
export { isAllowedAndroidPackage, isAllowedRedirectUri } from './allow-lists.ts'
export type { PublisherRefusal } from './errors.ts'
export { buildAccountFilters, getLinkName } from './link-settings.ts'
export {
  ENVIRONMENTS,
  type Environment,
  getCurrencies,
  getLimits,
  LIMITS,
  PUBLISHER,
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
  findMoving,
  getPublisher,
  isMoving,
  listMovingPublishers,
  listPublishers,
  lockPublisher,
  nowOfPublisher,
  type PublisherRow,
  publisherColumns,
  toPublisher,
} from './queries.ts'
export {
  addCurrency,
  advanceClock,
  allowAndroidPackage,
  allowRedirectUri,
  announcePublishers,
  changeSettings,
  createPublisher,
  disallow,
  listAllowed,
  PUBLISHERS_CHANGED,
} from './service.ts'
export {
  CLAIM_DEFAULTS,
  type MoneyLimits,
  PAYOUT_METHODS,
  type PayoutMethod,
  PUBLISHER_LIMITS,
  SETTINGS,
} from './settings.ts'
