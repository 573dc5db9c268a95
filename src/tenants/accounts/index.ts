/**
 * Accounts: the people who sign in to the console or a portal, their sessions, and the audit log of their actions.
 * Guarantees that an account exists only in its own realm, that a session identifies its staff member or user only
 * until the session ends or the account is disabled, and that the audit log is append-only.
 */
export { type AccountId, ROLES, type Role, type SessionId, STAFF_ROLES, type StaffRole } from './account.ts'
export { type Actor, toAccountActor, toLocalActor } from './actor.ts'
export { audit } from './audit/audit.ts'
export { type AuditEntry, listAudit } from './audit/audit-queries.ts'
export type { AccountRefusal } from './errors.ts'
export { composeMail } from './mail/compose.ts'
export { folderOutbox, type Outbox, smtpOutbox } from './mail/outbox.ts'
export {
  endMailPreference,
  listMailPreferences,
  NOTICES,
  type Notice,
  setMailPreferences,
} from './mail/preference-queries.ts'
export { queueNotices } from './mail/queries.ts'
export { mailPages } from './mail/routes.ts'
export { type ComposeUserMail, createMails, createUserMails } from './mail/send.ts'
export { toRelyingParty as passkeyPlaceOf } from './passkeys/ceremony.ts'
export type { Passkey } from './passkeys/passkey.ts'
export {
  addPasskey,
  beginPasskey,
  beginPasskeySignIn,
  removePasskey,
  renamePasskey,
  signInByPasskey,
} from './passkeys/passkeys.ts'
export { listPasskeys } from './passkeys/queries.ts'
export { parsePasskeyId, TRANSPORTS } from './passkeys/schema.ts'
export { isTooShort, LENGTH_MAX as PASSWORD_LENGTH_MAX } from './passwords.ts'
export { changePerson, getPerson, inviteAgain, invitePerson, linkFor, linkForFirstAdmin } from './people.ts'
export { listPeople, PERSON } from './people-queries.ts'
export { RETAINED_OF_ACCOUNTS } from './retained-queries.ts'
export { accountRoutes, signInRoutes } from './routes.ts'
export { listSessionHashes } from './session-queries.ts'
export {
  consoleCookie,
  endSession,
  endSessions,
  hasSignedInRecently,
  listSessions,
  openSession,
  SESSIONS_CHANGED,
  useSession,
} from './sessions.ts'
export { type Admit, changePassword, provePassword, requestReset, resetPassword, signIn } from './sign-in.ts'
export { finishSignUp, type PortalBrowser, requestSignUp } from './sign-up.ts'
export { findSignUp, findUserAccount } from './sign-up-queries.ts'
export { accountNotFound, needsPasswordToRemove, removeUserAccount } from './user-accounts.ts'
