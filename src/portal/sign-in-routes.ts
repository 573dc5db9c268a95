import type { FastifyReply, FastifyRequest } from 'fastify'
import { type App, isSameOrigin } from '../platform/http/index.ts'
import { Refusal } from '../platform/refusal.ts'
import {
  type Admit,
  passkeyPlaceOf,
  requestReset,
  resetPassword,
  signIn,
  signInByPasskey,
} from '../tenants/accounts/index.ts'
import { getKnownUser, getUser, type UserRefusal } from '../users/users/index.ts'
import { FieldFault } from './errors.ts'
import { parseEmail, parseNewPassword } from './forms/account.ts'
import { renderPlainPage } from './pages/layout.ts'
import { isAgain, renderForgottenPage, renderNewPasswordPage, signInPage } from './pages/sign-in.ts'
import {
  hidden,
  hiddenForm,
  type PortalDeps,
  readVisit,
  sendMissing,
  sendPage,
  sendRefused,
  setSessionCookie,
} from './shared-routes.ts'
import type { PortalFields, PortalPage, Visit } from './visit.ts'

type OpenForm = {
  readonly page: (visit: Visit) => PortalPage
  /** Returns the portal-relative path to redirect to, or a page to show. */
  readonly act: (
    visit: Visit,
    asked: { readonly body: PortalFields; readonly token: string; readonly reply: FastifyReply },
  ) => Promise<string | PortalPage>
}

/** Serves the account sign-in pages. They exist only if the publisher allows accounts. */
export function signInPages(app: App, deps: PortalDeps): void {
  const open = async (request: FastifyRequest, reply: FastifyReply): Promise<Visit | null> => {
    const visit = await readVisit(deps, request, reply)
    if (visit.portal.allowsAccounts) return visit
    await sendMissing(reply, visit, false)
    return null
  }
  const form = (path: string, { page, act }: OpenForm) => {
    app.get(`/portal/:portal${path}`, hidden, async (request, reply) => {
      const visit = await open(request, reply)
      return visit === null ? reply : sendPage(reply, visit, page(visit), false)
    })
    app.post(`/portal/:portal${path}`, hiddenForm, async (request, reply) => {
      const visit = await open(request, reply)
      if (visit === null) return reply
      if (!isSameOrigin(request)) return sendRefused(reply, visit)
      const body = request.body as PortalFields
      const { token = '' } = request.params as PortalFields
      try {
        const done = await act(visit, { body, token, reply })
        return typeof done === 'string' ? reply.redirect(visit.base + done, 303) : sendPage(reply, visit, done, false)
      } catch (error) {
        if (!(error instanceof Refusal || error instanceof FieldFault)) throw error
        const sent = { values: body, field: error.field, code: error.code, members: error.members }
        return sendPage(reply.code(422), visit, page({ ...visit, sent }), false)
      }
    })
  }
  // The service's address is known only once it is listening.
  const page = (visit: Visit) => signInPage(visit, passkeyPlaceOf(deps.baseUrl).origin)
  const enterBy = (begin: typeof signInByPassword): OpenForm => ({
    page,
    act: async (visit, { body, reply }) => {
      setSessionCookie(deps, reply, visit, await begin(deps, visit, body))
      return isAgain(visit) ? '/you/sign-in' : ''
    },
  })
  form('/sign-in', enterBy(signInByPassword))
  form('/sign-in/passkey', enterBy(signInWithPasskey))
  form('/reset', {
    page: renderForgottenPage,
    act: async ({ browser, words }, { body }) => {
      const email = parseEmail(body)
      await requestReset(deps, email, browser)
      return renderPlainPage(words.signIn.mailed, words.signIn.mailedText(email))
    },
  })
  form('/reset/:token', {
    page: renderNewPasswordPage,
    act: async ({ browser }, { body, token }) => {
      await resetPassword(deps, { token, password: parseNewPassword(body) }, browser)
      return '/sign-in?done=password'
    },
  })
}

function signInByPassword(deps: PortalDeps, visit: Visit, body: PortalFields) {
  const given = { email: parseEmail(body), password: body['password'] ?? '' }
  return signIn(deps, given, visit.browser, admitting(visit))
}

function signInWithPasskey(deps: PortalDeps, visit: Visit, body: PortalFields) {
  const { credential_id = '', client_data = '', authenticator_data = '', signature = '' } = body
  const signed = { credential_id, client_data, authenticator_data, signature }
  return signInByPasskey(deps, signed, visit.browser, admitting(visit)).catch((error: unknown) => {
    // Otherwise, the page would report a wrong email address or password.
    if (error instanceof Refusal && error.code === 'sign_in_failed') throw new FieldFault('passkey', 'passkey_unknown')
    throw error
  })
}

/** Refuses deactivated users. */
function admitting({ publisher, now }: Visit): Admit {
  return async (tx, { userId }) => {
    if (userId === null) return
    const { publisherUserId } = await getKnownUser(tx, publisher.id, userId)
    const { status } = await getUser(tx, publisher, publisherUserId, now)
    if (status === 'INACTIVE') throw new Refusal<UserRefusal>('user_not_active', 'This user is deactivated.')
  }
}
