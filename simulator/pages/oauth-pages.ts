import type { Institution } from '../institutions.ts'
import { listSharedAccounts } from '../linking.ts'
import type { Account, Item } from '../state.ts'
import { type Html, html } from './html.ts'
import type { Page } from './layout.ts'
import { accountBox, alert, bankPage, describeKind, linkPage, logo, otherBank } from './link-layout.ts'
import { canChooseAccounts } from './link-session.ts'
import type { LinkSession } from './session.ts'

/** Builds the provider's last page before the bank's own. */
export function leavingPage(session: LinkSession, bank: Institution): Page {
  const repairing = session.linkToken.itemId !== null
  return linkPage(
    repairing ? `Sign in to ${bank.name} again` : `Continue to ${bank.name}`,
    'Sign in',
    html`
    <div class="bank-head">${logo(bank)}<p class="lead">You sign in on the bank's own page and say there what
      ${session.linkToken.clientName} may see. Then you come back here.</p></div>
    <p><a class="button" id="to-bank" data-back="/link/${session.id}/return"
      data-target="${session.linkToken.redirectUri === null ? 'window' : 'top'}"
      href="/oauth/${session.id}/sign-in?institution_id=${bank.id}">Go to ${bank.name}</a></p>
    <p class="quiet" id="at-bank" role="status" hidden>Continue in the bank's window. This page resumes by itself.</p>
    ${!repairing && otherBank(session)}`,
  )
}

/** Builds the bank's consent page: what is shared, with whom, and for how long. */
export function consentPage(session: LinkSession, bank: Institution, item: Item, fault: string | null): Page {
  const { clientName } = session.linkToken
  const choosing = canChooseAccounts(session)
  const accounts = choosing ? item.accounts : listSharedAccounts(item)
  return bankPage(
    bank,
    `Let ${clientName} see your accounts?`,
    html`${alert(fault)}
    <form method="post" action="/oauth/${session.id}/consent">
      <fieldset><legend>Accounts</legend>
        ${choosing ? accounts.map((account) => accountBox(account, account.shared && fault === null)) : html`<ul class="shared">${accounts.map(accountLine)}</ul>`}
      </fieldset>
      <h2>What is shared</h2>
      <ul class="shared">
        <li>the names of the accounts and their last digits</li>
        <li>purchases and refunds: date, amount, merchant and place</li>
        <li>no password; money cannot be moved</li>
      </ul>
      <p class="quiet">You can take this back here at the bank at any time. It must be renewed after twelve months.</p>
      <div class="choices">
        <button type="submit" name="answer" value="allow">Allow</button>
        <button type="submit" name="answer" value="deny" class="plain" formnovalidate>Do not allow</button>
      </div>
    </form>`,
  )
}

/**
 * Builds a page that redirects automatically. It is needed because the policy does not allow a form to submit to
 * another site.
 */
export function goingBackPage(session: LinkSession, bank: Institution, address: string): Page {
  return bankPage(
    bank,
    'Returning',
    html`<p class="lead" role="status">You are done at the bank. Returning to ${session.linkToken.clientName}.</p>
    <p><a class="button" id="onward" href="${address}">Continue</a></p>`,
  )
}

export function deniedPage(session: LinkSession, bank: Institution): Page {
  return tryAgainPage(
    session,
    bank,
    `You did not allow ${session.linkToken.clientName} to see anything at ${bank.name}.`,
  )
}

/**
 * Builds the page shown when no shared account can be used. The client's filters apply only after the bank's page, so
 * the user may have shared only excluded accounts.
 */
export function noAccountsPage(session: LinkSession, bank: Institution): Page {
  return tryAgainPage(
    session,
    bank,
    `None of the accounts you shared from ${bank.name} can be connected. Try again and share a card account as well.`,
  )
}

function tryAgainPage(session: LinkSession, bank: Institution, text: string): Page {
  return linkPage(
    'Nothing is connected',
    'Cards',
    html`<p class="lead" role="alert">${text}</p>
    <p><a class="button" href="/link/${session.id}/sign-in?institution_id=${bank.id}">Try again</a></p>
    ${session.linkToken.itemId === null && otherBank(session)}`,
  )
}

function accountLine(account: Account): Html {
  return html`<li>${account.name} <span class="quiet">${describeKind(account)}</span></li>`
}
