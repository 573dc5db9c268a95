import type { LinkResult } from '../state.ts'
import { type Html, html } from './html.ts'
import type { Page } from './layout.ts'
import { linkPage } from './link-layout.ts'
import { isHosted } from './link-record.ts'
import type { LinkSession } from './session.ts'

/**
 * Builds the last page. Only users in a separate window see it, because in an iframe the app's script closes it
 * immediately.
 */
export function donePage(session: LinkSession, result: LinkResult, serviceUrl: string): Page {
  return linkPage(
    'You are connected',
    'Done',
    html`
    <p class="lead" role="status">${result.institution.name} is connected. You can close this window.</p>
    ${onward(session)}
    <ul class="shared">${result.accounts.map(({ name, mask }) => html`<li>${name}${mask && ` •••• ${mask}`}</li>`)}</ul>
    ${!isHosted(session) && forTheDeveloper(result, serviceUrl)}`,
  )
}

/** Asks for confirmation before the user leaves. */
export function exitPage({ id, address, linkToken, bank }: LinkSession): Page {
  const { itemId, clientName } = linkToken
  const text =
    itemId === null
      ? `Nothing is connected yet, and ${clientName} cannot see any of your accounts.`
      : `${bank?.name ?? 'The bank'} is not reconnected yet, so ${clientName} sees no new purchases.`
  return linkPage(
    'Leave now?',
    null,
    html`<p class="lead">${text}</p>
    <div class="choices">
      <a class="button" href="${address}">Stay</a>
      <form action="/link/${id}/left"><button type="submit" class="plain">Leave</button></form>
    </div>`,
  )
}

export function leftPage(session: LinkSession): Page {
  return linkPage(
    'You have left',
    null,
    html`<p class="lead" role="status">Nothing was connected. You can close this window.</p>${onward(session)}`,
  )
}

function onward(session: LinkSession): Html | null {
  const address = isHosted(session) ? session.linkToken.hosted?.completionRedirectUri : null
  return address ? html`<p><a class="button" id="onward" href="${address}">Continue</a></p>` : null
}

function forTheDeveloper(result: LinkResult, serviceUrl: string): Html {
  return html`<h2>For the developer</h2>
    <p class="quiet">A real user never sees what follows. The public token can be used once, within 30 minutes.</p>
    ${copyable('public-token', 'Public token', result.public_token)}
    ${copyable('command', 'Send it to the service', exchangeCommand(result, serviceUrl))}`
}

function copyable(id: string, label: string, text: string): Html {
  return html`<div class="copyable">
    <span class="label" id="${id}-label">${label}</span>
    <button type="button" class="small" data-copy="${id}">Copy<span class="unseen"> ${label}</span></button>
    <pre id="${id}" tabindex="0" aria-labelledby="${id}-label">${text}</pre>
  </div>`
}

/**
 * Builds the curl command. Bank names contain no quotes, so the body needs no escaping within the shell's single
 * quotes.
 */
function exchangeCommand({ public_token, institution }: LinkResult, serviceUrl: string): string {
  const { institution_id, name } = institution
  const body = JSON.stringify({ public_token, institution_id, institution_name: name })
  return [
    `curl -X POST ${serviceUrl}/linker/public-token/PUBLISHER_USER_ID \\`,
    "  -H 'Authorization: Bearer API_KEY' -H 'Content-Type: application/json' \\",
    `  -d '${body}'`,
  ].join('\n')
}
