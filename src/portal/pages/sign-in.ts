import { html } from '../../platform/text/html.ts'
import type { PortalPage, Visit } from '../visit.ts'
import { renderFormFault, renderFormPage, renderTextInput } from './fields.ts'
import { renderAnswerInputs, renderPasskeyPlace } from './passkeys.ts'

const EMAIL = html`type="email" autocomplete="username" required maxlength="254"`
const PASSWORD = html`type="password" autocomplete="current-password" required maxlength="256"`
const NEW_PASSWORD = html`type="password" autocomplete="new-password" required minlength="12" maxlength="256"`

/** @param passkeyOrigin the origin that passkeys belong to */
export function signInPage(visit: Visit, passkeyOrigin: string): PortalPage {
  const { words, base, name } = visit
  const { signIn } = words
  const again = isAgain(visit) ? '?again=yes' : ''
  const byPasskey = html`<form method="post" action="${base}/sign-in/passkey${again}">
      ${renderAnswerInputs(['credential_id', 'client_data', 'authenticator_data', 'signature'])}
      <div class="row"><button class="btn soft">${signIn.passkeys.signIn}</button></div>
    </form>`
  const content = html`<section class="form">
    <h1>${signIn.title}</h1>
    <p>${signIn.text(name)}</p>
    ${renderFormFault(visit)}
    <form method="post" action="${base}/sign-in${again}">
      ${renderTextInput(visit, { name: 'email', label: words.you.email, attributes: EMAIL })}
      ${renderPasswordInput(visit, 'password', signIn.password)}
      <div class="row"><button class="btn">${signIn.button}</button></div>
    </form>
    ${renderPasskeyPlace(visit, { options: `${base}/sign-in/passkey/options`, origin: passkeyOrigin }, byPasskey)}
    <p class="more"><a class="text" href="${base}/reset">${signIn.forgotten}</a></p>
  </section>`
  return { title: signIn.title, content, usesPasskeys: true }
}

/** Returns true if the user is signing in again for an action that requires a recent sign-in. */
export const isAgain = ({ query }: Visit): boolean => query['again'] === 'yes'

/** Renders the form that requests a password reset email. */
export function renderForgottenPage(visit: Visit): PortalPage {
  const { words, base } = visit
  const { signIn } = words
  const content = html`<section class="form">
    <h1>${signIn.forgotten}</h1>
    <p>${signIn.forgottenText}</p>
    ${renderFormFault(visit)}
    <form method="post" action="${base}/reset">
      ${renderTextInput(visit, { name: 'email', label: words.you.email, attributes: EMAIL })}
      <div class="row"><a class="btn soft" href="${base}/sign-in">${words.cancel}</a><button class="btn">${signIn.send}</button></div>
    </form>
  </section>`
  return { title: signIn.forgotten, content }
}

/**
 * Renders the page that the link in a password reset email opens. An email scanner that opens the link does not use it
 * up, because only the button does.
 */
export function renderNewPasswordPage(visit: Visit): PortalPage {
  const { words, path } = visit
  const { signIn } = words
  const content = html`<form method="post" action="${path}">
      ${renderNewPasswordInput(visit)}
      <div class="row"><button class="btn">${signIn.save}</button></div>
    </form>`
  return renderFormPage(visit, signIn.newPassword, content)
}

export function renderNewPasswordInput(visit: Visit) {
  const { newPassword, passwordHelp } = visit.words.signIn
  return renderPasswordInput(visit, 'password', newPassword, NEW_PASSWORD, passwordHelp)
}

/** Renders a password input. A typed password is never sent back to the page. */
export function renderPasswordInput(visit: Visit, name: string, label: string, attributes = PASSWORD, help?: string) {
  const { sent } = visit
  const forgetful = sent === null ? visit : { ...visit, sent: { ...sent, values: { ...sent.values, [name]: '' } } }
  return renderTextInput(forgetful, { name, label, attributes, ...(help === undefined ? {} : { help }) })
}
