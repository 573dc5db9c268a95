/**
 * Publishers: the tenants, their environment, settings and allowlists, the scopes that callers can have, and the limits
 * set by the operator. Guarantees that invalid settings are never stored, and that a sandbox's clock never goes back.
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
