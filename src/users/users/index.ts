/**
 * Users: registration, status, displayed balances, and choices about marketing email. Guarantees that a user's status
 * at any instant is derived only from recorded acceptances and deactivations.
 */
export { eraseReference } from './erased.ts'
export type { UserRefusal } from './errors.ts'
export { USER_FIELDS } from './fields.ts'
export { chooseMarketing } from './marketing/choose.ts'
export { listChoices, type MarketingChoice } from './marketing/queries.ts'
export { ChoiceOfEventSchema } from './marketing/schema.ts'
export { operatorUserRoutes } from './operator-routes.ts'
export {
  deriveCurrentStatus,
  findUser,
  listSalts,
  listUserNames,
  lockUser,
  selectPublisherUserId,
  type User,
} from './queries.ts'
export { countActive, listRequiredTerms, requireTerms } from './require-terms.ts'
export { userRoutes } from './routes.ts'
export {
  AccountSchema,
  AccountsSchema,
  accountExample,
  presentAccounts,
  UserOfEventSchema,
  type UserWithStatus,
} from './schema.ts'
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
export { readUserNames } from './user-names.ts'
