import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import type { CatalogStore, OffersOfUser } from '../catalog/catalog/index.ts'
import { toDay } from '../platform/calendar.ts'
import type { Database } from '../platform/db/database.ts'
import { type App, isSameOrigin, Problem } from '../platform/http/index.ts'
import { html } from '../platform/text/html.ts'
import type { LinkerDeps } from '../purchases/linker/index.ts'
import type { TrackingLinks } from '../sources/affiliate/index.ts'
import { publisherNow } from '../tenants/publishers/index.ts'
import { getKnownUser, getUser } from '../users/users/index.ts'
import { renderEndedPage, renderPage, renderPlainPage, renderStrayPage } from './pages/layout.ts'
import { renderPendingNote } from './pages/terms.ts'
import type { Portal } from './portal.ts'
import { getShownName } from './schema.ts'
import { findPortalAt } from './service.ts'
import { nameSessionCookie } from './sessions.ts'
import type { PortalFields, PortalPage, UserVisit, Visit } from './visit.ts'
import { isLanguage, pickLanguage, WORDS } from './words/words.ts'

/**
 * The dependencies of the portal routes. This file contains the code they share for identifying the user and sending
 * the response.
 */
export type PortalDeps = LinkerDeps & {
  readonly catalog: CatalogStore
  readonly links: TrackingLinks
  readonly offersOfUser?: OffersOfUser
  readonly strangerCallsPerSecond: number
  /** Archives take a long time, so they use the reports' connection pool. */
  readonly pools: { readonly reports: Database; readonly checks: Database }
}

const LANGUAGE_COOKIE = 'laurel_portal_language'
const YEAR_SECONDS = 365 * 86_400
export const hidden = { schema: { hide: true } }
// The length of the longest form field.
const TEXT_MAX = 4_000
export const hiddenForm = {
  schema: { hide: true, body: Type.Record(Type.String(), Type.String({ maxLength: TEXT_MAX, format: 'prose' })) },
}

/** Thrown if there is no portal at an address. Browsers get a page instead of JSON. */
class NoPortal extends Problem {
  constructor() {
    super('route_not_found', 'There is no portal at this URL.')
  }
}

/** Sends a page instead of JSON to people who follow a wrong or outdated link. */
export function answerUnknownPages(app: App): void {
  const answer = (request: FastifyRequest, reply: FastifyReply): FastifyReply =>
    reply
      .code(404)
      .header(
        'Content-Security-Policy',
        "default-src 'none'; style-src 'self'; font-src 'self'; frame-ancestors 'none'",
      )
      .header('Cache-Control', 'no-store')
      .type('text/html; charset=utf-8')
      .send(renderStrayPage(pickLanguage(request.headers['accept-language'])))
  app.setErrorHandler((error, request, reply) => {
    if (error instanceof NoPortal) return answer(request, reply)
    throw error
  })
  app.get('/portal', hidden, async (request, reply) => answer(request, reply))
}

/**
 * Identifies the portal and language of a request.
 * @throws NoPortal
 */
export async function readVisit(deps: PortalDeps, request: FastifyRequest, reply: FastifyReply): Promise<Visit> {
  const found = await findPortalAt(deps.db.reader, (request.params as PortalFields)['portal'] ?? '')
  if (found === null) throw new NoPortal()
  const { publisher, portal } = found
  // If a field occurs twice, the last one wins.
  const query: PortalFields = Object.fromEntries(new URLSearchParams(request.url.split('?')[1]))
  const base = `/portal/${portal.slug}`
  const chosen = query['lang'] ?? request.cookies[LANGUAGE_COOKIE]
  const language = isLanguage(chosen) ? chosen : pickLanguage(request.headers['accept-language'])
  const now = publisherNow(publisher, deps.clock)
  const { ip, headers } = request
  const visit: Visit = {
    publisher,
    portal,
    language,
    base,
    query,
    now,
    sent: null,
    name: getShownName(publisher, portal),
    words: WORDS[language],
    browser: {
      realm: { publisherId: publisher.id, language },
      address: ip,
      userAgent: headers['user-agent'] ?? '',
      isEmbedded: headers['sec-fetch-dest'] === 'iframe',
    },
    path: request.url.split('?')[0] ?? base,
    today: toDay(now, publisher.timeZone),
  }
  if (isLanguage(query['lang']))
    reply.setCookie(LANGUAGE_COOKIE, language, {
      ...buildCookieAttributes(deps, false),
      path: base,
      maxAge: YEAR_SECONDS,
    })
  return visit
}

/** Returns the visit of a signed-in user; null after responding that there is no valid session. */
async function readUserVisit(
  deps: PortalDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<UserVisit | null> {
  const visit = await readVisit(deps, request, reply)
  const session = request.userSession
  const { gone } = visit.words
  const { allowsAccounts } = visit.portal
  // Sessions from another publisher's portal are invalid here, and so are account sessions once accounts are
  // disallowed.
  const isOver =
    session === null ||
    session.who.publisherId !== visit.publisher.id ||
    (session.who.accountId !== null && !allowsAccounts)
  if (isOver) {
    await sendPage(reply.code(401), visit, renderEndedPage(visit, gone.session), false)
    return null
  }
  const { publisherUserId } = await getKnownUser(deps.db.reader, visit.publisher.id, session.who.userId)
  const known = await getUser(deps.db.reader, visit.publisher, publisherUserId, visit.now)
  if (known.status === 'INACTIVE') {
    await sendPage(reply.code(403), visit, renderPlainPage(gone.inactive, gone.remedy(visit.name)), false)
    return null
  }
  return { ...visit, ...known, sessionId: session.sessionId }
}

/**
 * Returns a handler of requests by signed-in users. All others get a page that leads them back in, and forms of other
 * sites are refused.
 */
export function forUsers(
  deps: PortalDeps,
  handle: (visit: UserVisit, request: FastifyRequest, reply: FastifyReply) => Promise<unknown>,
) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const visit = await readUserVisit(deps, request, reply)
    if (visit === null) return reply
    if (request.method === 'POST' && !isSameOrigin(request)) return sendRefused(reply, visit)
    return handle(visit, request, reply)
  }
}

/** Sets the cookie with a session's token. */
export function setSessionCookie(
  deps: PortalDeps,
  reply: FastifyReply,
  { portal, browser }: Visit,
  { token, expiresAt }: { readonly token: string; readonly expiresAt?: Date },
): void {
  const { name, path } = nameSessionCookie(deps.baseUrl, portal.slug)
  const attributes = { ...buildCookieAttributes(deps, browser.isEmbedded), path }
  reply.setCookie(name, token, expiresAt === undefined ? attributes : { ...attributes, expires: expiresAt })
}

export function clearSessionCookie(deps: PortalDeps, reply: FastifyReply, { portal, browser }: Visit): void {
  const { name, path } = nameSessionCookie(deps.baseUrl, portal.slug)
  reply.clearCookie(name, { ...buildCookieAttributes(deps, browser.isEmbedded), path })
}

/**
 * Returns the attributes of the session cookie. In an iframe on another site, browsers send only cookies that opt in,
 * and partition them by site.
 */
function buildCookieAttributes({ baseUrl }: PortalDeps, isEmbedded: boolean) {
  return isEmbedded
    ? ({ httpOnly: true, sameSite: 'none', secure: true, partitioned: true } as const)
    : ({ httpOnly: true, sameSite: 'lax', secure: baseUrl.startsWith('https:') } as const)
}

function buildPolicy({ frameAncestors }: Portal, { linkScript = null }: PortalPage): string {
  // The provider's component is a script that opens an iframe and makes requests, all to a single origin.
  const provider = linkScript === null ? '' : ` ${new URL(linkScript).origin}`
  const frames = frameAncestors.length === 0 ? "'none'" : frameAncestors.join(' ')
  return `default-src 'none'; style-src 'self'; script-src 'self'${provider}; font-src 'self'; img-src 'self'; connect-src 'self'${provider}; frame-src${provider === '' ? " 'none'" : provider}; form-action 'self'; base-uri 'none'; frame-ancestors ${frames}`
}

export function sendPage(reply: FastifyReply, visit: Visit, page: PortalPage, isSignedIn: boolean): FastifyReply {
  // In browsers that support it, frame-ancestors in the policy replaces this header.
  if (visit.portal.frameAncestors.length > 0) reply.removeHeader('X-Frame-Options')
  return (
    reply
      .header('Content-Security-Policy', buildPolicy(visit.portal, page))
      .header('Cache-Control', 'no-store')
      // Hides the link from other sites, while our forms still send their origin, even in older browsers.
      .header('Referrer-Policy', 'same-origin')
      .type('text/html; charset=utf-8')
      .send(renderPage(visit, page, isSignedIn))
  )
}

/** Sends a page to a signed-in user, with a note if they have not accepted the current terms. */
export function sendUserPage(reply: FastifyReply, visit: UserVisit, page: PortalPage): FastifyReply {
  return sendPage(reply, visit, { ...page, content: html`${renderPendingNote(visit)}${page.content}` }, true)
}

export function sendMissing(reply: FastifyReply, visit: Visit, isSignedIn: boolean): FastifyReply {
  const { gone } = visit.words
  const home = html`<a class="btn" href="${visit.base}">${gone.home}</a>`
  return sendPage(reply.code(404), visit, renderPlainPage(gone.missing, gone.missingText, home), isSignedIn)
}

export function sendRefused(reply: FastifyReply, visit: Visit): FastifyReply {
  const { gone } = visit.words
  return sendPage(reply.code(409), visit, renderPlainPage(gone.refused, gone.refusedText), false)
}
