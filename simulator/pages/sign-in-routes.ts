import type { FastifyReply } from 'fastify'
import Type from 'typebox'
import { ControlError } from '../errors.ts'
import { getInstitution, type Institution } from '../institutions.ts'
import type { App } from '../provider/door.ts'
import type { World } from '../world.ts'
import { sendPage } from './layout.ts'
import { findSession, formOf, Walk } from './link-door.ts'
import {
  type Credentials,
  institutionOf,
  itemToRepair,
  type LinkSession,
  type Sessions,
  signIn,
} from './link-session.ts'
import { leavingPage } from './oauth-pages.ts'
import { codePage, lockedPage, type Place, signInPage } from './sign-in-pages.ts'

const Choice = Type.Object({ institution_id: Type.Optional(Type.String()) })

/** Password and code, on the provider's pages or on the bank's own. */
export function signInRoutes(app: App, world: World, sessions: Sessions, place: Place): void {
  const path = `/${place}/:session/sign-in`
  app.get(path, { schema: { params: Walk, querystring: Choice } }, async ({ params, query }, reply) => {
    const session = findSession(sessions, params.session)
    const bank = institutionOf(world, session, query.institution_id ?? '')
    if (place === 'link' && bank.oauth) return sendPage(reply, leavingPage(session, bank))
    const username = itemToRepair(world, session)?.username ?? ''
    return sendPage(reply, signInPage(place, session, bank, { username, fault: null }))
  })
  app.post(path, { schema: { params: Walk } }, async ({ params, body }, reply) => {
    const session = findSession(sessions, params.session)
    const form = formOf(body)
    const bank = institutionOf(world, session, form.get('institution_id') ?? '')
    const username = (form.get('username') ?? '').trim()
    const credentials = { institutionId: bank.id, username, password: form.get('password') ?? '' }
    return answerSignIn(reply, world, { place, session, bank, credentials, code: null })
  })
  codeRoutes(app, world, sessions, place)
}

function codeRoutes(app: App, world: World, sessions: Sessions, place: Place): void {
  const path = `/${place}/:session/code`
  app.get(path, { schema: { params: Walk } }, async ({ params }, reply) => {
    const session = findSession(sessions, params.session)
    return sendPage(reply, codePage(place, session, getInstitution(waitingLogin(session).institutionId), null))
  })
  app.post(path, { schema: { params: Walk } }, async ({ params, body }, reply) => {
    const session = findSession(sessions, params.session)
    const credentials = waitingLogin(session)
    const bank = getInstitution(credentials.institutionId)
    const code = (formOf(body).get('code') ?? '').trim()
    return answerSignIn(reply, world, { place, session, bank, credentials, code })
  })
}

function waitingLogin({ login }: LinkSession): Credentials {
  if (login === null) throw new ControlError(409, 'NOT_SIGNED_IN', 'Please sign in at the bank first.')
  return login
}

type Try = {
  readonly place: Place
  readonly session: LinkSession
  readonly bank: Institution
  readonly credentials: Credentials
  readonly code: string | null
}

function answerSignIn(reply: FastifyReply, world: World, { place, session, bank, credentials, code }: Try) {
  if (bank.oauth !== (place === 'oauth')) {
    throw new ControlError(409, 'OTHER_PLACE', 'A bank with OAuth signs its users in on its own page, others do not.')
  }
  const again = (fault: string) =>
    sendPage(reply, signInPage(place, session, bank, { username: credentials.username, fault }), 422)
  switch (signIn(world, session, credentials, code)) {
    case 'signed_in':
      return reply.redirect(nextStep(place, session), 303)
    case 'code_needed':
      return reply.redirect(`/${place}/${session.id}/code`, 303)
    case 'wrong_code':
      return sendPage(reply, codePage(place, session, bank, 'That code is not right. Please try again.'), 422)
    case 'wrong_password':
      return again('That username or password is not right. Please try again.')
    case 'other_login':
      return again('This connection belongs to another username. Sign in with the one that was connected before.')
    case 'locked':
      return sendPage(reply, lockedPage(place, session, bank), 403)
  }
}

function nextStep(place: Place, session: LinkSession): string {
  if (place === 'oauth') return `/oauth/${session.id}/consent`
  return `/link/${session.id}/${session.result === null ? 'accounts' : 'done'}`
}
