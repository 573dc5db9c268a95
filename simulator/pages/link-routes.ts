import { Type } from '@fastify/type-provider-typebox'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { ControlError, ProviderError } from '../errors.ts'
import type { App } from '../provider/door.ts'
import type { Item } from '../state.ts'
import type { World } from '../world.ts'
import { sendPage } from './layout.ts'
import { accountsPage, banksPage, donePage, faultPage, signInPage } from './link-pages.ts'
import {
  chooseAccounts,
  institutionOf,
  itemToRepair,
  type LinkSession,
  type Sessions,
  signIn,
  startSession,
} from './link-session.ts'

const Start = Type.Object({ token: Type.String(), return_to: Type.Optional(Type.String()) })
const Walk = Type.Object({ session: Type.String() })
const Search = Type.Object({ q: Type.Optional(Type.String()) })
const Choice = Type.Object({ institution_id: Type.Optional(Type.String()) })

/** Each step is an address of its own, so that back, forward and reload do what people expect. */
export function linkPages(app: App, world: World, serviceUrl: string): void {
  const sessions: Sessions = new Map()
  app.register(async (room: App) => {
    room.setErrorHandler(sendFault)
    readForms(room)
    startRoute(room, world, sessions)
    signInRoutes(room, world, sessions)
    accountRoutes(room, sessions, world)
    doneRoute(room, sessions, serviceUrl)
  })
}

function startRoute(app: App, world: World, sessions: Sessions): void {
  app.get('/link', { schema: { querystring: Start } }, async ({ query }, reply) => {
    const session = startSession(world, sessions, query.token, query.return_to)
    const first = itemToRepair(world, session) === null ? 'bank' : 'sign-in'
    return reply.redirect(`/link/${session.id}/${first}`, 303)
  })
  app.get('/link/:session/bank', { schema: { params: Walk, querystring: Search } }, async ({ params, query }, reply) =>
    sendPage(reply, banksPage(findSession(sessions, params.session), query.q ?? '')),
  )
}

function signInRoutes(app: App, world: World, sessions: Sessions): void {
  const path = '/link/:session/sign-in'
  app.get(path, { schema: { params: Walk, querystring: Choice } }, async ({ params, query }, reply) => {
    const session = findSession(sessions, params.session)
    const institution = institutionOf(world, session, query.institution_id ?? '')
    const username = itemToRepair(world, session)?.username ?? ''
    return sendPage(reply, signInPage(session, institution, username, null))
  })
  app.post(path, { schema: { params: Walk } }, async ({ params, body }, reply) => {
    const session = findSession(sessions, params.session)
    const form = body instanceof URLSearchParams ? body : new URLSearchParams()
    const institution = institutionOf(world, session, form.get('institution_id') ?? '')
    const username = (form.get('username') ?? '').trim()
    const password = form.get('password') ?? ''
    if (!signIn(world, session, { institutionId: institution.id, username, password })) {
      const fault = 'That username or password is not right. Please try again.'
      return sendPage(reply, signInPage(session, institution, username, fault), 422)
    }
    return reply.redirect(`/link/${session.id}/${session.result === null ? 'accounts' : 'done'}`, 303)
  })
}

function accountRoutes(app: App, sessions: Sessions, world: World): void {
  const path = '/link/:session/accounts'
  app.get(path, { schema: { params: Walk } }, async ({ params }, reply) => {
    const session = findSession(sessions, params.session)
    return sendPage(reply, accountsPage(session, signedIn(session), null))
  })
  app.post(path, { schema: { params: Walk } }, async ({ params, body }, reply) => {
    const session = findSession(sessions, params.session)
    const item = signedIn(session)
    const wanted = body instanceof URLSearchParams ? body.getAll('account_id') : []
    const known = wanted.filter((id) => item.accounts.some(({ accountId }) => accountId === id))
    if (known.length === 0) {
      return sendPage(reply, accountsPage(session, item, 'Choose at least one card or account.'), 422)
    }
    // Sending the form twice ends the walk once.
    if (session.result === null) chooseAccounts(world, session, item, known)
    return reply.redirect(`/link/${session.id}/done`, 303)
  })
}

function doneRoute(app: App, sessions: Sessions, serviceUrl: string): void {
  app.get('/link/:session/done', { schema: { params: Walk } }, async ({ params }, reply) => {
    const session = findSession(sessions, params.session)
    if (session.result === null) throw new ControlError(409, 'NOT_DONE', 'This link is not finished yet.')
    return sendPage(reply, donePage(session, session.result, serviceUrl))
  })
}

function findSession(sessions: Sessions, id: string): LinkSession {
  const session = sessions.get(id)
  if (session === undefined) throw new ControlError(404, 'SESSION_NOT_FOUND', 'This link was left; please start again.')
  return session
}

function signedIn(session: LinkSession): Item {
  if (session.item === null) throw new ControlError(409, 'NOT_SIGNED_IN', 'Please sign in at the bank first.')
  return session.item
}

function readForms(app: App): void {
  const type = 'application/x-www-form-urlencoded'
  app.addContentTypeParser(type, { parseAs: 'string' }, async (_request: FastifyRequest, text: string) => {
    return new URLSearchParams(text)
  })
}

/** People see a page, whatever went wrong. */
function sendFault(error: FastifyError | ControlError | ProviderError, _request: FastifyRequest, reply: FastifyReply) {
  if (error instanceof ProviderError) {
    const expired = error.code === 'INVALID_LINK_TOKEN'
    const text = expired ? 'This link has expired or is not known here. Ask the app for a new one.' : error.message
    return sendPage(reply, faultPage(text), 400)
  }
  if (error instanceof ControlError) return sendPage(reply, faultPage(error.message), error.status)
  if (error.validation !== undefined) return sendPage(reply, faultPage('This address lacks its link token.'), 400)
  console.error(error)
  return sendPage(reply, faultPage('Something went wrong here. Please start again.'), 500)
}
