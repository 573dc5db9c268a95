import type { FastifyReply } from 'fastify'
import Type from 'typebox'
import { ControlError } from '../errors.ts'
import { getInstitution, INSTITUTIONS } from '../institutions.ts'
import type { App } from '../provider/door.ts'
import type { World } from '../world.ts'
import { donePage, exitPage, leftPage } from './done-page.ts'
import { sendPage } from './layout.ts'
import {
  findSession,
  readForms,
  readTickedAccounts,
  requireSignedIn,
  type SessionContext,
  SessionParams,
  sendFault,
  show,
} from './link-http.ts'
import { accountsPage, banksPage, consentPage, named } from './link-pages.ts'
import { presentRecord, recordError, recordEvent, recordExit, recordSearch } from './link-record.ts'
import { chooseAccounts, findItemToRepair, finishOAuth, resumeSession, startSession } from './link-session.ts'
import { deniedPage, noAccountsPage } from './oauth-pages.ts'
import { oauthRoutes } from './oauth-routes.ts'
import type { Sessions } from './session.ts'
import { signInRoutes } from './sign-in-routes.ts'

const Start = Type.Object({
  token: Type.String(),
  /** The origin of the embedding page; `null` for one without an origin, such as a file. */
  origin: Type.Optional(Type.String({ pattern: '^(https?://[^/\\s]+|null)$' })),
  received_redirect_uri: Type.Optional(Type.String()),
})
const Search = Type.Object({ q: Type.Optional(Type.String({ maxLength: 100 })) })

/** Registers the link page. Each step has its own address, so that back, forward and reload work as people expect. */
export function linkPages(app: App, world: World, serviceUrl: string): void {
  const sessions: Sessions = new Map()
  app.register(async (room: App) => {
    room.setErrorHandler(sendFault)
    readForms(room)
    startRoutes(room, world, sessions)
    bankRoute(room, world, sessions)
    signInRoutes(room, world, sessions, 'link')
    signInRoutes(room, world, sessions, 'oauth')
    oauthRoutes(room, world, sessions)
    accountRoutes(room, world, sessions)
    endRoutes(room, sessions, { world, serviceUrl })
    exitRoutes(room, world, sessions)
  })
}

function startRoutes(app: App, world: World, sessions: Sessions): void {
  app.get('/link', { schema: { querystring: Start } }, async ({ query }, reply) => {
    const { token, origin = null, received_redirect_uri: receivedRedirectUri } = query
    if (receivedRedirectUri !== undefined) {
      const session = resumeSession(world, sessions, { token, receivedRedirectUri, embedder: origin })
      return reply.redirect(`/link/${session.id}/return`, 303)
    }
    const session = startSession(world, sessions, token, origin)
    const first = findItemToRepair(world, session) === null ? 'consent' : 'sign-in'
    return reply.redirect(`/link/${session.id}/${first}`, 303)
  })
  app.get('/link/:session/consent', { schema: { params: SessionParams } }, async ({ params }, reply) => {
    const session = findSession(sessions, params.session)
    return show({ world, session, reply }, 'CONSENT', consentPage(session))
  })
}

function bankRoute(app: App, world: World, sessions: Sessions): void {
  app.get(
    '/link/:session/bank',
    { schema: { params: SessionParams, querystring: Search } },
    async ({ params, query }, reply) => {
      const session = findSession(sessions, params.session)
      const { q = '' } = query
      const banks = INSTITUTIONS.filter(named(q))
      recordSearch(world, session, q.trim(), banks.length > 0)
      return show({ world, session, reply }, 'SELECT_INSTITUTION', banksPage(session, banks, q))
    },
  )
}

function accountRoutes(app: App, world: World, sessions: Sessions): void {
  const path = '/link/:session/accounts'
  app.get(path, { schema: { params: SessionParams } }, async ({ params }, reply) => {
    const session = findSession(sessions, params.session)
    return show({ world, session, reply }, 'SELECT_ACCOUNT', accountsPage(session, requireSignedIn(session), null))
  })
  app.post(path, { schema: { params: SessionParams } }, async ({ params, body }, reply) => {
    const session = findSession(sessions, params.session)
    const item = requireSignedIn(session)
    if (getInstitution(item.institutionId).oauth) {
      throw new ControlError(409, 'CHOSEN_AT_THE_BANK', "At this bank, accounts are chosen on the bank's own page.")
    }
    const ticked = readTickedAccounts(item, body)
    if (ticked.length === 0) {
      const page = accountsPage(session, item, 'Choose at least one card or account.')
      return show({ world, session, reply }, 'SELECT_ACCOUNT', page, 422)
    }
    // Submitting the form twice completes the link only once.
    if (session.result === null) chooseAccounts(world, session, item, ticked)
    return reply.redirect(`/link/${session.id}/done`, 303)
  })
}

type Ending = { readonly world: World; readonly serviceUrl: string }

function endRoutes(app: App, sessions: Sessions, { world, serviceUrl }: Ending): void {
  app.get('/link/:session/return', { schema: { params: SessionParams } }, async ({ params }, reply) => {
    const session = findSession(sessions, params.session)
    const { id, bank, consent } = session
    if (bank !== null && consent === null && session.result === null) {
      // The user closed the bank's window.
      recordEvent(world, session, 'CLOSE_OAUTH')
      return reply.redirect(`/link/${id}/sign-in?institution_id=${bank.id}`, 303)
    }
    const outcome = finishOAuth(world, session)
    if (outcome === 'done') return reply.redirect(`/link/${id}/done`, 303)
    return showFailure({ world, session, reply }, outcome)
  })
  app.get('/link/:session/done', { schema: { params: SessionParams } }, async ({ params }, reply) => {
    const session = findSession(sessions, params.session)
    if (session.result === null) throw new ControlError(409, 'NOT_DONE', 'This link is not finished yet.')
    return show({ world, session, reply }, 'CONNECTED', donePage(session, session.result, serviceUrl))
  })
}

function showFailure(context: SessionContext, outcome: 'denied' | 'no_accounts'): FastifyReply {
  const { world, session } = context
  const bank = getInstitution(requireSignedIn(session).institutionId)
  // Recorded only once, however often the page is loaded.
  if (session.view !== 'ERROR') recordError(world, session, outcome === 'denied' ? 'ACCESS_NOT_GRANTED' : 'NO_ACCOUNTS')
  return show(context, 'ERROR', outcome === 'denied' ? deniedPage(session, bank) : noAccountsPage(session, bank))
}

function exitRoutes(app: App, world: World, sessions: Sessions): void {
  app.get('/link/:session/exit', { schema: { params: SessionParams } }, async ({ params }, reply) => {
    const session = findSession(sessions, params.session)
    return sendPage(reply, { ...exitPage(session), frame: presentRecord(session) })
  })
  // The app's script navigates the iframe here, which is only possible with GET.
  app.get('/link/:session/left', { schema: { params: SessionParams } }, async ({ params }, reply) => {
    const session = sessions.get(params.session) ?? findSession(sessions, params.session)
    if (session.result !== null) return reply.redirect(`/link/${session.id}/done`, 303)
    recordExit(world, session)
    return sendPage(reply, { ...leftPage(session), frame: presentRecord(session) })
  })
}
