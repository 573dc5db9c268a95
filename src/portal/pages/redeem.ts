import { noBalances, readWallets } from '../../ledger/index.ts'
import {
  findDestination,
  listRedemptions,
  listRedemptionsById,
  listSteps,
  parseRedemptionId,
  type Redemption,
  redemptionNotFound,
  type StoredDestination,
} from '../../payouts/redemptions/index.ts'
import type { Reader } from '../../platform/db/database.ts'
import { encodeId, newUuid } from '../../platform/ids.ts'
import { formatDecimal } from '../../platform/money.ts'
import { type Html, html } from '../../platform/text/html.ts'
import { getCurrencies, getLimits, type PayoutMethod } from '../../tenants/publishers/index.ts'
import type { PageDeps, PortalFields, PortalPage, UserVisit } from '../visit.ts'
import { formatInstant, formatMinorMoney } from '../words/formats.ts'
import { findFault, getSentValue, renderFormFault, renderFormPage, renderTextInput, selectInput } from './fields.ts'
import { cutPage, readPaging } from './paging.ts'

/** Returns the requested currency if the publisher uses it, otherwise the publisher's first currency. */
export function pickCurrency({ publisher }: Pick<UserVisit, 'publisher'>, asked: string | undefined): string {
  return getCurrencies(publisher).find((one) => one === asked) ?? publisher.currency
}

/** Renders the available balance, the minimum and maximum to redeem, the payout method, and what happens next. */
export async function redeemPage(visit: UserVisit, { db }: PageDeps): Promise<PortalPage> {
  const { publisher, user, words, base, query, sent } = visit
  const [wallets, destination] = await Promise.all([
    readWallets(db.reader, publisher, [user.userId]),
    findDestination(db.reader, publisher.id, user.userId),
  ])
  const currency = pickCurrency(visit, sent?.values['currency'] ?? query['currency'])
  const balances = wallets.get(user.userId) ?? new Map()
  const { available } = balances.get(currency) ?? noBalances
  const money = (minor: bigint): string => formatMinorMoney(words, minor, currency)
  const least = getLimits(publisher, currency).redemptionMinimum
  const others = getCurrencies(publisher)
  const chips = others.map(
    (one) =>
      html`<a href="${base}/redeem?currency=${one}" ${one === currency && html`aria-current="true"`}>${formatMinorMoney(words, (balances.get(one) ?? noBalances).available, one)}</a>`,
  )
  const content = html`<section class="form">
    <h1>${words.redeem.title}</h1>
    ${others.length > 1 && html`<nav class="chips" aria-label="${words.redeem.balance}">${chips}</nav>`}
    ${renderFormFault(visit)}
    <div class="panel">
      <p class="amount">${money(available)}</p>
      <p>${words.home.ready}</p>
      ${available < least || available <= 0n ? html`<p class="why">${words.redeem.tooLittle(money(least))}</p>` : requestForm(visit, { currency, available, least }, destination)}
    </div>
    <p class="more"><a class="text" href="${base}/redemptions">${words.redeem.list}</a></p>
  </section>`
  return { title: words.redeem.title, tab: 'purchases', content }
}

type Redeemable = { readonly currency: string; readonly available: bigint; readonly least: bigint }

function requestForm(
  visit: UserVisit,
  { currency, available, least }: Redeemable,
  destination: StoredDestination | null,
): Html {
  const { words, base, publisher } = visit
  const { redemptionReviewAbove: above } = getLimits(publisher, currency)
  const money = (minor: bigint): string => formatMinorMoney(words, minor, currency)
  const methods = publisher.redemptionMethods.filter((method) => method !== 'gift_card')
  const decimals = formatDecimal(available, currency)
  const amount = renderTextInput(visit, {
    name: 'amount',
    label: words.redeem.howMuch,
    help: words.redeem.range(money(least), money(available)),
    value: words.locale.startsWith('en') ? decimals : decimals.replace('.', ','),
    attributes: html`inputmode="decimal" autocomplete="off" required`,
  })
  return html`<form method="post" action="${base}/redeem">
    <input type="hidden" name="ref" value="${getSentValue(visit, 'ref') ?? newUuid()}" />
    <input type="hidden" name="currency" value="${currency}" />
    ${amount}
    ${methodChoice(visit, methods, destination)}
    ${above !== null && html`<p class="help">${above === 0n ? words.redeem.reviewed : words.redeem.reviewedAbove(money(above))}</p>`}
    <div class="row"><button class="btn">${words.redeem.submit}</button></div>
  </form>`
}

function methodChoice(visit: UserVisit, methods: readonly PayoutMethod[], destination: StoredDestination | null): Html {
  const { words } = visit
  const fault = findFault(visit, 'method')
  const usable = methods.filter((method) => !needsAccount(method) || isAccount(destination))
  const chosen = getSentValue(visit, 'method') ?? usable[0]
  return html`<fieldset class="choices">
    <legend>${words.redeem.how}</legend>
    ${methods.map((method) => methodOption(visit, { method, isChosen: method === chosen }, destination))}
    ${fault !== null && html`<p class="error">${fault}</p>`}
  </fieldset>`
}

function methodOption(
  visit: UserVisit,
  { method, isChosen }: { readonly method: PayoutMethod; readonly isChosen: boolean },
  destination: StoredDestination | null,
): Html {
  const { words, base, name, now } = visit
  const { redeem } = words
  const isMissing = needsAccount(method) && !isAccount(destination)
  const id = `method-${method}`
  const usableFrom = destination !== null && destination.usableFrom > now ? destination.usableFrom : null
  const to = destination === null ? null : lastDigits(destination.mask)
  return html`<div class="choice">
    <input type="radio" name="method" id="${id}" value="${method}" ${isChosen && html`checked`} ${isMissing && html`disabled`} aria-describedby="${id}-help" />
    <label for="${id}">${redeem.methods[method](name)}${needsAccount(method) && to !== null && html` <span>${to}</span>`}</label>
    <p class="help" id="${id}-help">
      ${isMissing ? redeem.accountMissing : redeem.arrives[method](name)}
      ${usableFrom !== null && redeem.accountFrom(formatInstant(visit, usableFrom))}
      ${needsAccount(method) && html` <a class="text" href="${base}/redeem/account">${isMissing ? redeem.accountAdd : redeem.accountChange}</a>`}
    </p>
  </div>`
}

function needsAccount(method: PayoutMethod): boolean {
  return method === 'file' || method === 'simulated'
}

function isAccount(destination: StoredDestination | null): boolean {
  return destination !== null && destination.kind !== 'email'
}

/** Strips the text in front of a masked account's bullets and digits, because it is in English. */
function lastDigits(mask: string): string {
  return mask.slice(Math.max(0, mask.indexOf('•')))
}

/** Renders the payout account form: a US account or an IBAN, depending on the publisher's currencies. */
export function renderPayoutAccountPage(visit: UserVisit): PortalPage {
  const { words, base, publisher } = visit
  const { account } = words
  const types = getCurrencies(publisher).map((currency) => (currency === 'USD' ? 'us_bank_account' : 'iban'))
  const holder = renderTextInput(visit, {
    name: 'holder_name',
    label: account.holder,
    attributes: html`autocomplete="name" maxlength="140" required`,
  })
  const digits = html`inputmode="numeric" autocomplete="off" required`
  const details = {
    iban: html`${renderTextInput(visit, { name: 'iban', label: 'IBAN', attributes: html`autocomplete="off" maxlength="42" required` })}`,
    us_bank_account: html`${renderTextInput(visit, { name: 'routing_number', label: account.routing, help: account.routingHelp, attributes: digits })}
      ${renderTextInput(visit, { name: 'account_number', label: account.number, attributes: digits })}
      ${selectInput(visit, { name: 'account_type', label: account.type }, [
        { value: 'checking', text: account.checking },
        { value: 'savings', text: account.savings },
      ])}`,
  }
  const type = [...new Set(types)].find((one) => one === visit.query['type']) ?? types[0] ?? 'iban'
  const other = types.find((one) => one !== type)
  const content = html`<div class="panel">
      <p>${account.text}</p>
      ${publisher.destinationCoolDownHours > 0 && html`<p>${account.coolDown(String(publisher.destinationCoolDownHours))}</p>`}
      <form method="post" action="${base}/redeem/account?type=${type}">
        <input type="hidden" name="type" value="${type}" />
        ${holder}${details[type]}
        <div class="row"><a class="btn soft" href="${base}/redeem">${words.cancel}</a><button class="btn">${account.save}</button></div>
      </form>
    </div>
    ${other !== undefined && html`<p class="more"><a class="text" href="${base}/redeem/account?type=${other}">${other === 'iban' ? account.useIban : account.useUs}</a></p>`}`
  return renderFormPage(visit, account.title, content, 'you')
}

/** Renders the user's redemptions, newest first. */
export async function renderRedemptionsPage(visit: UserVisit, { db }: PageDeps): Promise<PortalPage> {
  const { publisher, user, words, base, name } = visit
  const filter = { userId: user.userId, status: null, method: null, externalRef: null, from: null, until: null }
  const found = await listRedemptions(db.reader, publisher.id, filter, readPaging(visit))
  const { rows, links } = cutPage(visit, '/redemptions', found)
  const items = rows.map(
    (one) => html`<li>
      <div>
        <b><a href="${base}/redemptions/${encodeId('rdm', one.redemptionId)}">${words.redeem.methods[one.method](name)}</a></b>
        <span>${formatInstant(visit, one.createdAt)}</span>
      </div>
      <div class="plus"><b>${formatMinorMoney(words, one.amount, one.currency)}</b><span>${words.redeem.status[one.status]}</span></div>
    </li>`,
  )
  const content = html`<h1>${words.redeem.list}</h1>
    ${items.length === 0 ? html`<p class="empty">${words.redeem.none} <a href="${base}/redeem">${words.redeem.title}</a></p>` : html`<ul class="list">${items}</ul>`}
    ${links}`
  return { title: words.redeem.list, tab: 'purchases', content }
}

/** @throws Refusal redemption_not_found, even if it is another user's */
export async function getOwnRedemption(
  { publisher, user }: UserVisit,
  reader: Reader,
  uid: string,
): Promise<Redemption> {
  const [found] = await listRedemptionsById(reader, publisher.id, [parseRedemptionId(uid)])
  if (found?.userId !== user.userId) throw redemptionNotFound()
  return found
}

/**
 * Renders one redemption with its status history.
 * @throws Refusal redemption_not_found, even if it is another user's
 */
export async function renderRedemptionPage(
  visit: UserVisit,
  { db }: PageDeps,
  { redemption_id: uid = '' }: PortalFields,
): Promise<PortalPage> {
  const { words, base, name } = visit
  const found = await getOwnRedemption(visit, db.reader, uid)
  const steps = await listSteps(db.reader, found)
  const { redeem } = words
  const mayCancel = found.status === 'requested' || found.status === 'approved'
  const rows = steps.map(
    ({ status, at }) => html`<li><b>${redeem.status[status]}</b> <span>${formatInstant(visit, at)}</span></li>`,
  )
  const content = html`<section class="panel purchase">
      <h1>${redeem.methods[found.method](name)}</h1>
      <p class="amount">${formatMinorMoney(words, found.amount, found.currency)}</p>
      <p><span class="pill ${found.status === 'paid' ? 'earned' : 'pending'}">${redeem.status[found.status]}</span></p>
      <p class="why">${redeem.next[found.status](name)}</p>
      ${found.status === 'sent' && found.method !== 'publisher' && html`<p>${redeem.arrives[found.method](name)}</p>`}
      ${found.payoutReference !== null && html`<p>${redeem.reference(found.payoutReference)}</p>`}
      <h2>${redeem.steps}</h2>
      <ol class="rules">${rows}</ol>
      ${mayCancel && html`<form method="post" action="${base}/redemptions/${uid}/cancel"><div class="row"><button class="btn soft">${redeem.cancel}</button></div></form>`}
    </section>
    <p class="more"><a class="btn soft" href="${base}/redemptions">${redeem.list}</a></p>`
  return { title: redeem.one, tab: 'purchases', content }
}
