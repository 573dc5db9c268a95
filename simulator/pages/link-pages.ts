import { filterAccounts } from '../accounts.ts'
import { getInstitution, type Institution } from '../institutions.ts'
import type { Item } from '../state.ts'
import { type Html, html } from './html.ts'
import type { Page } from './layout.ts'
import { accountBox, alert, linkPage, logo, otherBank } from './link-layout.ts'
import type { LinkSession } from './session.ts'

/** States who requests access, to what, and what the access excludes. */
export function consentPage({ id, linkToken }: LinkSession): Page {
  const { clientName } = linkToken
  return linkPage(
    `${clientName} would like to connect your cards`,
    null,
    html`
    <p class="lead">You choose your bank, sign in there, and say which cards and accounts ${clientName} may see.</p>
    <ul class="shared">
      <li>It sees their names, last digits, and purchases and refunds.</li>
      <li>It never sees your password, and cannot move money.</li>
      <li>You can end this at any time, in ${clientName} or at your bank.</li>
    </ul>
    <p><a class="button" href="/link/${id}/bank">Continue</a></p>`,
  )
}

/** Lists all banks on one page. The search box filters the list as the user types or, without scripts, on submit. */
export function banksPage(session: LinkSession, banks: readonly Institution[], search: string): Page {
  return linkPage(
    'Choose your bank',
    'Bank',
    html`
    <form method="get" role="search">
      <label for="search">Search for your bank</label>
      <input id="search" name="q" type="search" value="${search}" autocomplete="off" data-focus>
    </form>
    <ul class="banks" id="banks">
      ${banks.map((bank) => bankEntry(session, bank))}
    </ul>
    <p class="quiet" id="no-banks" ${banks.length > 0 && html`hidden`}>No bank has that name.</p>`,
  )
}

export function named(search: string): (bank: Institution) => boolean {
  const wanted = search.trim().toLowerCase()
  return ({ name }) => name.toLowerCase().includes(wanted)
}

function bankEntry(session: LinkSession, bank: Institution): Html {
  return html`<li><a href="/link/${session.id}/sign-in?institution_id=${bank.id}">
    ${logo(bank)}<span>${bank.name}</span></a></li>`
}

/** Lists the accounts to choose from. In update mode, those already shared are selected. After an error, none are. */
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
      itemId === null ? `Share these with ${clientName}?` : `Select what ${clientName} may see from now on.`
    }</p></div>
    ${alert(fault)}
    <form method="post" action="/link/${session.id}/accounts">
      <fieldset><legend>Cards and accounts at ${bank.name}</legend>
        ${accounts.map((account) => accountBox(account, account.shared && fault === null))}
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

/**
 * Builds an error page. The script shows the close button only in an iframe, because a separate window has no app
 * behind it.
 */
export function faultPage(text: string, title = 'This link does not work'): Page {
  return linkPage(
    title,
    null,
    html`<p class="lead" role="alert">${text}</p>
    <button type="button" id="close" hidden>Close</button>`,
  )
}
