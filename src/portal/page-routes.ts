import { activateOffer, deactivateOffer } from '../catalog/allowances/index.ts'
import { createBrowsing } from '../catalog/catalog/index.ts'
import { streamArchive } from '../data/erasure/index.ts'
import { createConcurrencyLimit } from '../platform/http/concurrency-limit.ts'
import { type App, isSameOrigin, Problem } from '../platform/http/index.ts'
import { Refusal } from '../platform/refusal.ts'
import { endSession } from '../tenants/accounts/index.ts'
import { acceptTerms } from '../users/users/index.ts'
import { assetRoutes } from './assets.ts'
import { FieldFault } from './errors.ts'
import { accountForms } from './forms/account.ts'
import { cardForms, linkTokenFor } from './forms/cards.ts'
import { claimForms } from './forms/claims.ts'
import { codeForms } from './forms/codes.ts'
import { giftCardForms } from './forms/gift-cards.ts'
import { leaveForms } from './forms/leave.ts'
import { marketingForms } from './forms/marketing.ts'
import { passkeyForms } from './forms/passkeys.ts'
import { redeemForms } from './forms/redeem.ts'
import { renderOwnSignInPage } from './pages/account.ts'
import { renderBrandPage } from './pages/brand.ts'
import { renderCardsPage } from './pages/cards.ts'
import { claimPage, renderClaimsPage, renderNewClaimPage } from './pages/claims.ts'
import { renderGiftCardsPage } from './pages/gift-cards.ts'
import { renderHomePage } from './pages/home.ts'
import { renderEndedPage, renderPlainPage } from './pages/layout.ts'
import { renderLeavePage } from './pages/leave.ts'
import { renderOffersPage } from './pages/offers.ts'
import { enterPage, renderYouPage } from './pages/own.ts'
import { renderPasskeyPage } from './pages/passkeys.ts'
import { renderPurchasePage, renderPurchasesPage } from './pages/purchases.ts'
import { redeemPage, renderPayoutAccountPage, renderRedemptionPage, renderRedemptionsPage } from './pages/redeem.ts'
import { renderStatementPage } from './pages/statement.ts'
import { renderTermsPage } from './pages/terms.ts'
import { passkeyOptions } from './passkey-routes.ts'
import { enter, readLogo } from './service.ts'
import { findSessions } from './sessions.ts'
import {
  answerUnknownPages,
  clearSessionCookie,
  forUsers,
  hidden,
  hiddenForm,
  type PortalDeps,
  readVisit,
  sendMissing,
  sendPage,
  sendRefused,
  sendUserPage,
  setSessionCookie,
} from './shared-routes.ts'
import { signInPages } from './sign-in-routes.ts'
import { renderTheme } from './theme/stylesheet.ts'
import { unsubscribePages } from './unsubscribe-routes.ts'
import type { PageDeps, PortalFields, PortalForm, ShowPage } from './visit.ts'

const FORM = 'application/x-www-form-urlencoded'
// Larger than any of our forms. Forms are parsed before the user is identified, and parsing one of this size takes a
// millisecond.
const FORM_BYTES_MAX = 64 * 1024

/**
 * Serves the pages of all portals. Their content is in pages/. This file decides who may see a page and how it is
 * served.
 */
export async function portalPages(app: App, deps: PortalDeps): Promise<void> {
  await findSessions(app, { ...deps, db: deps.pools.checks })
  app.addContentTypeParser(FORM, { parseAs: 'string', bodyLimit: FORM_BYTES_MAX }, (_request, body, done) =>
    done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  )
  answerUnknownPages(app)
  assetRoutes(app)
  // The service's address is read on each request, because it is known only once the service listens.
  const pages = { db: deps.db, browsing: createBrowsing(deps), parts: deps }
  openPages(app, deps)
  signInPages(app, deps)
  passkeyOptions(app, deps)
  // A separate scope, because it parses forms differently.
  app.register(async (scope: App) => unsubscribePages(scope, deps))
  userPages(app, deps, pages)
  exports(app, deps)
  linkTokens(app, deps)
  forms(app, deps, pages)
}

/**
 * Serves the theme, the logo, the page after deleting an account, and the link that signs a user in. None of them needs
 * a session.
 */
function openPages(app: App, deps: PortalDeps): void {
  app.get('/portal/:portal/theme.css', hidden, async (request, reply) => {
    const { portal } = await readVisit(deps, request, reply)
    return reply.header('Cache-Control', 'no-cache').type('text/css; charset=utf-8').send(renderTheme(portal))
  })
  app.get('/portal/:portal/logo', hidden, async (request, reply) => {
    const { publisher, portal } = await readVisit(deps, request, reply)
    const found = await readLogo(deps.db.reader, publisher)
    if (found === null) throw new Problem('route_not_found', 'This portal has no logo.')
    const isNamed = (request.query as PortalFields)['v'] === portal.logoVersion
    reply.header('Cache-Control', isNamed ? 'public, max-age=31536000, immutable' : 'no-cache')
    return reply.type(found.type).send(found.image)
  })
  app.get('/portal/:portal/deleted', hidden, async (request, reply) => {
    const visit = await readVisit(deps, request, reply)
    clearSessionCookie(deps, reply, visit)
    const { done, doneText } = visit.words.leave
    return sendPage(reply, visit, renderPlainPage(done, doneText(visit.name)), false)
  })
  app.get('/portal/:portal/enter/:token', hidden, async (request, reply) => {
    const visit = await readVisit(deps, request, reply)
    return sendPage(reply, visit, enterPage(visit), false)
  })
  app.post('/portal/:portal/enter/:token', hidden, async (request, reply) => {
    const visit = await readVisit(deps, request, reply)
    if (!isSameOrigin(request)) return sendRefused(reply, visit)
    const token = (request.params as PortalFields)['token'] ?? ''
    const now = deps.clock.now()
    const entered = await deps.db.transaction((tx) => enter(tx, visit.publisher, token, visit.browser, now))
    if (entered === null) return sendPage(reply.code(410), visit, renderEndedPage(visit, visit.words.gone.link), false)
    setSessionCookie(deps, reply, visit, entered)
    return reply.redirect(visit.base + (entered.returnPath === '/' ? '' : entered.returnPath), 303)
  })
}

/** The pages of signed-in users. */
const PAGES: Readonly<Record<string, ShowPage>> = {
  '': renderHomePage,
  '/terms': renderTermsPage,
  '/offers': renderOffersPage,
  '/brands/:brand_uid': renderBrandPage,
  '/purchases': renderPurchasesPage,
  '/purchases/:transaction_uid': renderPurchasePage,
  '/redeem': redeemPage,
  '/redeem/account': renderPayoutAccountPage,
  '/redemptions': renderRedemptionsPage,
  '/redemptions/:redemption_id': renderRedemptionPage,
  '/gift-cards': renderGiftCardsPage,
  '/statement': renderStatementPage,
  '/claims': renderClaimsPage,
  '/claims/new': renderNewClaimPage,
  '/claims/:claim_id': claimPage,
  '/cards': renderCardsPage,
  '/you': renderYouPage,
  '/you/delete': renderLeavePage,
  '/you/sign-in': renderOwnSignInPage,
  '/you/sign-in/passkeys/:passkey_id': renderPasskeyPage,
}

function userPages(app: App, deps: PortalDeps, pages: PageDeps): void {
  app.get('/portal/:portal/*', hidden, async (request, reply) =>
    sendMissing(reply, await readVisit(deps, request, reply), false),
  )
  for (const [path, render] of Object.entries(PAGES)) {
    const show = forUsers(deps, async (visit, request, reply) => {
      // The portal's start page redirects to pending terms, but no other page does, so users can still reach their
      // money and leave.
      if (visit.status === 'PENDING' && path === '') return reply.redirect(`${visit.base}/terms`, 303)
      if (visit.status === 'ACTIVE' && path === '/terms') return reply.redirect(visit.base, 303)
      try {
        return sendUserPage(reply, visit, await render(visit, pages, request.params as PortalFields))
      } catch (error) {
        if (!(error instanceof Refusal) || !error.code.endsWith('_not_found')) throw error
        return sendMissing(reply, visit, true)
      }
    })
    app.get(`/portal/:portal${path}`, hidden, show)
  }
}

/** Serves the user's data export as a file. */
function exports(app: App, deps: PortalDeps): void {
  const limit = createConcurrencyLimit(
    'Another data export for this publisher is being downloaded; try again in a moment.',
  )
  const send = forUsers(deps, async (visit, _request, reply) => {
    const format = visit.query['format'] === 'csv' ? 'csv' : 'json'
    const end = limit.start(visit.publisher.id)
    const whose = { publisherId: visit.publisher.id, userId: visit.user.userId, now: visit.now }
    const { stream, begun, ended } = streamArchive(
      { reports: deps.pools.reports, givingWay: app.givingWay },
      whose,
      format,
    )
    ended.then(end)
    // Until the stream has begun, the request can still be refused.
    await begun
    reply.type(format === 'csv' ? 'text/csv; charset=utf-8' : 'application/json; charset=utf-8')
    reply.header('Content-Disposition', `attachment; filename="rewards.${format}"`)
    return reply.header('Cache-Control', 'no-store').send(stream)
  })
  app.get('/portal/:portal/you/export', hidden, send)
}

/** Serves tokens that open the provider's component to the script of the cards page. */
function linkTokens(app: App, deps: PortalDeps): void {
  const makeToken = linkTokenFor(deps)
  const answer = forUsers(deps, async (visit, request, reply) => {
    if (visit.status === 'PENDING') return reply.redirect(`${visit.base}/terms`, 303)
    try {
      return { token: await makeToken(visit, (request.body as PortalFields)['institution_id'] ?? null) }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return reply.code(409).send({ token: null })
    }
  })
  app.post('/portal/:portal/cards/token', hiddenForm, answer)
}

// Forms that can lead to new rewards require the user to have accepted the terms. Everything else works without
// acceptance, including redeeming, exporting data and leaving.
const EARNING: readonly string[] = ['/cards', '/offers/:offer_uid/activation', '/offers/:offer_uid/code']

/** Handles form submissions. Redirects to a page after each change, so that reloading does not repeat the change. */
function forms(app: App, deps: PortalDeps, pages: PageDeps): void {
  const form = (path: string, act: PortalForm['act'], page?: ShowPage) => {
    const submit = forUsers(deps, async (visit, request, reply) => {
      if (visit.status === 'PENDING' && EARNING.includes(path)) return reply.redirect(`${visit.base}/terms`, 303)
      const body = request.body as PortalFields
      const params = request.params as PortalFields
      try {
        const done = await act(visit, body, params)
        return typeof done === 'string' ? reply.redirect(visit.base + done, 303) : sendUserPage(reply, visit, done)
      } catch (error) {
        if (!(error instanceof Refusal || error instanceof FieldFault)) throw error
        if (page === undefined) return sendRefused(reply, visit)
        const sent = { values: body, field: error.field, code: error.code, members: error.members }
        return sendUserPage(reply.code(422), visit, await page({ ...visit, sent }, pages, params))
      }
    })
    app.post(`/portal/:portal${path}`, hiddenForm, submit)
  }
  for (const [path, { act, page }] of Object.entries({
    ...redeemForms(deps),
    ...cardForms(deps),
    ...claimForms(deps),
    ...leaveForms(deps),
    ...marketingForms(deps),
    ...accountForms(deps),
    ...passkeyForms(deps),
    ...giftCardForms(deps),
    ...codeForms(deps),
  }))
    form(path, act, page)
  form('/terms', async ({ publisher, user, now }, body) => {
    await deps.db.transaction((tx) => acceptTerms(tx, publisher, user.publisherUserId, Number(body['tnc_id']), now))
    return '?done=accepted'
  })
  form('/offers/:offer_uid/activation', async ({ publisher, user, now }, body, params) => {
    const assortment = await deps.catalog.getAssortment(publisher)
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
