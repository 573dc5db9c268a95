import Type from 'typebox'
import { ControlError } from '../errors.ts'
import { getInstitution, type Institution } from '../institutions.ts'
import type { App } from '../provider/door.ts'
import type { World } from '../world.ts'
import { findSession, readForm, type SessionContext, SessionParams, show } from './link-http.ts'
import { recordBank, recordError, recordEvent } from './link-record.ts'
import { findItemToRepair, getSessionInstitution, signIn } from './link-session.ts'
import { leavingPage } from './oauth-pages.ts'
import type { Credentials, LinkSession, Sessions } from './session.ts'
import { codePage, lockedPage, type Place, signInPage } from './sign-in-pages.ts'

const Choice = Type.Object({ institution_id: Type.Optional(Type.String()) })

/**
 * Registers the password and code pages, either on the provider's site or on the bank's own, whose input the provider
 * cannot see.
 */
export function signInRoutes(app: App, world: World, sessions: Sessions, place: Place): void {
  const path = `/${place}/:session/sign-in`
  app.get(path, { schema: { params: SessionParams, querystring: Choice } }, async ({ params, query }, reply) => {
    const session = findSession(sessions, params.session)
    const bank = getSessionInstitution(world, session, query.institution_id ?? '')
    recordBank(world, session, bank)
    const context = { world, session, reply }
    if (place === 'link' && bank.oauth) return show(context, 'OAUTH', leavingPage(session, bank))
    if (place === 'oauth') recordEvent(world, session, 'OPEN_OAUTH')
    const username = findItemToRepair(world, session)?.username ?? ''
    return show(context, VIEWS[place].password, signInPage(place, session, bank, { username, fault: null }))
  })
  app.post(path, { schema: { params: SessionParams } }, async ({ params, body }, reply) => {
    const session = findSession(sessions, params.session)
    const form = readForm(body)
    const bank = getSessionInstitution(world, session, form.get('institution_id') ?? '')
    recordBank(world, session, bank)
    const username = (form.get('username') ?? '').trim()
    const credentials = { institutionId: bank.id, username, password: form.get('password') ?? '' }
    if (place === 'link') recordEvent(world, session, 'SUBMIT_CREDENTIALS')
    return answerSignIn({ world, session, reply }, { place, bank, credentials, code: null })
  })
  codeRoutes(app, world, sessions, place)
}

const VIEWS = {
  link: { password: 'CREDENTIAL', code: 'MFA', locked: 'ERROR' },
  oauth: { password: 'OAUTH', code: 'OAUTH', locked: 'OAUTH' },
} as const

function codeRoutes(app: App, world: World, sessions: Sessions, place: Place): void {
  const path = `/${place}/:session/code`
  app.get(path, { schema: { params: SessionParams } }, async ({ params }, reply) => {
    const session = findSession(sessions, params.session)
    const bank = getInstitution(waitingLogin(session).institutionId)
    return show({ world, session, reply }, VIEWS[place].code, codePage(place, session, bank, null))
  })
  app.post(path, { schema: { params: SessionParams } }, async ({ params, body }, reply) => {
    const session = findSession(sessions, params.session)
    const credentials = waitingLogin(session)
    const bank = getInstitution(credentials.institutionId)
    const code = (readForm(body).get('code') ?? '').trim()
    if (place === 'link') recordEvent(world, session, 'SUBMIT_MFA', { mfa_type: 'code' })
    return answerSignIn({ world, session, reply }, { place, bank, credentials, code })
  })
}

function waitingLogin({ login }: LinkSession): Credentials {
  if (login === null) throw new ControlError(409, 'NOT_SIGNED_IN', 'Please sign in at the bank first.')
  return login
}

type Try = {
  readonly place: Place
  readonly bank: Institution
  readonly credentials: Credentials
  readonly code: string | null
}

/** The provider's error codes for a failed sign-in. */
const CODES = {
  wrong_code: 'INVALID_MFA',
  wrong_password: 'INVALID_CREDENTIALS',
  other_login: 'INVALID_UPDATED_USERNAME',
  locked: 'ITEM_LOCKED',
} as const

function answerSignIn(context: SessionContext, { place, bank, credentials, code }: Try) {
  const { world, session, reply } = context
  if (bank.oauth !== (place === 'oauth')) {
    throw new ControlError(
      409,
      'OTHER_PLACE',
      'A bank with OAuth signs its users in on its own page; other banks do not.',
    )
  }
  const outcome = signIn(world, session, credentials, code)
  if (outcome === 'signed_in') return reply.redirect(nextStep(place, session), 303)
  if (outcome === 'code_needed') return reply.redirect(`/${place}/${session.id}/code`, 303)
  if (place === 'link') recordError(world, session, CODES[outcome])
  const { username } = credentials
  const again = (fault: string) =>
    show(context, VIEWS[place].password, signInPage(place, session, bank, { username, fault }), 422)
  switch (outcome) {
    case 'wrong_code': {
      const fault = 'That code is not right. Please try again.'
      return show(context, VIEWS[place].code, codePage(place, session, bank, fault), 422)
    }
    case 'wrong_password':
      return again('That username or password is not right. Please try again.')
    case 'other_login':
      return again('This connection belongs to another username. Sign in with the username that was connected before.')
    case 'locked':
      return show(context, VIEWS[place].locked, lockedPage(place, session, bank), 403)
  }
}

function nextStep(place: Place, session: LinkSession): string {
  if (place === 'oauth') return `/oauth/${session.id}/consent`
  return `/link/${session.id}/${session.result === null ? 'accounts' : 'done'}`
}
