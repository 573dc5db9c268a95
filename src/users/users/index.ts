/**
 * Users: registration, status, displayed balances, and choices about marketing email. Guarantees that a user's status
 * at any instant is derived only from recorded acceptances and deactivations.
 */
export { eraseReference } from './erased.ts'
export type { UserRefusal } from './errors.ts'
export { chooseMarketing } from './marketing/choose.ts'
export { listChoices } from './marketing/queries.ts'
export { ChoiceOfEventSchema, type MarketingChoice } from './marketing/schema.ts'
export { operatorUserRoutes } from './operator-routes.ts'
export {
  deriveCurrentStatus,
  findUser,
  listSalts,
  listUserNames,
  lockUser,
  readUserNames,
  selectPublisherUserId,
} from './queries.ts'
export { countActive, listRequiredTerms, requireTerms } from './require-terms.ts'
export { userRoutes } from './routes.ts'
export { ACCOUNT, AccountsSchema, presentAccounts, UserOfEventSchema } from './schema.ts'
export {
  acceptTerms,
  createUser,
  deactivateUser,
  getKnownUser,
  getNamedUser,
  getUser,
  USER_RENAMED,
  userNotFound,
} from './service.ts'
export { readStatuses } from './status.ts'
export { operatorTermsRoutes } from './terms-operator-routes.ts'
export { USER_FIELDS, type User, type UserWithStatus } from './user.ts'
