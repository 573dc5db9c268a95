import { filterAccounts } from '../accounts.ts'
import { getInstitution, INSTITUTIONS, type Institution } from '../institutions.ts'
import type { Item } from '../state.ts'
import { type Html, html } from './html.ts'
import type { Page } from './layout.ts'
import { accountBox, alert, linkPage, logo, otherBank } from './link-layout.ts'
import type { LinkSession } from './link-session.ts'

/** Every bank at once; the box narrows the list as one types, and by itself when scripts are off. */
export function banksPage(session: LinkSession, search: string): Page {
  const wanted = search.trim().toLowerCase()
  const banks = INSTITUTIONS.filter(({ name }) => name.toLowerCase().includes(wanted))
  return linkPage(
    'Choose your bank',
    'Bank',
    html`
    <p class="lead">${session.linkToken.clientName} uses this page to connect your cards.</p>
    <form method="get" role="search">
      <label for="search">Search for your bank</label>
      <input id="search" name="q" type="search" value="${search}" autocomplete="off" autofocus>
    </form>
    <ul class="banks" id="banks">
      ${banks.map((bank) => bankEntry(session, bank))}
    </ul>
    <p class="quiet" id="no-banks" ${banks.length > 0 && html`hidden`}>No bank has that name.</p>`,
  )
}

function bankEntry(session: LinkSession, bank: Institution): Html {
  return html`<li><a href="/link/${session.id}/sign-in?institution_id=${bank.id}">
    ${logo(bank)}<span>${bank.name}</span></a></li>`
}

/** In update mode the accounts that are shared already are ticked, and others may be added. */
export function accountsPage(session: LinkSession, item: Item, fault: string | null): Page {
  const bank = getInstitution(item.institutionId)
  const { clientName, accountFilters, itemId } = session.linkToken
  const accounts = filterAccounts(item.accounts, accountFilters)
  if (accounts.length === 0) return noneToConnectPage(session, bank)
  return linkPage(
    'Choose your cards',
    'Cards',
    html`
    <div class="bank-head">${logo(bank)}<p class="lead">${
      itemId === null ? `Share these with ${clientName}?` : `Tick what ${clientName} may see from now on.`
    }</p></div>
    ${alert(fault)}
    <form method="post" action="/link/${session.id}/accounts">
      <fieldset><legend>Cards and accounts at ${bank.name}</legend>
        ${accounts.map(accountBox)}
      </fieldset>
      <button type="submit">Continue</button>
    </form>`,
  )
}

function noneToConnectPage(session: LinkSession, bank: Institution): Page {
  return linkPage(
    'Nothing to connect',
    'Cards',
    html`<p class="lead" role="alert">${bank.name} has no account of a kind that ${session.linkToken.clientName} can
      use.</p>
    ${session.linkToken.itemId === null && otherBank(session)}`,
  )
}

export function faultPage(text: string, title = 'This link does not work'): Page {
  return linkPage(title, null, html`<p class="lead" role="alert">${text}</p>`)
}
