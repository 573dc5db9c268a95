import { filterAccounts } from '../accounts.ts'
import { getInstitution, INSTITUTIONS, type Institution } from '../institutions.ts'
import { logoOf } from '../logo.ts'
import type { Account, Item } from '../state.ts'
import { type Html, html } from './html.ts'
import type { Page } from './layout.ts'
import type { LinkResult, LinkSession } from './link-session.ts'

const STEPS = ['Bank', 'Sign in', 'Cards', 'Done'] as const

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

export function signInPage(session: LinkSession, bank: Institution, username: string, fault: string | null): Page {
  const repairing = session.linkToken.itemId !== null
  return linkPage(
    repairing ? `Sign in to ${bank.name} again` : `Sign in to ${bank.name}`,
    'Sign in',
    html`
    <div class="bank-head">${logo(bank)}<p class="lead">${introduction(bank, repairing)}</p></div>
    ${alert(fault)}
    <form method="post" action="/link/${session.id}/sign-in">
      <input type="hidden" name="institution_id" value="${bank.id}">
      <label for="username">Username</label>
      <input id="username" name="username" value="${username}" required autocomplete="off" autocapitalize="none"
        spellcheck="false" ${username === '' && html`autofocus`}>
      <label for="password">Password</label>
      <input id="password" name="password" type="password" required autocomplete="off"
        ${username !== '' && html`autofocus`}>
      <p class="hint">Try <code>user_good</code> with <code>pass_good</code>. Any other username works with that
        password too, and has accounts of its own.</p>
      <button type="submit">Sign in</button>
    </form>
    ${!repairing && html`<p><a href="/link/${session.id}/bank">Choose another bank</a></p>`}`,
  )
}

function introduction(bank: Institution, repairing: boolean): string {
  if (repairing) return 'The bank no longer takes the old sign-in. Sign in once more to go on collecting rewards.'
  return bank.oauth
    ? 'This bank signs you in on its own page, which this one plays.'
    : 'Enter your details at the bank.'
}

export function accountsPage(session: LinkSession, item: Item, fault: string | null): Page {
  const bank = getInstitution(item.institutionId)
  const accounts = filterAccounts(item.accounts, session.linkToken.accountFilters)
  if (accounts.length === 0) return faultPage(`${bank.name} has no account of a kind that can be connected.`)
  return linkPage(
    'Choose your cards',
    'Cards',
    html`
    <div class="bank-head">${logo(bank)}<p class="lead">Share these with ${session.linkToken.clientName}?</p></div>
    ${alert(fault)}
    <form method="post" action="/link/${session.id}/accounts">
      <fieldset><legend>Cards and accounts at ${bank.name}</legend>
        ${accounts.map(accountEntry)}
      </fieldset>
      <button type="submit">Continue</button>
    </form>`,
  )
}

function accountEntry({ accountId, name, mask, subtype, shared }: Account): Html {
  return html`<label class="account">
    <input type="checkbox" name="account_id" value="${accountId}" ${shared && html`checked`}>
    <span class="account-name">${name}</span>
    <span class="quiet">${subtype}${mask === null ? '' : ` ending in ${mask}`}</span>
  </label>`
}

/** The result stands in a data attribute, from which the script hands it over; the policy allows no inline script. */
export function donePage(session: LinkSession, result: LinkResult, serviceUrl: string): Page {
  const onward = onwardAddress(session, result)
  return linkPage(
    'You are connected',
    'Done',
    html`
    <p class="lead" role="status">${result.institution.name} is connected. You can close this window.</p>
    <div id="result" data-result="${JSON.stringify(result)}" data-onward="${onward ?? ''}"></div>
    ${onward !== null && html`<p><a class="button" href="${onward}">Go on</a></p>`}
    <ul class="shared">${result.accounts.map(({ name, mask }) => html`<li>${name}${mask && ` •••• ${mask}`}</li>`)}</ul>
    <h2>For the developer</h2>
    <p class="quiet">A real user never sees what follows. The public token is good once, for 30 minutes.</p>
    ${copyable('public-token', 'Public token', result.public_token)}
    ${copyable('command', 'Hand it to the service', exchangeCommand(result, serviceUrl))}`,
  )
}

function copyable(id: string, label: string, text: string): Html {
  return html`<div class="copyable">
    <span class="label" id="${id}-label">${label}</span>
    <button type="button" class="small" data-copy="${id}">Copy<span class="unseen"> ${label}</span></button>
    <pre id="${id}" tabindex="0" aria-labelledby="${id}-label">${text}</pre>
  </div>`
}

/** Bank names hold no quotes, so the body can stand between a shell's single quotes as it is. */
function exchangeCommand({ public_token, institution }: LinkResult, serviceUrl: string): string {
  const { institution_id, name } = institution
  const body = JSON.stringify({ public_token, institution_id, institution_name: name })
  return [
    `curl -X POST ${serviceUrl}/linker/public-token/PUBLISHER_USER_ID \\`,
    "  -H 'Authorization: Bearer API_KEY' -H 'Content-Type: application/json' \\",
    `  -d '${body}'`,
  ].join('\n')
}

function onwardAddress({ returnTo }: LinkSession, { public_token, institution }: LinkResult): string | null {
  if (returnTo === null) return null
  const onward = new URL(returnTo)
  onward.searchParams.set('public_token', public_token)
  onward.searchParams.set('institution_id', institution.institution_id)
  onward.searchParams.set('institution_name', institution.name)
  return onward.href
}

export function faultPage(text: string): Page {
  return linkPage('This link does not work', null, html`<p class="lead" role="alert">${text}</p>`)
}

function linkPage(title: string, step: (typeof STEPS)[number] | null, content: Html): Page {
  const steps = STEPS.map((name) => html`<li ${name === step && html`aria-current="step"`}>${name}</li>`)
  return {
    title,
    kind: 'link',
    script: 'link',
    content: html`<main>
      ${step !== null && html`<ol class="steps" aria-label="Steps">${steps}</ol>`}
      <h1>${title}</h1>
      ${content}
      <p class="foot">Simulated banks. No real account is touched.</p>
    </main>`,
  }
}

function logo(bank: Institution): Html {
  return html`<img class="logo" src="data:image/png;base64,${logoOf(bank.color)}" alt="" width="40" height="40">`
}

function alert(fault: string | null): Html | null {
  return fault === null ? null : html`<p class="alert" role="alert">${fault}</p>`
}
