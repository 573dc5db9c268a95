import type { Institution } from '../institutions.ts'
import { HISTORY_USERNAME } from '../past.ts'
import { LOCKED_USERNAME, MFA_CODE, MFA_USERNAME } from '../users.ts'
import { type Html, html } from './html.ts'
import type { Page } from './layout.ts'
import { alert, bankPage, linkPage, logo, otherBank } from './link-layout.ts'
import type { LinkSession } from './session.ts'

/**
 * The sign-in at a bank, in the provider's iframe or, at an OAuth bank, on the bank's page. Both have the same fields.
 * `place` is the part of the address that differs.
 */
export type Place = 'link' | 'oauth'

export function signInPage(
  place: Place,
  session: LinkSession,
  bank: Institution,
  { username, fault }: { readonly username: string; readonly fault: string | null },
): Page {
  const repairing = session.linkToken.itemId !== null
  const form = html`${alert(fault)}
    <form method="post" action="/${place}/${session.id}/sign-in">
      <input type="hidden" name="institution_id" value="${bank.id}">
      <label for="username">Username</label>
      <input id="username" name="username" value="${username}" required autocomplete="off" autocapitalize="none"
        spellcheck="false" ${username === '' && html`data-focus`}>
      <label for="password">Password</label>
      <input id="password" name="password" type="password" required autocomplete="off"
        ${username !== '' && html`data-focus`}>
      ${!repairing && usersHint()}
      <button type="submit">Sign in</button>
    </form>`
  if (place === 'oauth') return bankPage(bank, 'Sign in', form)
  const lead = repairing
    ? 'The bank no longer accepts the old sign-in. Sign in again to keep earning rewards.'
    : 'Sign in as you do at your bank.'
  return linkPage(
    repairing ? `Sign in to ${bank.name} again` : `Sign in to ${bank.name}`,
    'Sign in',
    html`
    <div class="bank-head">${logo(bank)}<p class="lead">${lead}</p></div>
    ${form}
    ${!repairing && otherBank(session)}`,
  )
}

function usersHint(): Html {
  return html`<details class="hint"><summary>Try <code>user_good</code> with <code>pass_good</code></summary>
    <ul>
      <li>Any other username works with that password too, and has accounts of its own but no history.</li>
      <li><code>${MFA_USERNAME}</code> is asked for a code.</li>
      <li><code>${LOCKED_USERNAME}</code> is locked out.</li>
      <li><code>${HISTORY_USERNAME}</code> has bought things for 300 days, <code>user_good</code> for years.</li>
      <li>Any other password is refused, and may be tried again.</li>
    </ul></details>`
}

export function codePage(place: Place, session: LinkSession, bank: Institution, fault: string | null): Page {
  const form = html`${alert(fault)}
    <form method="post" action="/${place}/${session.id}/code">
      <label for="code">Code</label>
      <input id="code" name="code" required autocomplete="one-time-code" inputmode="numeric" maxlength="12" data-focus>
      <p class="hint">No message is sent; the code is <code>${MFA_CODE}</code>.</p>
      <button type="submit">Continue</button>
    </form>`
  const lead = `${bank.name} has sent a code to the phone ending in 00. Enter it to confirm that it is you.`
  if (place === 'oauth') return bankPage(bank, 'Enter your code', html`<p class="lead">${lead}</p>${form}`)
  return linkPage(
    'Enter your code',
    'Sign in',
    html`<div class="bank-head">${logo(bank)}<p class="lead">${lead}</p></div>${form}`,
  )
}

/** Builds the page for a locked user, whom only the bank can unlock. */
export function lockedPage(place: Place, session: LinkSession, bank: Institution): Page {
  const content = html`
    <p class="lead" role="alert">${bank.name} has locked this sign-in, as banks do after too many tries. Have it
      unlocked at the bank, then connect it here again. Nothing was connected.</p>
    <p class="quiet">For the developer: the provider calls this <code>ITEM_LOCKED</code>.</p>
    <p><a class="button" href="/link/${session.id}/sign-in?institution_id=${bank.id}">Try again</a></p>
    ${session.linkToken.itemId === null && otherBank(session)}`
  return place === 'oauth'
    ? bankPage(bank, 'Your account is locked', content)
    : linkPage('Your account is locked', 'Sign in', content)
}
