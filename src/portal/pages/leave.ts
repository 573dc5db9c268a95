import { noBalances, readWallets } from '../../ledger/index.ts'
import { type Html, html } from '../../platform/text/html.ts'
import { getCurrencies } from '../../tenants/publishers/index.ts'
import type { PageDeps, PortalPage, UserVisit } from '../visit.ts'
import { formatMinorMoney } from '../words/formats.ts'
import { renderFormPage, renderTextInput } from './fields.ts'

/** Renders the consequences of deleting the account, and the word that the user must type to confirm. */
export async function renderLeavePage(visit: UserVisit, { db }: PageDeps): Promise<PortalPage> {
  const { publisher, user, words, base, name } = visit
  const { leave } = words
  const wallet = (await readWallets(db.reader, publisher, [user.userId])).get(user.userId) ?? new Map()
  const left = getCurrencies(publisher).flatMap((currency): Html[] => {
    const { available, pending } = wallet.get(currency) ?? noBalances
    const sum = available + pending
    return sum > 0n ? [html`<p class="note">${leave.lost(formatMinorMoney(words, sum, currency))}</p>`] : []
  })
  const content = html`${left}
    <div class="panel">
      <p>${leave.text(name)}</p>
      <ul class="rules">${leave.what.map((one) => html`<li>${one}</li>`)}</ul>
      <form method="post" action="${base}/you/delete">
        ${renderTextInput(visit, { name: 'confirm', label: leave.type(leave.word), attributes: html`autocomplete="off" autocapitalize="off" required` })}
        <div class="row"><a class="btn soft" href="${base}/you">${words.cancel}</a><button class="btn danger">${leave.button}</button></div>
      </form>
    </div>`
  return renderFormPage(visit, leave.title, content, 'you')
}
