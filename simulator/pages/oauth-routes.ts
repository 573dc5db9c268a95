import { ControlError } from '../errors.ts'
import { getInstitution } from '../institutions.ts'
import { sharedAccounts } from '../linking.ts'
import type { App } from '../provider/door.ts'
import { sendPage } from './layout.ts'
import { findSession, formOf, signedIn, tickedAccounts, Walk } from './link-door.ts'
import { choosesAccounts, giveConsent, type LinkSession, type Sessions } from './link-session.ts'
import { consentPage, goingBackPage } from './oauth-pages.ts'

/** The bank's own page after the sign-in: consent, and the way back to the app. */
export function oauthRoutes(app: App, sessions: Sessions): void {
  const path = '/oauth/:session/consent'
  app.get(path, { schema: { params: Walk } }, async ({ params }, reply) => {
    const session = findSession(sessions, params.session)
    const item = signedIn(session)
    return sendPage(reply, consentPage(session, getInstitution(item.institutionId), item, null))
  })
  app.post(path, { schema: { params: Walk } }, async ({ params, body }, reply) => {
    const session = findSession(sessions, params.session)
    const item = signedIn(session)
    if (formOf(body).get('answer') === 'deny') {
      giveConsent(session, null)
    } else {
      const accountIds = choosesAccounts(session)
        ? tickedAccounts(item, body)
        : sharedAccounts(item).map(({ accountId }) => accountId)
      if (accountIds.length === 0) {
        const fault = 'Choose at least one account, or do not allow anything.'
        return sendPage(reply, consentPage(session, getInstitution(item.institutionId), item, fault), 422)
      }
      giveConsent(session, accountIds)
    }
    return reply.redirect(`/oauth/${session.id}/back`, 303)
  })
  app.get('/oauth/:session/back', { schema: { params: Walk } }, async ({ params }, reply) => {
    const session = findSession(sessions, params.session)
    const bank = getInstitution(signedIn(session).institutionId)
    return sendPage(reply, goingBackPage(session, bank, backAddress(session)))
  })
}

/** The app's own address, if the link token names one; the app then opens the link page again with what it received. */
function backAddress({ id, linkToken, consent }: LinkSession): string {
  if (consent === null) throw new ControlError(409, 'NO_ANSWER', 'Please answer the bank first.')
  if (linkToken.redirectUri === null) return `/link/${id}/return`
  const address = new URL(linkToken.redirectUri)
  address.searchParams.set('oauth_state_id', consent.oauthStateId)
  return address.href
}
