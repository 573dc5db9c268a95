/**
 * Publishers: the tenants, their environment and settings, their API keys and scopes, and the limits set by the
 * operator. Guarantees that a Publisher value exists only after a live key or session was checked (or for the
 * operator), and that a write repeated with the same Idempotency-Key happens once.
 */
export { isAllowedAndroidPackage, isAllowedRedirectUri } from './allow-lists.ts'
export { authenticatePublishers, type Deputies, publisherOf } from './authenticate.ts'
export { CLAIM_DAYS_MAX } from './claim-settings.ts'
export type { PublisherRefusal } from './errors.ts'
export { answerOnce, rememberAnswer, repeatedAnswer } from './idempotency.ts'
export { accountFiltersOf, linkNameOf } from './link-settings.ts'
export { type OperationDeps, type PublisherCaller, type PublisherOperation, publisherOperations } from './operations.ts'
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
} from './publisher.ts'
export {
  type ApiKey,
  findMoving,
  getPublisher,
  isMoving,
  type KeptAnswers,
  listMovingPublishers,
  listPublishers,
  lockPublisher,
  nowOfPublisher,
  retainedAnswers,
} from './queries.ts'
export { COOL_DOWN_HOURS_MAX } from './redemption-settings.ts'
export { type DueWork, ownPublisherRoutes, sandboxRoutes } from './routes.ts'
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
  revokeApiKey,
} from './service.ts'
export { keyOfPerson, READ_SCOPES } from './staff.ts'
export { actorOf, publisherStaffRoutes } from './staff-routes.ts'
export { lineOfUser } from './user-lines.ts'
