import type { FastifyReply, FastifyRequest } from 'fastify'
import { NO_LIMITS } from '../../platform/http/callers/key-limits.ts'
import {
  type App,
  authenticateKeys,
  createKeyedDoor,
  isRead,
  isSameOrigin,
  limitStrangers,
  operationsOn,
  STRANGER_LIMITS,
} from '../../platform/http/index.ts'
import { decodeId, encodeId } from '../../platform/ids.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { AccountRefusal } from './errors.ts'
import { passkeyRoutes, passkeySignInRoutes } from './passkeys/routes.ts'
import * as schema from './schema.ts'
import { beginTotp, confirmTotp, readSecurity, removeTotp } from './second-factor.ts'
import { listSessionHashes } from './session-queries.ts'
import { consoleCookie, endSession, listSessions, SESSIONS_CHANGED, useSession } from './sessions.ts'
import {
  answerSignedIn,
  buildCookieAttributes,
  type OpenOperation,
  type OwnOperation,
  type PeopleDeps,
  readCaller,
  type SignedInPerson,
  WAITING_COOKIE,
} from './shared-routes.ts'
import * as verbs from './sign-in.ts'

declare module 'fastify' {
  interface FastifyRequest {
    person: SignedInPerson | null
  }
}

/** Registers sign-in and the other operations that need no session. */
export function signInRoutes(app: App, deps: PeopleDeps): void {
  app.addHook('onRequest', limitStrangers(deps.strangerCallsPerSecond, STRANGER_LIMITS.call))
  app.addHook('onRequest', (request, _reply, done) => done(refuseForeign(request)))
  const operation = operationsOn(app, 'Accounts', (request) => ({ caller: readCaller(request) }))
  const answer = (reply: FastifyReply, signedIn: verbs.SignedIn) => answerSignedIn(reply, deps, signedIn)
  operation('POST /accounts/sign-in', {
    id: 'signIn',
    ...schema.SIGN_IN,
    summary: 'Sign in to the console',
    description:
      'Sets a session cookie. If an authenticator app is set up, the second factor is required first. A wrong password and an unknown address get the same response.',
    body: schema.SignInSchema,
    bodyExample: { email: 'mara@example.com', password: 'correct horse battery staple' },
    refusals: ['sign_in_failed', 'origin_refused', 'attempts_exhausted'],
    handler: async ({ body, caller, reply }) => answer(reply, await verbs.signIn(deps, body, caller)),
  })
  operation('POST /accounts/second-factor', {
    id: 'finishSignIn',
    ...schema.SIGN_IN,
    summary: 'Complete a sign-in with a second factor',
    description: 'Must follow the password within ten minutes. Each code is accepted once.',
    body: schema.CodeSchema,
    bodyExample: { code: '492039' },
    refusals: ['code_wrong', 'sign_in_expired', 'origin_refused', 'attempts_exhausted'],
    handler: async ({ body, caller, request, reply }) => {
      const token = request.cookies[WAITING_COOKIE] ?? ''
      return answer(reply, await verbs.finishSignIn(deps, { token, code: body.code }, caller))
    },
  })
  operation('POST /accounts/invitations/accept', {
    id: 'acceptInvitation',
    ...schema.SIGN_IN,
    summary: 'Accept an invitation',
    description:
      'Sets the name and password, and signs in. A person whose email address has an account at another company keeps that account and gets `email_taken`.',
    body: schema.InvitationSchema,
    bodyExample: { token: '…'.padEnd(43, 'A'), name: 'Mara Rossi', password: 'correct horse battery staple' },
    refusals: ['password_guessable', 'origin_refused', 'attempts_exhausted', 'link_expired', 'email_taken'],
    handler: async ({ body, caller, reply }) => answer(reply, await verbs.acceptInvitation(deps, body, caller)),
  })
  operation('POST /accounts/enter', {
    id: 'enterByLink',
    ...schema.SIGN_IN,
    summary: 'Sign in with a printed link',
    description:
      'Takes the single-use link printed on first start or by `laurel accounts link`. The page at `/console/enter` sends the part of its URL after the #, so previewing the link does not use it up.',
    body: schema.EntrySchema,
    bodyExample: { token: '…'.padEnd(43, 'A') },
    refusals: ['origin_refused', 'attempts_exhausted', 'link_expired'],
    handler: async ({ body, caller, reply }) => answer(reply, await verbs.enter(deps, body.token, caller)),
  })
  passwordRoutes(operation, deps)
  passkeySignInRoutes(operation, deps)
}

function passwordRoutes(operation: OpenOperation, deps: PeopleDeps): void {
  operation('POST /accounts/password/reset-request', {
    id: 'requestPasswordReset',
    open: true,
    summary: 'Request a password reset email',
    description: 'The response is the same whether or not the address belongs to an account.',
    body: schema.ResetRequestSchema,
    bodyExample: { email: 'mara@example.com' },
    ...schema.DONE,
    refusals: ['origin_refused', 'attempts_exhausted'],
    handler: async ({ body, caller }) => {
      await verbs.requestReset(deps, body.email, caller)
      return { done: true as const }
    },
  })
  operation('POST /accounts/password/reset', {
    id: 'resetPassword',
    open: true,
    summary: 'Set a new password with an emailed link',
    description: 'Ends every session of the account. The second factor remains in place.',
    body: schema.ResetSchema,
    bodyExample: { token: '…'.padEnd(43, 'A'), password: 'correct horse battery staple' },
    ...schema.DONE,
    refusals: ['password_guessable', 'origin_refused', 'link_expired', 'email_taken'],
    handler: async ({ body, caller }) => {
      await verbs.resetPassword(deps, body, caller)
      return { done: true as const }
    },
  })
}

/** Registers a signed-in person's operations on their own account. */
export async function accountRoutes(app: App, deps: PeopleDeps): Promise<void> {
  app.decorateRequest('person', null)
  await authenticateKeys<SignedInPerson>(app, deps, {
    topics: [SESSIONS_CHANGED],
    find: async (sha256) => {
      const session = await useSession(deps.db, sha256, deps.clock.now())
      return session === null || session.who.kind === 'user' ? null : { ...session.who, sessionId: session.sessionId }
    },
    listLive: async () => {
      const { reader } = deps.db
      return (await Promise.all([listSessionHashes(reader, 'operator'), listSessionHashes(reader, 'publisher')])).flat()
    },
    realm: 'laurel accounts',
    keysOfOthers: { lrl_: 'API keys do not work here. Sign in, and send the session token.' },
    cookie: consoleCookie(deps.baseUrl),
    readKey: ({ accountId, sessionId }) => ({
      keyId: sessionId,
      limits: NO_LIMITS,
      names: { account_id: encodeId('acc', accountId) },
    }),
    markUsed: async () => undefined,
    pickRate: ({ accountId }) => ({
      owner: accountId,
      bucket: accountId,
      requests: 'calls',
      perSecond: deps.operatorCallsPerSecond,
      itemsPerSecond: deps.operatorCallsPerSecond,
    }),
    admit: (person, request) => {
      request.person = person
    },
  })
  const door = createKeyedDoor({ listRefusals: () => [], keepsAnswers: false, requestHeaders: [], answerHeaders: [] })
  const operation = operationsOn(
    app,
    'Accounts',
    (request) => ({ person: getPerson(request), caller: readCaller(request) }),
    door,
  )
  meRoutes(operation, deps)
  sessionRoutes(operation, deps)
  totpRoutes(operation, deps)
  passkeyRoutes(operation, deps)
}

function meRoutes(operation: OwnOperation, deps: PeopleDeps): void {
  operation('GET /accounts/me', {
    id: 'getMe',
    summary: 'Get the signed-in person',
    description: "The person's permissions are returned by GET /operator/me, or follow from the scopes of their role.",
    answer: schema.ME.schema,
    example: schema.ME.example,
    handler: async ({ person }) =>
      schema.ME.present({ publisherId: null, ...person, ...(await readSecurity(deps.db, person.accountId)) }),
  })
  operation('POST /accounts/password', {
    id: 'changePassword',
    summary: 'Change the password',
    description:
      'Ends every other session of the account. On an account without a password, setting the first one requires a sign-in within the last ten minutes.',
    body: schema.PasswordSchema,
    bodyExample: { current_password: 'correct horse battery staple', password: 'a longer sentence than before' },
    ...schema.DONE,
    refusals: ['password_wrong', 'password_guessable', 'attempts_exhausted', 'sign_in_again', 'email_taken'],
    handler: async ({ person, body, caller }) => {
      const { current_password: current = null, password } = body
      await verbs.changePassword(deps, person, { current, password }, caller)
      return { done: true as const }
    },
  })
  operation('POST /accounts/sign-out', {
    id: 'signOut',
    summary: 'Sign out',
    description: 'Ends this session in every process.',
    ...schema.DONE,
    refusals: ['session_not_found'],
    handler: async ({ person, reply }) => {
      await deps.db.transaction((tx) => endSession(tx, person, person.sessionId))
      reply.clearCookie(consoleCookie(deps.baseUrl), buildCookieAttributes(deps.baseUrl))
      return { done: true as const }
    },
  })
}

function sessionRoutes(operation: OwnOperation, { db, clock }: PeopleDeps): void {
  operation('GET /accounts/sessions', {
    id: 'listSessions',
    summary: 'List the sessions of the account',
    description: 'Only sessions that have not ended.',
    answer: schema.SessionsSchema,
    example: {
      content: [
        {
          session_id: 'ses_01kbjyt5v3f4nvj5yq5yfypr9v',
          is_present: true,
          address: '198.51.100.7',
          created_at: '2026-11-21T10:15:30.000Z',
          last_used_at: '2026-11-21T11:02:00.000Z',
          expires_at: '2026-11-21T22:15:30.000Z',
          user_agent: 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0',
        },
      ],
    },
    handler: async ({ person }) => ({
      content: (await listSessions(db.reader, person, clock.now())).map((one) =>
        schema.presentSession(one, person.sessionId),
      ),
    }),
  })
  operation('DELETE /accounts/sessions/:session_id', {
    id: 'endSession',
    summary: 'End a session of the account',
    description: 'The session ends immediately, in every process.',
    params: schema.SessionParams,
    ...schema.DONE,
    refusals: ['session_not_found'],
    handler: async ({ person, params }) => {
      const sessionId = decodeId<'session'>('ses', params.session_id)
      if (sessionId === null) throw new Refusal<AccountRefusal>('session_not_found', 'You have no such session.')
      await db.transaction((tx) => endSession(tx, person, sessionId))
      return { done: true as const }
    },
  })
}

function totpRoutes(operation: OwnOperation, { db, clock, vault }: PeopleDeps): void {
  operation('POST /accounts/totp', {
    id: 'beginTotp',
    summary: 'Set up an authenticator app',
    description:
      'Requires a sign-in within the last ten minutes. Once a code from the app has been confirmed, every sign-in asks for one.',
    answer: schema.TotpSchema,
    example: {
      secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
      otpauth_uri: 'otpauth://totp/Laurel:mara%40example.com?issuer=Laurel&secret=JBSWY3DPEHPK3PXP',
      qr_svg: '<svg xmlns="http://www.w3.org/2000/svg"></svg>',
    },
    refusals: ['totp_on', 'sign_in_again'],
    handler: async ({ person }) => {
      const { secret, uri, qrSvg } = await db.transaction((tx) => beginTotp(tx, vault, person, clock.now()))
      return { secret, otpauth_uri: uri, qr_svg: qrSvg }
    },
  })
  operation('POST /accounts/totp/confirm', {
    id: 'confirmTotp',
    summary: 'Confirm an authenticator app with one of its codes',
    description: 'Requires a sign-in within the last ten minutes. Returns backup codes in case the app is lost.',
    body: schema.CodeSchema,
    bodyExample: { code: '492039' },
    answer: schema.BackupCodesSchema,
    example: { backup_codes: ['3f9a1-c02be'] },
    refusals: ['code_wrong', 'totp_on', 'sign_in_again'],
    handler: async ({ person, body }) => ({
      backup_codes: await db.transaction((tx) => confirmTotp(tx, vault, { ...person, code: body.code }, clock.now())),
    }),
  })
  operation('DELETE /accounts/totp', {
    id: 'removeTotp',
    summary: 'Remove the authenticator app',
    description:
      'Requires a sign-in within the last ten minutes. From then on the password is enough to sign in, and the backup codes are deleted.',
    ...schema.DONE,
    refusals: ['sign_in_again'],
    handler: async ({ person }) => {
      await db.transaction((tx) => removeTotp(tx, person, clock.now()))
      return { done: true as const }
    },
  })
}

function getPerson({ person }: FastifyRequest): SignedInPerson {
  if (person === null) throw new Error('an unauthenticated route requested the person')
  return person
}

/**
 * Rejects cross-site write requests, which could sign a browser in or out of another account. Non-browser clients send
 * neither header.
 */
function refuseForeign(request: FastifyRequest): Refusal<'origin_refused'> | undefined {
  const { origin, 'sec-fetch-site': site } = request.headers
  if (isRead(request) || (origin === undefined && site === undefined) || isSameOrigin(request)) return undefined
  return new Refusal('origin_refused', "Sign in on one of this service's pages.")
}
