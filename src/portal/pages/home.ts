import { noBalances, readWallets } from '../../ledger/index.ts'
import { DAY_MS } from '../../platform/calendar.ts'
import type { Reader } from '../../platform/db/database.ts'
import { encodeId } from '../../platform/ids.ts'
import { type Html, html } from '../../platform/text/html.ts'
import { listClaims } from '../../purchases/claims/index.ts'
import { findTransactions, type Transaction } from '../../purchases/transactions/index.ts'
import { listLinks } from '../../sources/cards/index.ts'
import { getCurrencies } from '../../tenants/publishers/index.ts'
import { listAcceptances, listDocuments, selectTermsAt } from '../../users/terms/index.ts'
import type { PageDeps, PortalPage, UserVisit } from '../visit.ts'
import { formatDay, formatInstant, formatMinorMoney } from '../words/formats.ts'
import { WREATH } from './icons.ts'
import { renderOfferTiles } from './offer-view.ts'
import { renderPurchaseList } from './purchases.ts'
import { changeText, renderDocumentLink } from './terms.ts'

const OFFERS_SHOWN = 8
const PURCHASES_SHOWN = 5

/** Renders the available and pending balances, anything that needs the user's attention, and offers. */
export async function renderHomePage(visit: UserVisit, { db, browsing }: PageDeps): Promise<PortalPage> {
  const { publisher, user, base, words, portal } = visit
  const paging = { page: 0, size: PURCHASES_SHOWN, offset: 0, sort: [] }
  const filter = { userId: user.userId, status: null, searchText: null, from: null, until: null }
  const [wallets, links, alerts, { rows }, { brands }] = await Promise.all([
    readWallets(db.reader, publisher, [user.userId]),
    listLinks(db.reader, publisher, user.userId),
    renderNews(visit, db.reader),
    findTransactions(db.reader, publisher.id, filter, paging),
    browsing.list(
      publisher,
      user.userId,
      { categoryId: null, searchText: null, zipCode: null, endsBy: null },
      { skip: 0, limit: OFFERS_SHOWN },
    ),
  ])
  const wallet = wallets.get(user.userId) ?? new Map()
  const balances = getCurrencies(publisher).flatMap((currency, index) => {
    const { available, pending } = wallet.get(currency) ?? noBalances
    // The first balance is displayed even if it is zero, so that users see where rewards will appear.
    return index === 0 || available !== 0n || pending !== 0n ? [{ currency, available, pending }] : []
  })
  const content = html`${portal.welcome !== null && html`<p class="lead">${portal.welcome}</p>`}${hero(visit, balances, rows)}
    ${links.filter(({ link }) => link.error !== null).map(({ link }) => alert(visit, link.institutionName))}
    ${alerts}
    <div class="head"><h2>${words.home.offers}</h2><a href="${base}/offers">${words.home.allOffers}</a></div>
    ${brands.length === 0 ? html`<p class="empty">${words.offers.none}</p>` : renderOfferTiles(visit, brands)}
    ${rows.length > 0 && html`<div class="head"><h2>${words.home.recent}</h2><a href="${base}/purchases">${words.home.all}</a></div>${await renderPurchaseList(visit, { browsing }, rows)}`}`
  return { title: words.home.title, tab: 'offers', content }
}

type Balance = { readonly currency: string; readonly available: bigint; readonly pending: bigint }

function hero(visit: UserVisit, balances: readonly Balance[], rows: readonly Transaction[]): Html {
  const { words, base, today } = visit
  const [first, ...others] = balances
  const money = (minor: bigint, currency: string): string => formatMinorMoney(words, minor, currency)
  const [next] = rows
    .filter(({ status, availableOn, amounts }) => status === 'PENDING' && availableOn !== null && amounts.user > 0n)
    .toSorted((one, other) => ((one.availableOn ?? '') < (other.availableOn ?? '') ? -1 : 1))
  const lines = balances
    .filter(({ pending }) => pending > 0n)
    .map(({ pending, currency }) => html`<p>${words.home.onTheWay(money(pending, currency))}</p>`)
  return html`<section class="hero">
    ${WREATH}
    <h1>${words.home.ready}</h1>
    ${first !== undefined && html`<p class="amount">${money(first.available, first.currency)}</p>`}
    ${others.map(({ available, currency }) => html`<p class="further">${money(available, currency)}</p>`)}
    ${lines.length === 0 ? html`<p>${words.home.nothingYet}</p>` : lines}
    ${next?.availableOn != null && html`<p>${words.home.nextOn(money(next.amounts.user, next.currency), formatDay(words, next.availableOn, today))}</p>`}
    <div class="acts">
      <a class="btn" href="${base}/redeem">${words.home.redeem}</a>
      <a class="btn ghost" href="${base}/purchases">${words.home.history}</a>
    </div>
  </section>`
}

// Decided claims are shown as news for this long.
const NEWS_DAYS = 7
const CLAIMS_SHOWN = 3

/** Renders upcoming terms, which can be accepted early, and recently decided claims. */
async function renderNews(visit: UserVisit, reader: Reader): Promise<Html[]> {
  const { publisher, user, words, base, now } = visit
  const filter = { userId: user.userId, status: null, kind: null, from: null, until: null }
  const paging = { page: 0, size: CLAIMS_SHOWN, offset: 0, sort: [] }
  const [documents, acceptances, claims] = await Promise.all([
    listDocuments(reader, publisher.id),
    listAcceptances(reader, publisher.id, [user.userId]),
    listClaims(reader, publisher.id, filter, paging),
  ])
  const accepted = new Set(acceptances.map(({ documentId }) => documentId))
  const announced = selectTermsAt(documents, now).announced.filter(({ documentId }) => !accepted.has(documentId))
  const since = now.getTime() - NEWS_DAYS * DAY_MS
  const decided = claims.filter(
    ({ status, decidedAt }) =>
      (status === 'granted' || status === 'declined') && decidedAt !== null && decidedAt.getTime() > since,
  )
  const terms = announced.map(
    (one) => html`<div class="note terms" role="status">
      <span>${words.home.newTerms(formatInstant(visit, one.requiredFrom))} ${changeText(visit, one)}</span>
      ${renderDocumentLink(one, words.home.readTerms)}
      <form method="post" action="${base}/terms">
        <input type="hidden" name="tnc_id" value="${one.documentId}" />
        <button class="btn small">${words.terms.accept}</button>
      </form>
    </div>`,
  )
  return [
    ...terms,
    ...decided.map(({ status, claimId }) => {
      const text = status === 'granted' ? words.home.granted : words.home.declined
      return note(text, `${base}/claims/${encodeId('clm', claimId)}`, words.home.seeClaim)
    }),
  ]
}

function note(text: string, address: string, link: string): Html {
  return html`<div class="note" role="status"><span>${text}</span><a href="${address}">${link}</a></div>`
}

function alert({ words, base }: UserVisit, bank: string): Html {
  return note(words.broken(bank), `${base}/cards`, words.fix)
}
