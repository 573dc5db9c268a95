import { addDays, isDay, startOfDay } from '../../platform/calendar.ts'
import type { Reader } from '../../platform/db/database.ts'
import { encodeId, newUuid } from '../../platform/ids.ts'
import { type Html, html } from '../../platform/text/html.ts'
import { type Claim, claimIdIn, claimNotFound, findClaim, listClaims, listNotes } from '../../purchases/claims/index.ts'
import {
  getTransaction,
  listPurchasesAround,
  type Transaction,
  transactionNotFound,
} from '../../purchases/transactions/index.ts'
import type { PageDeps, PortalFields, PortalPage, UserVisit } from '../visit.ts'
import { formatDay, formatInstant, formatMinorMoney } from '../words/formats.ts'
import { getSentValue, renderFormFault, renderFormPage, renderTextArea, renderTextInput } from './fields.ts'
import { cutPage, readPaging } from './paging.ts'
import { describeShop, renderPurchaseList } from './purchases.ts'

// People misremember dates, and cards are often charged days after the purchase.
const DAYS_AROUND = 5
const CANDIDATES_MAX = 5

/** Renders the user's claims, newest first. */
export async function renderClaimsPage(visit: UserVisit, { db }: PageDeps): Promise<PortalPage> {
  const { publisher, user, words, base } = visit
  const filter = { userId: user.userId, status: null, kind: null, from: null, until: null }
  const found = await listClaims(db.reader, publisher.id, filter, readPaging(visit))
  const { rows, links } = cutPage(visit, '/claims', found)
  const items = rows.map(
    (claim) => html`<li>
      <div>
        <b><a href="${base}/claims/${encodeId('clm', claim.claimId)}">${claim.merchant ?? words.claims.kinds[claim.kind]}</a></b>
        <span>${formatClaimDay(visit, claim)}</span>
      </div>
      <div class="plus">
        <b class="plain-amount">${claim.amount === null || claim.currency === null ? '' : formatMinorMoney(words, claim.amount, claim.currency)}</b>
        <span>${words.claims.status[claim.status]}</span>
      </div>
    </li>`,
  )
  const content = html`<h1>${words.claims.title}</h1>
    <div class="row start"><a class="btn" href="${base}/claims/new">${words.claims.missing}</a></div>
    ${items.length === 0 ? html`<p class="empty">${words.claims.none}</p>` : html`<ul class="list">${items}</ul>`}
    ${links}`
  return { title: words.claims.title, tab: 'purchases', content }
}

function formatClaimDay(visit: UserVisit, { purchaseDate, createdAt }: Claim): string {
  return purchaseDate === null ? formatInstant(visit, createdAt) : formatDay(visit.words, purchaseDate, visit.today)
}

/**
 * Renders the form for a new claim about the purchase in the query string, or about a missing one. For a missing
 * purchase, first asks for the day, because most users then find the purchase themselves.
 * @throws Refusal transaction_not_found, even if it is another user's
 */
export async function renderNewClaimPage(visit: UserVisit, pages: PageDeps): Promise<PortalPage> {
  const { words, query, today } = visit
  const uid = getSentValue(visit, 'transaction_uid') ?? query['purchase']
  if (uid !== undefined && uid !== '') return renderPurchaseClaim(visit, pages, uid)
  const day = getSentValue(visit, 'purchase_date') ?? query['day'] ?? ''
  const isGiven = isDay(day) && day <= today
  const content = isGiven ? await missingPurchase(visit, pages, day) : dayForm(visit)
  return renderFormPage(visit, words.claims.missing, content, 'purchases')
}

function dayForm({ words, base, today }: UserVisit): Html {
  return html`<div class="panel">
    <p>${words.claims.dayFirst}</p>
    <form method="get" action="${base}/claims/new">
      <div class="field"><label for="day">${words.claims.day}</label><input id="day" name="day" type="date" max="${today}" required /></div>
      <div class="row"><button class="btn">${words.claims.next}</button></div>
    </form>
  </div>`
}

async function missingPurchase(visit: UserVisit, { db, browsing }: PageDeps, day: string): Promise<Html> {
  const { publisher, user, words, base, today } = visit
  const zone = publisher.timeZone
  const around = {
    userId: user.userId,
    brandUid: null,
    at: startOfDay(day, zone),
    limit: CANDIDATES_MAX,
    from: startOfDay(addDays(day, -DAYS_AROUND), zone),
    until: startOfDay(addDays(day, DAYS_AROUND + 1), zone),
  }
  const candidates = await listPurchasesAround(db.reader, publisher.id, around)
  const known = await renderPurchaseList(visit, { browsing }, candidates)
  return html`${candidates.length > 0 && html`<div class="head"><h2>${words.claims.isIt}</h2></div><p class="help">${words.claims.isItText}</p>${known}<div class="head"><h2>${words.claims.isNot}</h2></div>`}
    <div class="panel">
      <p>${words.claims.bought(formatDay(words, day, today))} <a class="text" href="${base}/claims/new">${words.claims.otherDay}</a></p>
      <form method="post" action="${base}/claims" ${draftAttribute(visit)}>
        <input type="hidden" name="ref" value="${getSentValue(visit, 'ref') ?? newUuid()}" />
        <input type="hidden" name="kind" value="missing" />
        <input type="hidden" name="purchase_date" value="${day}" />
        ${renderTextInput(visit, { name: 'merchant', label: words.claims.merchant, attributes: html`maxlength="255" required` })}
        ${renderTextInput(visit, { name: 'amount', label: words.claims.amount(publisher.currency), attributes: html`inputmode="decimal" autocomplete="off" required` })}
        ${renderTextInput(visit, { name: 'order_id', label: words.claims.order, help: words.optional, attributes: html`maxlength="255" autocomplete="off"` })}
        ${evidence(visit)}
      </form>
    </div>`
}

async function renderPurchaseClaim(visit: UserVisit, { db, browsing }: PageDeps, uid: string): Promise<PortalPage> {
  const { publisher, words, base } = visit
  const row = await getOwnPurchase(visit, db.reader, uid)
  const list = await renderPurchaseList(visit, { browsing }, [row])
  const title = words.claims.kinds[row.status === 'CANCELLED' ? 'declined' : 'incorrect']
  const shop = describeShop(visit, row, await browsing.readNames(publisher, [row]))
  const content = html`${list}
    <div class="panel">
      <form method="post" action="${base}/claims" ${draftAttribute(visit)}>
        <input type="hidden" name="ref" value="${getSentValue(visit, 'ref') ?? newUuid()}" />
        <input type="hidden" name="transaction_uid" value="${uid}" />
        <input type="hidden" name="merchant" value="${shop}" />
        ${evidence(visit)}
      </form>
    </div>`
  return renderFormPage(visit, title, content, 'purchases')
}

/** Renders the attribute that identifies the user whose draft the script saves. */
function draftAttribute({ user }: UserVisit): Html {
  return html`data-draft="${encodeId('usr', user.userId)}"`
}

function evidence(visit: UserVisit): Html {
  const { words, base } = visit
  return html`${renderTextArea(visit, { name: 'evidence', label: words.claims.evidence, help: words.claims.evidenceHelp, attributes: html`maxlength="4000" required` })}
    <div class="row"><a class="btn soft" href="${base}/claims">${words.cancel}</a><button class="btn">${words.claims.send}</button></div>`
}

/** @throws Refusal transaction_not_found, even if it is another user's */
export async function getOwnPurchase(
  { publisher, user }: UserVisit,
  reader: Reader,
  uid: string,
): Promise<Transaction> {
  const row = await getTransaction(reader, publisher, uid)
  if (row.userId !== user.userId) throw transactionNotFound()
  return row
}

/** @throws Refusal claim_not_found, even if it is another user's */
export async function getOwnClaim({ publisher, user }: UserVisit, reader: Reader, uid: string): Promise<Claim> {
  const claim = await findClaim(reader, publisher.id, claimIdIn(uid))
  if (claim?.userId !== user.userId) throw claimNotFound()
  return claim
}

/**
 * Renders one claim with its decision and its notes.
 * @throws Refusal claim_not_found, even if it is another user's
 */
export async function claimPage(
  visit: UserVisit,
  { db }: PageDeps,
  { claim_id: uid = '' }: PortalFields,
): Promise<PortalPage> {
  const { words, base, name } = visit
  const { claims } = words
  const claim = await getOwnClaim(visit, db.reader, uid)
  const notes = await listNotes(db.reader, claim)
  const authors: Readonly<Record<string, string>> = { user: claims.you, publisher: name }
  const purchase = claim.grantedTransactionId ?? claim.transactionId
  const content = html`<section class="panel purchase">
      <h1>${claim.merchant ?? claims.kinds[claim.kind]}</h1>
      <p>${claims.kinds[claim.kind]} · ${formatClaimDay(visit, claim)}${claim.amount !== null && claim.currency !== null && html` · ${formatMinorMoney(words, claim.amount, claim.currency)}`}</p>
      <p><span class="pill ${claim.status === 'granted' ? 'earned' : 'pending'}">${claims.status[claim.status]}</span></p>
      <p class="why">${claims.statusText[claim.status](formatInstant(visit, claim.deadline))}</p>
      ${claim.reason !== null && html`<p class="why">${claims.reasons[claim.reason]}</p>`}
      ${claim.reasonText !== null && html`<p class="why">${claim.reasonText}</p>`}
      ${purchase !== null && html`<p><a class="text" href="${base}/purchases/${encodeId('txn', purchase)}">${claims.toPurchase}</a></p>`}
      ${notes.length > 0 && html`<h2>${claims.notes}</h2>`}
      ${notes.map(({ author, text, at }) => html`<div class="letter"><b>${authors[author] ?? claims.team}</b> <span>${formatInstant(visit, at)}</span><p>${text}</p></div>`)}
      ${claim.status === 'open' && answerForm(visit, uid)}
    </section>
    <p class="more"><a class="btn soft" href="${base}/claims">${claims.title}</a></p>`
  return { title: claims.one, tab: 'purchases', content }
}

function answerForm(visit: UserVisit, uid: string): Html {
  const { words, base } = visit
  return html`${renderFormFault(visit)}
    <form method="post" action="${base}/claims/${uid}/notes" ${draftAttribute(visit)}>
      ${renderTextArea(visit, { name: 'text', label: words.claims.add, attributes: html`maxlength="4000" required` })}
      <div class="row"><button class="btn">${words.claims.send}</button></div>
    </form>
    <details>
      <summary>${words.claims.withdraw}</summary>
      <p>${words.claims.withdrawText}</p>
      <form class="unlink" method="post" action="${base}/claims/${uid}/withdraw"><button class="btn soft">${words.claims.withdraw}</button></form>
    </details>`
}
