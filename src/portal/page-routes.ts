import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { endSession, useSession } from '../accounts/index.ts'
import type { TrackingLinks } from '../affiliate/index.ts'
import { activateOffer, deactivateOffer } from '../allowances/index.ts'
import { type CatalogStore, createBrowsing, type OffersOfUser } from '../catalog/index.ts'
import { streamArchive } from '../leaving/index.ts'
import type { LinkerDeps } from '../linker/index.ts'
import { dayOf } from '../platform/calendar.ts'
import { createConcurrencyLimit } from '../platform/concurrency-limit.ts'
import type { Database } from '../platform/database.ts'
import { html } from '../platform/html.ts'
import { type App, countingStrangers, isSameOrigin, Problem } from '../platform/http/index.ts'
import { hashOfKey } from '../platform/key-cache.ts'
import { Refusal } from '../platform/refusal.ts'
import { publisherNow } from '../publishers/index.ts'
import { acceptTerms, getKnownUser, getUser } from '../users/index.ts'
import { assetRoutes } from './assets.ts'
import { FieldFault } from './errors.ts'
import { cardForms, linkTokenFor } from './forms/cards.ts'
import { claimForms } from './forms/claims.ts'
import { codeForms } from './forms/codes.ts'
import { giftCardForms } from './forms/gift-cards.ts'
import { leaveForms } from './forms/leave.ts'
import { marketingForms } from './forms/marketing.ts'
import { redeemForms } from './forms/redeem.ts'
import { brandPage } from './pages/brand.ts'
import { cardsPage } from './pages/cards.ts'
import { claimPage, claimsPage, newClaimPage } from './pages/claims.ts'
import { giftCardsPage } from './pages/gift-cards.ts'
import { homePage } from './pages/home.ts'
import { pageText, plainPage } from './pages/layout.ts'
import { leavePage } from './pages/leave.ts'
import { offersPage } from './pages/offers.ts'
import { enterPage, termsPage, youPage } from './pages/own.ts'
import { purchasePage, purchasesPage } from './pages/purchases.ts'
import { payoutAccountPage, redeemPage, redemptionPage, redemptionsPage } from './pages/redeem.ts'
import { statementPage } from './pages/statement.ts'
import type { Portal } from './portal.ts'
import { nameOf } from './schema.ts'
import { enter, findPortalAt, logoOf } from './service.ts'
import { themeOf } from './theme/stylesheet.ts'
import type { PageDeps, PortalFields, PortalForm, PortalPage, ShowPage, UserVisit, Visit } from './visit.ts'
import { isLanguage, languageOf, WORDS } from './words/words.ts'

type Deps = LinkerDeps & {
  readonly catalog: CatalogStore
  readonly links: TrackingLinks
  readonly offersOfUser?: OffersOfUser
  readonly strangerCallsPerSecond: number
  /** Archives take long, so they are read in the pool of reports. */
  readonly pools: { readonly reports: Database }
}

const SESSION_COOKIE = 'laurel_portal'
const LANGUAGE_COOKIE = 'laurel_portal_language'
const YEAR_SECONDS = 365 * 86_400
const FORM = 'application/x-www-form-urlencoded'
const hidden = { schema: { hide: true } }
// Longer than any field of a form.
const TEXT_MAX = 4_000
// More than any form of ours has. A form is read before it is known whose it is, in a millisecond at this size.
const FORM_BYTES_MAX = 64 * 1024
const hiddenForm = {
  schema: { hide: true, body: Type.Record(Type.String(), Type.String({ maxLength: TEXT_MAX, format: 'prose' })) },
}

/** The pages of all portals. What a page shows is in pages/; here is who may see it, and how it is sent. */
export function portalPages(app: App, deps: Deps): void {
  app.addHook('onRequest', countingStrangers(deps.strangerCallsPerSecond))
  app.addContentTypeParser(FORM, { parseAs: 'string', bodyLimit: FORM_BYTES_MAX }, (_request, body, done) =>
    done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  )
  assetRoutes(app)
  // The address of the service is read at each request: it is known once it listens.
  const pages = { db: deps.db, browsing: createBrowsing(deps), parts: deps }
  openPages(app, deps)
  userPages(app, deps, pages)
  exports(app, deps)
  linkTokens(app, deps)
  forms(app, deps, pages)
}

/** What needs no session: theme, logo, the page after an account was deleted, and the link by which a user enters. */
function openPages(app: App, deps: Deps): void {
  app.get('/portal/:portal/theme.css', hidden, async (request, reply) => {
    const { portal } = await visitOf(deps, request, reply)
    return reply.header('Cache-Control', 'no-cache').type('text/css; charset=utf-8').send(themeOf(portal))
  })
  app.get('/portal/:portal/logo', hidden, async (request, reply) => {
    const { publisher, portal } = await visitOf(deps, request, reply)
    const found = await logoOf(deps.db.reader, publisher)
    if (found === null) throw new Problem('route_not_found', 'This portal has no logo.')
    const isNamed = (request.query as PortalFields)['v'] === portal.logoVersion
    reply.header('Cache-Control', isNamed ? 'public, max-age=31536000, immutable' : 'no-cache')
    return reply.type(found.type).send(found.image)
  })
  app.get('/portal/:portal/deleted', hidden, async (request, reply) => {
    const visit = await visitOf(deps, request, reply)
    reply.clearCookie(SESSION_COOKIE, { path: visit.base })
    const { done, doneText } = visit.words.leave
    return sendPage(reply, visit, plainPage(done, doneText(visit.name)), false)
  })
  app.get('/portal/:portal/enter/:token', hidden, async (request, reply) => {
    const visit = await visitOf(deps, request, reply)
    return sendPage(reply, visit, enterPage(visit), false)
  })
  app.post('/portal/:portal/enter/:token', hidden, async (request, reply) => {
    const visit = await visitOf(deps, request, reply)
    if (!isSameOrigin(request)) return sendRefused(reply, visit)
    const isEmbedded = request.headers['sec-fetch-dest'] === 'iframe'
    const origin = { address: request.ip, userAgent: request.headers['user-agent'] ?? '', isEmbedded }
    const token = (request.params as PortalFields)['token'] ?? ''
    const entered = await deps.db.transaction((tx) => enter(tx, visit.publisher, token, origin, deps.clock.now()))
    const { gone } = visit.words
    if (entered === null) return sendPage(reply.code(410), visit, plainPage(gone.link, gone.remedy(visit.name)), false)
    reply.setCookie(SESSION_COOKIE, entered.token, { ...cookieOf(deps, visit, isEmbedded), expires: entered.expiresAt })
    return reply.redirect(visit.base + (entered.returnPath === '/' ? '' : entered.returnPath), 303)
  })
}

function userPages(app: App, deps: Deps, pages: PageDeps): void {
  const show = (path: string, render: ShowPage) =>
    app.get(`/portal/:portal${path}`, hidden, async (request, reply) => {
      const visit = await userVisitOf(deps, request, reply)
      if (visit === null) return reply
      const isTerms = path === '/terms'
      if (visit.status === 'PENDING' && !isTerms) return reply.redirect(`${visit.base}/terms`, 303)
      if (visit.status === 'ACTIVE' && isTerms) return reply.redirect(visit.base, 303)
      try {
        return sendPage(reply, visit, await render(visit, request.params as PortalFields), !isTerms)
      } catch (error) {
        if (!(error instanceof Refusal) || !error.code.endsWith('_not_found')) throw error
        return sendMissing(reply, visit, true)
      }
    })
  app.get('/portal/:portal/*', hidden, async (request, reply) =>
    sendMissing(reply, await visitOf(deps, request, reply), false),
  )
  show('', (visit) => homePage(visit, pages))
  show('/terms', (visit) => termsPage(visit, pages))
  show('/offers', (visit) => offersPage(visit, pages))
  show('/brands/:brand_uid', async (visit, params) => brandPage(visit, pages, params['brand_uid'] ?? ''))
  show('/purchases', (visit) => purchasesPage(visit, pages))
  show('/purchases/:transaction_uid', (visit, params) => purchasePage(visit, pages, params['transaction_uid'] ?? ''))
  show('/redeem', (visit) => redeemPage(visit, pages))
  show('/redeem/account', (visit) => payoutAccountPage(visit))
  show('/redemptions', (visit) => redemptionsPage(visit, pages))
  show('/redemptions/:redemption_id', (visit, params) => redemptionPage(visit, pages, params['redemption_id'] ?? ''))
  show('/gift-cards', (visit) => giftCardsPage(visit, pages))
  show('/statement', (visit) => statementPage(visit, pages))
  show('/claims', (visit) => claimsPage(visit, pages))
  show('/claims/new', (visit) => newClaimPage(visit, pages))
  show('/claims/:claim_id', (visit, params) => claimPage(visit, pages, params['claim_id'] ?? ''))
  show('/cards', (visit) => cardsPage(visit, pages))
  show('/you', (visit) => youPage(visit, pages))
  show('/you/delete', (visit) => leavePage(visit, pages))
}

/** Everything about the user, as a file. */
function exports(app: App, deps: Deps): void {
  const limit = createConcurrencyLimit('Another archive of this publisher is being read; try again in a moment.')
  app.get('/portal/:portal/you/export', hidden, async (request, reply) => {
    const visit = await userVisitOf(deps, request, reply)
    if (visit === null) return reply
    const format = visit.query['format'] === 'csv' ? 'csv' : 'json'
    const end = limit.start(visit.publisher.id)
    const whose = { publisherId: visit.publisher.id, userId: visit.user.userId, now: visit.now }
    const { stream, begun, ended } = streamArchive(
      { reports: deps.pools.reports, givingWay: app.givingWay },
      whose,
      format,
    )
    ended.then(end)
    // Until then it can still be refused.
    await begun
    reply.type(format === 'csv' ? 'text/csv; charset=utf-8' : 'application/json; charset=utf-8')
    reply.header('Content-Disposition', `attachment; filename="rewards.${format}"`)
    return reply.header('Cache-Control', 'no-store').send(stream)
  })
}

/** What the script of the cards page asks for: a token that opens the provider's component. */
function linkTokens(app: App, deps: Deps): void {
  const makeToken = linkTokenFor(deps)
  app.post('/portal/:portal/cards/token', hiddenForm, async (request, reply) => {
    const visit = await userVisitOf(deps, request, reply)
    if (visit === null) return reply
    if (!isSameOrigin(request)) return sendRefused(reply, visit)
    if (visit.status === 'PENDING') return reply.redirect(`${visit.base}/terms`, 303)
    try {
      return { token: await makeToken(visit, (request.body as PortalFields)['institution_id'] ?? null) }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return reply.code(409).send({ token: null })
    }
  })
}

// What a user does who has not accepted the terms.
const BEFORE_TERMS: readonly string[] = ['/terms', '/sign-out']

/** Forms change something and lead on to a page, so that a reload repeats nothing. */
function forms(app: App, deps: Deps, pages: PageDeps): void {
  const form = (path: string, act: PortalForm['act'], page?: ShowPage) =>
    app.post(`/portal/:portal${path}`, hiddenForm, async (request, reply) => {
      const visit = await userVisitOf(deps, request, reply)
      if (visit === null) return reply
      if (!isSameOrigin(request)) return sendRefused(reply, visit)
      if (visit.status === 'PENDING' && !BEFORE_TERMS.includes(path)) return reply.redirect(`${visit.base}/terms`, 303)
      const body = request.body as PortalFields
      const params = request.params as PortalFields
      try {
        const done = await act(visit, body, params)
        return typeof done === 'string' ? reply.redirect(visit.base + done, 303) : sendPage(reply, visit, done, true)
      } catch (error) {
        if (!(error instanceof Refusal || error instanceof FieldFault)) throw error
        if (page === undefined) return sendRefused(reply, visit)
        const sent = { values: body, field: error.field, code: error.code }
        return sendPage(reply.code(422), visit, await page({ ...visit, sent }, params), true)
      }
    })
  for (const [path, { act, page }] of Object.entries({
    ...redeemForms(deps, pages),
    ...cardForms(deps, pages),
    ...claimForms(deps, pages),
    ...leaveForms(deps, pages),
    ...marketingForms(deps, pages),
    ...giftCardForms(deps),
    ...codeForms(deps),
  }))
    form(path, act, page)
  form('/terms', async ({ publisher, user, now }, body) => {
    await deps.db.transaction((tx) => acceptTerms(tx, publisher, user.publisherUserId, Number(body['tnc_id']), now))
    return '?done=accepted'
  })
  form('/offers/:offer_uid/activation', async ({ publisher, user, now }, body, params) => {
    const assortment = await deps.catalog.assortmentOf(publisher)
    const named = { publisherUserId: user.publisherUserId, offerUid: params['offer_uid'] ?? '' }
    const isOn = body['activated'] === 'yes'
    await deps.db.transaction(async (tx) => {
      if (isOn) await activateOffer(tx, { assortment }, publisher, named, now)
      else await deactivateOffer(tx, { assortment }, publisher, named, now)
    })
    return `?done=${isOn ? 'activated' : 'deactivated'}`
  })
  form('/sign-out', async ({ user, sessionId }) => {
    await deps.db.transaction((tx) => endSession(tx, { userId: user.userId }, sessionId))
    return ''
  })
}

/** @throws Problem route_not_found where there is no portal */
async function visitOf(deps: Deps, request: FastifyRequest, reply: FastifyReply): Promise<Visit> {
  const found = await findPortalAt(deps.db.reader, (request.params as PortalFields)['portal'] ?? '')
  if (found === null) throw new Problem('route_not_found', 'There is no portal at this address.')
  const { publisher, portal } = found
  // Of a member that comes twice, the last is taken.
  const query: PortalFields = Object.fromEntries(new URLSearchParams(request.url.split('?')[1]))
  const base = `/portal/${portal.slug}`
  const chosen = query['lang'] ?? request.cookies[LANGUAGE_COOKIE]
  const language = isLanguage(chosen) ? chosen : languageOf(request.headers['accept-language'])
  const now = publisherNow(publisher, deps.clock)
  const visit: Visit = {
    ...{ publisher, portal, language, base, query, now, sent: null },
    name: nameOf(publisher, portal),
    words: WORDS[language],
    path: request.url.split('?')[0] ?? base,
    today: dayOf(now, publisher.timeZone),
  }
  if (isLanguage(query['lang']))
    reply.setCookie(LANGUAGE_COOKIE, language, { ...cookieOf(deps, visit, false), maxAge: YEAR_SECONDS })
  return visit
}

/** The visit of a user who has entered. Null after the answer that there is no such session, or no longer. */
async function userVisitOf(deps: Deps, request: FastifyRequest, reply: FastifyReply): Promise<UserVisit | null> {
  const visit = await visitOf(deps, request, reply)
  const token = request.cookies[SESSION_COOKIE]
  const session = token === undefined ? null : await useSession(deps.db, hashOfKey(token), deps.clock.now())
  const { gone } = visit.words
  // A session of another publisher's portal is none here.
  if (session === null || session.who.kind !== 'user' || session.who.publisherId !== visit.publisher.id) {
    await sendPage(reply.code(401), visit, plainPage(gone.session, gone.remedy(visit.name)), false)
    return null
  }
  const { publisherUserId } = await getKnownUser(deps.db.reader, visit.publisher.id, session.who.userId)
  const known = await getUser(deps.db.reader, visit.publisher, publisherUserId, visit.now)
  if (known.status === 'INACTIVE') {
    await sendPage(reply.code(403), visit, plainPage(gone.inactive, gone.remedy(visit.name)), false)
    return null
  }
  return { ...visit, ...known, sessionId: session.sessionId }
}

/** In a frame of another site a browser sends the cookie only if it says so, and keeps one for each such site. */
function cookieOf({ baseUrl }: Deps, { base }: Visit, isEmbedded: boolean) {
  const attributes = { path: base, httpOnly: true }
  return isEmbedded
    ? ({ ...attributes, sameSite: 'none', secure: true, partitioned: true } as const)
    : ({ ...attributes, sameSite: 'lax', secure: baseUrl.startsWith('https:') } as const)
}

function policyOf({ frameAncestors }: Portal, { linkScript = null }: PortalPage): string {
  // The provider's component is a script that shows a frame and calls home, all from one origin.
  const provider = linkScript === null ? '' : ` ${new URL(linkScript).origin}`
  const frames = frameAncestors.length === 0 ? "'none'" : frameAncestors.join(' ')
  return `default-src 'none'; style-src 'self'; script-src 'self'${provider}; font-src 'self'; img-src 'self'; connect-src 'self'${provider}; frame-src${provider === '' ? " 'none'" : provider}; form-action 'self'; base-uri 'none'; frame-ancestors ${frames}`
}

function sendPage(reply: FastifyReply, visit: Visit, page: PortalPage, isSignedIn: boolean): FastifyReply {
  // What the policy says of frames takes precedence, but only where a browser knows it.
  if (visit.portal.frameAncestors.length > 0) reply.removeHeader('X-Frame-Options')
  return (
    reply
      .header('Content-Security-Policy', policyOf(visit.portal, page))
      .header('Cache-Control', 'no-store')
      // Other sites learn nothing of the link; a form of ours still says where it comes from, in older browsers, too.
      .header('Referrer-Policy', 'same-origin')
      .type('text/html; charset=utf-8')
      .send(pageText(visit, page, isSignedIn))
  )
}

function sendMissing(reply: FastifyReply, visit: Visit, isSignedIn: boolean): FastifyReply {
  const { gone } = visit.words
  const home = html`<a class="btn" href="${visit.base}">${gone.home}</a>`
  return sendPage(reply.code(404), visit, plainPage(gone.missing, gone.missingText, home), isSignedIn)
}

function sendRefused(reply: FastifyReply, visit: Visit): FastifyReply {
  const { gone } = visit.words
  return sendPage(reply.code(409), visit, plainPage(gone.refused, gone.refusedText), false)
}
