import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import { decodeId, encodeId } from '../../platform/ids.ts'
import { isEmail } from '../../platform/text/readable.ts'
import type { Vault } from '../../platform/vault/index.ts'
import {
  changePassword,
  endSession,
  findUserAccount,
  finishSignUp,
  isTooShort,
  listSessions,
  NOTICES,
  needsPasswordToRemove,
  PASSWORD_LENGTH_MAX,
  provePassword,
  removeUserAccount,
  requestSignUp,
  type SessionId,
  setMailPreferences,
} from '../../tenants/accounts/index.ts'
import { FieldFault } from '../errors.ts'
import { renderOwnSignInPage } from '../pages/account.ts'
import type { PortalFields, PortalForm, PortalForms, UserVisit } from '../visit.ts'

type Deps = { readonly db: Database; readonly clock: Clock; readonly vault: Vault }

const EMAIL_LENGTH_MAX = 254

/** Returns the forms for the user's account, password and sessions. */
export function accountForms(deps: Deps): PortalForms {
  const { db } = deps
  const page = renderOwnSignInPage
  return {
    '/you/sign-in': {
      page,
      act: async (visit, body) => {
        requireAllowed(visit)
        await requestSignUp(deps, { userId: visit.user.userId, email: parseEmail(body) }, visit.browser)
        return '/you/sign-in?done=code'
      },
    },
    '/you/sign-in/confirm': {
      page,
      act: async (visit, body) => {
        requireAllowed(visit)
        const { userId, email: knownEmail } = visit.user
        const given = { userId, knownEmail, code: body['code'] ?? '', password: parseNewPassword(body) }
        await finishSignUp(deps, given, visit.browser)
        return '/you/sign-in?done=ownAccount'
      },
    },
    '/you/sign-in/password': {
      page,
      act: async (visit, body) => {
        requireAllowed(visit)
        const { publisher, user, sessionId, browser } = visit
        const known = await findUserAccount(db.reader, { publisherId: publisher.id, userId: user.userId })
        if (known === null) throw notAllowed()
        const given = { current: body['current_password'] ?? '', password: parseNewPassword(body) }
        await changePassword(deps, { accountId: known.accountId, sessionId }, given, browser)
        return '/you/sign-in?done=password'
      },
    },
    '/you/sign-in/remove': { page, act: removeOwnAccount(deps) },
    '/you/sign-in/mails': {
      page,
      act: async (visit, body) => {
        requireAllowed(visit)
        const { publisher, user, language } = visit
        const whose = { publisherId: publisher.id, userId: user.userId }
        if ((await findUserAccount(db.reader, whose)) === null) throw notAllowed()
        const wanted = NOTICES.filter((one) => body[one] === 'yes')
        await db.transaction((tx) => setMailPreferences(tx, { ...whose, language }, wanted))
        return '/you/sign-in?done=mails'
      },
    },
    '/you/sign-in/sessions/:session_id/end': {
      act: async ({ user }, _body, params) => {
        const sessionId: SessionId | null = decodeId<'session'>('ses', params['session_id'] ?? '')
        if (sessionId === null) throw notAllowed()
        await db.transaction((tx) => endSession(tx, { userId: user.userId }, sessionId))
        return '/you/sign-in?done=ended'
      },
    },
  }
}

/**
 * Removes the user's own account. Works even if accounts are no longer allowed, and in sessions started by a
 * publisher's link.
 */
function removeOwnAccount({ db, clock }: Deps): PortalForm['act'] {
  return async ({ publisher, user, sessionId, language, browser }, body) => {
    const { userId, email: knownEmail } = user
    const known = await findUserAccount(db.reader, { publisherId: publisher.id, userId })
    if (known !== null && needsPasswordToRemove(known, knownEmail)) {
      const typed = { password: body['removal_password'] ?? '', field: 'removal_password' }
      await provePassword({ db, clock }, known.accountId, typed, browser)
    }
    const removed = { publisherId: publisher.id, userId, knownEmail, language, stays: sessionId }
    const by = { id: encodeId('usr', userId), name: 'A user of a portal' }
    const now = clock.now()
    await db.transaction((tx) => removeUserAccount(tx, removed, by, now))
    const isSignedIn = (await listSessions(db.reader, { userId }, now)).length > 0
    return isSignedIn ? '/you/sign-in?done=accountRemoved' : '/sign-in?done=accountRemoved'
  }
}

/** @throws FieldFault if the publisher does not allow accounts */
export function requireAllowed({ portal }: UserVisit): void {
  if (!portal.allowsAccounts) throw notAllowed()
}

export function notAllowed(): FieldFault {
  return new FieldFault('account', 'not_allowed')
}

export function parseEmail(body: PortalFields): string {
  const email = (body['email'] ?? '').trim()
  if (email.length <= EMAIL_LENGTH_MAX && isEmail(email)) return email
  throw new FieldFault('email', 'email_invalid')
}

export function parseNewPassword(body: PortalFields): string {
  const password = body['password'] ?? ''
  if (isTooShort(password)) throw new FieldFault('password', 'password_short')
  if (password.length > PASSWORD_LENGTH_MAX) throw new FieldFault('password', 'password_long')
  return password
}
