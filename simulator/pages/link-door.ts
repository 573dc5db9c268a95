import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { ControlError, ProviderError } from '../errors.ts'
import type { App } from '../provider/door.ts'
import type { Item } from '../state.ts'
import { sendPage } from './layout.ts'
import { faultPage } from './link-pages.ts'
import type { LinkSession, Sessions } from './link-session.ts'

/** What all steps of the link page share: whose walk it is, how a form is read, and that people always see a page. */
export const Walk = Type.Object({ session: Type.String() })

export function findSession(sessions: Sessions, id: string): LinkSession {
  const session = sessions.get(id)
  if (session === undefined) throw new ControlError(404, 'SESSION_NOT_FOUND', 'This link was left; please start again.')
  return session
}

export function signedIn(session: LinkSession): Item {
  if (session.item === null) throw new ControlError(409, 'NOT_SIGNED_IN', 'Please sign in at the bank first.')
  return session.item
}

export function readForms(app: App): void {
  const type = 'application/x-www-form-urlencoded'
  app.addContentTypeParser(type, { parseAs: 'string' }, async (_request: FastifyRequest, text: string) => {
    return new URLSearchParams(text)
  })
}

/** The form that was sent; anything else counts as an empty form. */
export function formOf(body: unknown): URLSearchParams {
  return body instanceof URLSearchParams ? body : new URLSearchParams()
}

/** Those of the ticked accounts that the login has. */
export function tickedAccounts(item: Item, body: unknown): string[] {
  return formOf(body)
    .getAll('account_id')
    .filter((id) => item.accounts.some(({ accountId }) => accountId === id))
}

export function sendFault(
  error: FastifyError | ControlError | ProviderError,
  _request: FastifyRequest,
  reply: FastifyReply,
) {
  if (error instanceof ProviderError) {
    if (error.code !== 'INVALID_LINK_TOKEN')
      return sendPage(reply, faultPage(error.displayMessage ?? error.message), 400)
    const text = 'This link has expired or is not known here. Go back to the app and ask it for a new one.'
    return sendPage(reply, faultPage(text, 'This link has expired'), 400)
  }
  if (error instanceof ControlError) return sendPage(reply, faultPage(error.message), error.status)
  if (error.validation !== undefined) return sendPage(reply, faultPage('This address lacks its link token.'), 400)
  console.error(error)
  return sendPage(reply, faultPage('Something went wrong here. Please start again.'), 500)
}
