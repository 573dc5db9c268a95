import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { ControlError, ProviderError } from '../errors.ts'
import { newRequestId } from '../ids.ts'
import type { App } from '../provider/door.ts'
import type { Item } from '../state.ts'
import type { World } from '../world.ts'
import { type Page, sendPage } from './layout.ts'
import { faultPage } from './link-pages.ts'
import { type FrameRecord, presentRecord, recordView } from './link-record.ts'
import type { LinkSession, Sessions, View } from './session.ts'

/** Shared by all steps of the link page: finding the session, reading forms, and showing every error as a page. */

export const SessionParams = Type.Object({ session: Type.String() })

/** The session that a request belongs to, and the reply. */
export type SessionContext = { readonly world: World; readonly session: LinkSession; readonly reply: FastifyReply }

export function findSession(sessions: Sessions, id: string): LinkSession {
  const session = sessions.get(id)
  if (session === undefined || session.exit !== null)
    throw new ControlError(404, 'SESSION_NOT_FOUND', 'This session has ended or is unknown; please start again.')
  return session
}

/**
 * Shows a view's page. In an app's iframe, the provider's pages pass the session's record to the app's script, but the
 * bank's pages do not.
 */
export function show({ world, session, reply }: SessionContext, view: View, page: Page, status = 200) {
  const { method, url } = reply.request
  recordView(world, session, view)
  if (method === 'GET') session.address = url
  const leave = view === 'CONNECTED' || page.kind === 'bank' ? null : `/link/${session.id}/exit`
  const frame = page.kind === 'bank' ? {} : { frame: presentRecord(session) }
  return sendPage(reply, { ...page, leave, ...frame }, status)
}

export function requireSignedIn(session: LinkSession): Item {
  if (session.item === null) throw new ControlError(409, 'NOT_SIGNED_IN', 'Please sign in at the bank first.')
  return session.item
}

export function readForms(app: App): void {
  const type = 'application/x-www-form-urlencoded'
  app.addContentTypeParser(type, { parseAs: 'string' }, async (_request: FastifyRequest, text: string) => {
    return new URLSearchParams(text)
  })
}

/** Returns the submitted form. Any other body is treated as an empty form. */
export function readForm(body: unknown): URLSearchParams {
  return body instanceof URLSearchParams ? body : new URLSearchParams()
}

/** Returns the ids of the selected accounts that belong to the login. */
export function readTickedAccounts(item: Item, body: unknown): string[] {
  return readForm(body)
    .getAll('account_id')
    .filter((id) => item.accounts.some(({ accountId }) => accountId === id))
}

export function sendFault(
  error: FastifyError | ControlError | ProviderError,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const { page, status } = presentFault(error)
  return sendPage(reply, { ...page, frame: toFrameRecord(error, request) }, status)
}

function presentFault(error: FastifyError | ControlError | ProviderError): {
  readonly page: Page
  readonly status: number
} {
  if (error instanceof ProviderError) {
    const { code, displayMessage, message } = error
    if (code !== 'INVALID_LINK_TOKEN') return { page: faultPage(displayMessage ?? message), status: 400 }
    const text = 'This link has expired or is not valid. Go back to the app and start again.'
    return { page: faultPage(text, 'This link has expired'), status: 400 }
  }
  if (error instanceof ControlError) return { page: faultPage(error.message), status: error.status }
  if (error.validation !== undefined) return { page: faultPage('This address is incomplete or invalid.'), status: 400 }
  console.error(error)
  return { page: faultPage('Something went wrong here. Please start again.'), status: 500 }
}

/** Builds the record that the app receives when its user closes an error page. */
function toFrameRecord(error: FastifyError | ControlError | ProviderError, request: FastifyRequest): FrameRecord {
  const { origin } = request.query as { readonly origin?: unknown }
  const known = error instanceof ProviderError ? error : null
  return {
    embedder: typeof origin === 'string' ? origin : null,
    link_session_id: null,
    events: [],
    result: null,
    exit: {
      error: {
        error_type: known?.type ?? 'API_ERROR',
        error_code: known?.code ?? 'INTERNAL_SERVER_ERROR',
        error_message: error.message,
        display_message: known?.displayMessage ?? null,
      },
      metadata: { institution: null, status: 'requires_credentials', link_session_id: '', request_id: newRequestId() },
    },
  }
}
