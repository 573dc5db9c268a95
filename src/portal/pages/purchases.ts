import { encodeId } from '../../platform/ids.ts'
import { type Html, html } from '../../platform/text/html.ts'
import {
  buildUserView,
  findTransactions,
  getDecision,
  getTransaction,
  type Transaction,
  transactionNotFound,
} from '../../purchases/transactions/index.ts'
import type { PageDeps, PortalFields, PortalPage, UserVisit } from '../visit.ts'
import { formatDay, formatInstant, formatMinorMoney, formatMoney, formatPercent } from '../words/formats.ts'
import { describeReason } from '../words/reasons.ts'
import { renderInitials } from './icons.ts'
import { cutPage, readPaging } from './paging.ts'

/** Renders all purchases reported for the user, newest first. */
export async function renderPurchasesPage(visit: UserVisit, { db, browsing }: PageDeps): Promise<PortalPage> {
  const { publisher, user, words, base } = visit
  const filter = { userId: user.userId, status: null, searchText: null, from: null, until: null }
  const found = await findTransactions(db.reader, publisher.id, filter, readPaging(visit))
  const { rows, links } = cutPage(visit, '/purchases', found.rows)
  const content = html`<h1>${words.purchases.title}</h1>
    <nav class="chips" aria-label="${words.purchases.more}">
      <a href="${base}/redeem">${words.redeem.title}</a>
      <a href="${base}/redemptions">${words.redeem.list}</a>
      <a href="${base}/gift-cards">${words.giftCards.title}</a>
      <a href="${base}/statement">${words.statement.title}</a>
      <a href="${base}/claims/new">${words.claims.missing}</a>
      <a href="${base}/claims">${words.claims.title}</a>
    </nav>
    ${rows.length === 0 ? html`<p class="empty">${words.purchases.none} <a href="${base}/offers">${words.home.browse}</a></p>` : await renderPurchaseList(visit, { browsing }, rows)}
    ${links}`
  return { title: words.purchases.title, tab: 'purchases', content }
}

export async function renderPurchaseList(
  visit: UserVisit,
  { browsing }: Pick<PageDeps, 'browsing'>,
  rows: readonly Transaction[],
): Promise<Html> {
  const { words, base } = visit
  const names = await browsing.readNames(visit.publisher, rows)
  const items = rows.map((row) => {
    const shop = describeShop(visit, row, names)
    const reward = row.amounts.user + row.amounts.discount
    return html`<li>
      ${renderInitials(shop, 'mono')}
      <div>
        <b><a href="${base}/purchases/${encodeId('txn', row.transactionId)}">${shop}</a></b>
        <span>${formatInstant(visit, row.authorizedAt)} · ${words.purchases.status[row.status]}</span>
      </div>
      <div class="plus">
        <b ${reward <= 0n && html`class="plain-amount"`}>${row.status === 'CANCELLED' ? '–' : formatMinorMoney(words, reward, row.currency)}</b>
        <span>${formatMinorMoney(words, computePaid(row), row.currency)}</span>
      </div>
    </li>`
  })
  return html`<ul class="list">${items}</ul>`
}

/**
 * Renders what a purchase earns and why, or what is missing.
 * @throws Refusal transaction_not_found, even if it is another user's
 */
export async function renderPurchasePage(
  visit: UserVisit,
  { db, browsing }: PageDeps,
  { transaction_uid: uid = '' }: PortalFields,
): Promise<PortalPage> {
  const { publisher, user, words, base, today } = visit
  const row = await getTransaction(db.reader, publisher, uid)
  if (row.userId !== user.userId) throw transactionNotFound()
  const explained = await getDecision(db.reader, publisher, row, visit.now)
  const view = buildUserView(explained)
  const reason = describeReason({ words, today, currency: row.currency }, explained)
  const shop = describeShop(visit, row, await browsing.readNames(publisher, [row]))
  const money = (amount: string): string => formatMoney(words, amount, row.currency)
  const isDiscount = row.amounts.discount > 0n
  const sentences = view.steps.map(({ step, amount, rate_percent }) => {
    if (step === 'limited') return words.purchases.limited
    if (step === 'rate' && rate_percent === undefined) return words.purchases.fixed
    if (step === 'rate') {
      const text = isDiscount ? words.purchases.discountRate : words.purchases.rate
      return text(formatPercent(words, rate_percent ?? 0), money(amount))
    }
    if (step === 'reward') return (isDiscount ? words.purchases.discount : words.purchases.reward)(money(amount))
    return words.purchases[step](money(amount))
  })
  const bought = formatInstant(visit, row.authorizedAt)
  const ready = row.availableOn !== null && row.status !== 'CANCELLED' ? formatDay(words, row.availableOn, today) : null
  const reward = formatMinorMoney(words, row.amounts.user + row.amounts.discount, row.currency)
  const content = html`<section class="panel purchase">
      ${renderInitials(shop, 'mono')}
      <h1>${shop}</h1>
      <p>${isRefundAlone(row) ? bought : words.purchases.bought(bought)} · ${formatMinorMoney(words, computePaid(row), row.currency)}</p>
      <p class="amount">${row.status === 'CANCELLED' ? words.purchases.status.CANCELLED : reward}</p>
      ${row.status !== 'CANCELLED' && html`<p><span class="pill ${row.status.toLowerCase()}">${words.purchases.status[row.status]}</span></p>`}
      ${reason !== null && html`<p class="why">${reason}</p>`}
      ${ready !== null && html`<p>${row.status === 'EARNED' ? words.purchases.readySince(ready) : words.purchases.readyOn(ready)}</p>`}
      ${sentences.length > 0 && html`<h2>${words.purchases.why}</h2><ol class="rules">${sentences.map((sentence) => html`<li>${sentence}</li>`)}</ol>`}
    </section>
    <p class="more">
      <a class="btn soft" href="${base}/purchases">${words.purchases.back}</a>
      <a class="btn soft" href="${base}/claims/new?purchase=${uid}">${words.claims.ofPurchase}</a>
    </p>`
  return { title: shop, tab: 'purchases', content }
}

/** Returns the brand's name, falling back to the text on the card statement. */
export function describeShop({ words }: UserVisit, row: Transaction, names: ReadonlyMap<string, string>): string {
  const brand = row.brandUid === null ? undefined : names.get(row.brandUid)
  const { refund, unknownShop } = words.purchases
  return brand ?? row.merchantName ?? row.merchantDescriptor ?? (isRefundAlone(row) ? refund : unknownShop)
}

/** Returns true for a refund whose purchase is unknown. */
const isRefundAlone = ({ statusReason }: Transaction): boolean => statusReason === 'original_unknown'

const computePaid = (row: Transaction): bigint => (isRefundAlone(row) ? -row.refunded : row.amount)
