import { type Html, html } from './html.ts'
import type { Page } from './layout.ts'
import { linkPage } from './link-layout.ts'
import type { LinkResult, LinkSession } from './link-session.ts'

/** The result is in a data attribute, from which the script passes it on; the policy allows no inline script. */
export function donePage(session: LinkSession, result: LinkResult, serviceUrl: string): Page {
  const onward = onwardAddress(session, result)
  return linkPage(
    'You are connected',
    'Done',
    html`
    <p class="lead" role="status">${result.institution.name} is connected. You can close this window.</p>
    <div id="result" data-result="${JSON.stringify(result)}"></div>
    ${onward !== null && html`<p><a class="button" id="onward" href="${onward}">Go on</a></p>`}
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

/** Bank names have no quotes, so the body needs no escaping within a shell's single quotes. */
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
