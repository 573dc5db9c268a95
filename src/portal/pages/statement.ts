import { readStatement } from '../../data/reports/index.ts'
import type { AccountLine, UserAmounts } from '../../ledger/index.ts'
import { addDays, toDay } from '../../platform/calendar.ts'
import { encodeId } from '../../platform/ids.ts'
import { type Html, html } from '../../platform/text/html.ts'
import type { PageDeps, PortalPage, UserVisit } from '../visit.ts'
import { formatInstant, formatMinorMoney, formatMonth, formatSignedMoney } from '../words/formats.ts'
import { pickCurrency } from './redeem.ts'

const LINES_MAX = 200

/** Renders every change to the user's balances in a month, with the opening and closing balances. */
export async function renderStatementPage(visit: UserVisit, { db, parts }: PageDeps): Promise<PortalPage> {
  const { publisher, user, words, base, query } = visit
  const asked = query['month'] ?? ''
  // Booking times are real time, even in a sandbox whose clock was advanced.
  const present = toDay(parts.clock.now(), publisher.timeZone).slice(0, 7)
  const month = /^[12]\d{3}-(0[1-9]|1[0-2])$/.test(asked) && asked <= present ? asked : present
  const currency = pickCurrency(visit, query['currency'])
  const startDate = `${month}-01`
  const next = addDays(startDate, 31).slice(0, 7)
  const before = addDays(startDate, -1).slice(0, 7)
  const period = { startDate, endDate: addDays(`${next}-01`, -1) }
  const paging = { after: query['after'] ?? null, limit: LINES_MAX }
  const read = (after: string | null) =>
    readStatement(db, publisher, user.publisherUserId, { currency, ...period, ...paging, after })
  // If `after` is not a line of this user's statement, the month starts from the beginning.
  const statement = (await read(paging.after)) ?? (await read(null))
  const address = (changes: Readonly<Record<string, string>>): string =>
    `${base}/statement?${new URLSearchParams({ month, currency, ...changes })}`
  const lines = statement?.lines ?? []
  const last = lines.at(-1)
  const content = html`<section class="form">
    <h1>${words.statement.title}</h1>
    <div class="head"><h2>${formatMonth(words, month)}</h2></div>
    <div class="panel">
      ${statement !== null && balances(visit, words.statement.opening, statement.opening, currency)}
      ${statement !== null && balances(visit, words.statement.closing, statement.closing, currency)}
    </div>
    ${lines.length === 0 ? html`<p class="empty">${words.statement.none}</p>` : html`<ul class="list">${lines.map((line) => renderLine(visit, line, currency, statement?.shops.get(line.causeId) ?? null))}</ul>`}
    <p class="more">
      <a class="btn soft" href="${address({ month: before })}">${formatMonth(words, before)}</a>
      ${month < present && html`<a class="btn soft" href="${address({ month: next })}">${formatMonth(words, next)}</a>`}
      ${statement?.hasMore === true && last !== undefined && html`<a class="btn soft" href="${address({ after: encodeId('jnl', last.journalId) })}">${words.statement.more}</a>`}
    </p>
    <p class="help">${words.statement.help}</p>
  </section>`
  return { title: words.statement.title, tab: 'purchases', content }
}

const AMOUNTS = ['pending', 'available', 'held', 'debt'] as const

function balances({ words }: UserVisit, title: string, amounts: UserAmounts, currency: string): Html {
  const shown = AMOUNTS.filter((name) => name === 'available' || amounts[name] !== 0n)
  return html`<p class="facts-line"><b>${title}</b> <span>${shown.map((name) => `${words.statement.amounts[name]} ${formatMinorMoney(words, amounts[name], currency)}`).join(' · ')}</span></p>`
}

function renderLine(visit: UserVisit, line: AccountLine, currency: string, shop: string | null): Html {
  const { words, base } = visit
  const changed = AMOUNTS.filter((name) => line.changes[name] !== 0n)
  const text = words.statement.kinds[line.kind]
  const isPurchase = line.kind === 'accrual' || line.kind === 'maturity' || line.kind === 'clawback'
  const isRedemption = line.kind.startsWith('redemption_')
  const address = isPurchase
    ? `${base}/purchases/${encodeId('txn', line.causeId)}`
    : `${base}/redemptions/${encodeId('rdm', line.causeId)}`
  return html`<li>
    <div>
      <b>${isPurchase || isRedemption ? html`<a href="${address}">${text}</a>` : text}</b>
      <span>${formatInstant(visit, line.bookedAt)}${isPurchase && shop !== null && ` · ${shop}`}</span>
    </div>
    <div class="plus">${changed.map((name) => html`<span class="change">${words.statement.amounts[name]} ${formatSignedMoney(words, line.changes[name], currency)}</span>`)}</div>
  </li>`
}
