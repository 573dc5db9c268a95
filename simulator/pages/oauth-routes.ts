import { ControlError } from '../errors.ts'
import { getInstitution } from '../institutions.ts'
import { listSharedAccounts } from '../linking.ts'
import type { App } from '../provider/door.ts'
import type { World } from '../world.ts'
import { findSession, readForm, readTickedAccounts, requireSignedIn, SessionParams, show } from './link-http.ts'
import { recordEvent } from './link-record.ts'
import { canChooseAccounts, recordConsent } from './link-session.ts'
import { consentPage, goingBackPage } from './oauth-pages.ts'
import type { LinkSession, Sessions } from './session.ts'

/** Registers the bank's own pages after the sign-in: consent, and the return to the app. */
export function oauthRoutes(app: App, world: World, sessions: Sessions): void {
  const path = '/oauth/:session/consent'
  app.get(path, { schema: { params: SessionParams } }, async ({ params }, reply) => {
    const session = findSession(sessions, params.session)
    const item = requireSignedIn(session)
    return show(
      { world, session, reply },
      'OAUTH',
      consentPage(session, getInstitution(item.institutionId), item, null),
    )
  })
  app.post(path, { schema: { params: SessionParams } }, async ({ params, body }, reply) => {
    const session = findSession(sessions, params.session)
    const item = requireSignedIn(session)
    if (readForm(body).get('answer') === 'deny') {
      recordConsent(session, null)
      recordEvent(world, session, 'FAIL_OAUTH')
    } else {
      const accountIds = canChooseAccounts(session)
        ? readTickedAccounts(item, body)
        : listSharedAccounts(item).map(({ accountId }) => accountId)
      if (accountIds.length === 0) {
        const fault = 'Choose at least one account, or do not allow access.'
        const page = consentPage(session, getInstitution(item.institutionId), item, fault)
        return show({ world, session, reply }, 'OAUTH', page, 422)
      }
      recordConsent(session, accountIds)
    }
    return reply.redirect(`/oauth/${session.id}/back`, 303)
  })
  app.get('/oauth/:session/back', { schema: { params: SessionParams } }, async ({ params }, reply) => {
    const session = findSession(sessions, params.session)
    const bank = getInstitution(requireSignedIn(session).institutionId)
    return show({ world, session, reply }, 'OAUTH', goingBackPage(session, bank, backAddress(session)))
  })
}

/**
 * Returns the address to continue at: the app's, if the link token has one, otherwise the link page's. The app then
 * reopens the link page with the address it received.
 */
function backAddress({ id, linkToken, consent }: LinkSession): string {
  if (consent === null) throw new ControlError(409, 'NO_ANSWER', 'Please answer the bank first.')
  if (linkToken.redirectUri === null) return `/link/${id}/return`
  const address = new URL(linkToken.redirectUri)
  address.searchParams.set('oauth_state_id', consent.oauthStateId)
  return address.href
}
