/**
 * Decides who can sign in at a bank, and with what result. Every bank accepts the same password for every username,
 * with exceptions: two usernames cannot sign in directly, so that clients can test what real users encounter, and some
 * accept any password, as they do at the provider.
 */

const PASSWORD = 'pass_good'

/** A user who must enter a code after the password. */
export const MFA_USERNAME = 'user_mfa'
export const MFA_CODE = '1234'

/** A user whose feed changes with each refresh; see dynamic-user.ts. */
export const DYNAMIC_USERNAME = 'user_transactions_dynamic'

/** The provider's test users that accept any password. */
export const ANY_PASSWORD_USERNAMES: readonly string[] = [
  DYNAMIC_USERNAME,
  'user_ewa_user',
  'user_yuppie',
  'user_small_business',
]

/** A user whom the bank has locked out, regardless of the password. */
export const LOCKED_USERNAME = 'user_locked'

export type SignInOutcome = 'signed_in' | 'wrong_password' | 'code_needed' | 'wrong_code' | 'locked'

/** Returns the outcome of a sign-in. `code` is null until the bank requests one. */
export function signInOutcome(username: string, password: string, code: string | null): SignInOutcome {
  if (username === LOCKED_USERNAME) return 'locked'
  const isRight = password === PASSWORD || (ANY_PASSWORD_USERNAMES.includes(username) && password !== '')
  if (username === '' || !isRight) return 'wrong_password'
  if (username !== MFA_USERNAME) return 'signed_in'
  if (code === null) return 'code_needed'
  return code === MFA_CODE ? 'signed_in' : 'wrong_code'
}
