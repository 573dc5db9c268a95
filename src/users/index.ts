/**
 * Users: registration, status, balances as shown.
 * Promises that a user's status follows from recorded facts alone, at any instant, past or present.
 */
export type { UserRefusal } from './errors.ts'
export { findUser, listUserNames, type User } from './queries.ts'
export { userRoutes } from './routes.ts'
export {
  acceptTerms,
  createUser,
  deactivateUser,
  getUser,
  reactivateUser,
  userNotFound,
} from './service.ts'
export { standingsOf } from './standing.ts'
