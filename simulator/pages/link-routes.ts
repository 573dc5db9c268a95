import Type from 'typebox'
import { ControlError } from '../errors.ts'
import { getInstitution } from '../institutions.ts'
import type { App } from '../provider/door.ts'
import type { World } from '../world.ts'
import { donePage } from './done-page.ts'
import { sendPage } from './layout.ts'
import { findSession, readForms, sendFault, signedIn, tickedAccounts, Walk } from './link-door.ts'
import { accountsPage, banksPage } from './link-pages.ts'
import {
  chooseAccounts,
  comeBack,
  itemToRepair,
  resumeSession,
  returnAddress,
  type Sessions,
  startSession,
} from './link-session.ts'
import { deniedPage, noAccountsPage } from './oauth-pages.ts'
import { oauthRoutes } from './oauth-routes.ts'
import { signInRoutes } from './sign-in-routes.ts'

const Start = Type.Object({
  token: Type.String(),
  return_to: Type.Optional(Type.String()),
  received_redirect_uri: Type.Optional(Type.String()),
})
const Search = Type.Object({ q: Type.Optional(Type.String()) })

/** Each step is an address of its own, so that back, forward and reload do what people expect. */
export function linkPages(app: App, world: World, serviceUrl: string): void {
  const sessions: Sessions = new Map()
  app.register(async (room: App) => {
    room.setErrorHandler(sendFault)
    readForms(room)
    startRoute(room, world, sessions)
    signInRoutes(room, world, sessions, 'link')
    signInRoutes(room, world, sessions, 'oauth')
    oauthRoutes(room, sessions)
    accountRoutes(room, sessions, world)
    endRoutes(room, sessions, { world, serviceUrl })
  })
}

function startRoute(app: App, world: World, sessions: Sessions): void {
  app.get('/link', { schema: { querystring: Start } }, async ({ query }, reply) => {
    const { token, return_to, received_redirect_uri } = query
    if (received_redirect_uri !== undefined) {
      const session = resumeSession(world, sessions, token, received_redirect_uri)
      if (return_to !== undefined) session.returnTo = returnAddress(return_to)
      return reply.redirect(`/link/${session.id}/return`, 303)
    }
    const session = startSession(world, sessions, token, return_to)
    const first = itemToRepair(world, session) === null ? 'bank' : 'sign-in'
    return reply.redirect(`/link/${session.id}/${first}`, 303)
  })
  app.get('/link/:session/bank', { schema: { params: Walk, querystring: Search } }, async ({ params, query }, reply) =>
    sendPage(reply, banksPage(findSession(sessions, params.session), query.q ?? '')),
  )
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
    if (getInstitution(item.institutionId).oauth) {
      throw new ControlError(409, 'CHOSEN_AT_THE_BANK', 'This bank asks for the accounts on its own page.')
    }
    const ticked = tickedAccounts(item, body)
    if (ticked.length === 0) {
      return sendPage(reply, accountsPage(session, item, 'Choose at least one card or account.'), 422)
    }
    // Sending the form twice ends the walk once.
    if (session.result === null) chooseAccounts(world, session, item, ticked)
    return reply.redirect(`/link/${session.id}/done`, 303)
  })
}

type Ending = { readonly world: World; readonly serviceUrl: string }

function endRoutes(app: App, sessions: Sessions, { world, serviceUrl }: Ending): void {
  app.get('/link/:session/return', { schema: { params: Walk } }, async ({ params }, reply) => {
    const session = findSession(sessions, params.session)
    const outcome = comeBack(world, session)
    if (outcome === 'done') return reply.redirect(`/link/${session.id}/done`, 303)
    const bank = getInstitution(signedIn(session).institutionId)
    return sendPage(reply, outcome === 'denied' ? deniedPage(session, bank) : noAccountsPage(session, bank))
  })
  app.get('/link/:session/done', { schema: { params: Walk } }, async ({ params }, reply) => {
    const session = findSession(sessions, params.session)
    if (session.result === null) throw new ControlError(409, 'NOT_DONE', 'This link is not finished yet.')
    return sendPage(reply, donePage(session, session.result, serviceUrl))
  })
}
