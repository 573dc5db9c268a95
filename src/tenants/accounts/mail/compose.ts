import { html, markupOf } from '../../../platform/text/html.ts'
import type { MailKind } from './queries.ts'

export type Mail = {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /** The one-click unsubscribe URL that email clients POST to (RFC 8058). */
  readonly unsubscribe?: string
}

/** The unsubscribe link in an email that the user subscribed to. */
type Stop = { readonly action: string; readonly link: string }

/** The wording of an email around its single link. */
type MailWords = {
  readonly subject: string
  readonly before: string
  readonly action: string
  readonly after: string
}

// A reset ends every session, including an intruder's.
const REMEDY = { action: 'Reset your password', after: 'Then tell your Laurel administrator.' }

export const CONSOLE_WORDS: Readonly<Record<MailKind, MailWords>> = {
  invitation: {
    subject: 'You are invited to Laurel',
    before: 'You can now sign in to the Laurel console. Choose a name and a password:',
    action: 'Accept the invitation',
    after: 'The link works once, for seven days. If you did not expect it, ignore this mail.',
  },
  reset: {
    subject: 'Reset your Laurel password',
    before: 'Somebody, probably you, asked to reset the password of this address:',
    action: 'Choose a new password',
    after: 'The link works once, for one hour. If it was not you, ignore this mail; your password stays as it is.',
  },
  changed: {
    subject: 'Your Laurel password was changed',
    before:
      'The password for this address was changed, and other sessions were ended. If it was not you, reset it now:',
    ...REMEDY,
  },
  totp_added: {
    subject: 'An authenticator app was added to your Laurel account',
    before: 'From now on you need a code from the app to sign in. If you did not add it, reset your password now:',
    ...REMEDY,
  },
  totp_removed: {
    subject: 'The authenticator app was removed from your Laurel account',
    before: 'The password alone is now enough to sign in, and backup codes are void. If it was not you, reset it now:',
    ...REMEDY,
  },
  passkey_added: {
    subject: 'A passkey was added to your Laurel account',
    before:
      'It can be used to sign in without a password or code. If you did not add it, reset your password now, which ends every session; then sign in and remove the passkey:',
    ...REMEDY,
  },
  passkey_removed: {
    subject: 'A passkey was removed from your Laurel account',
    before: 'It can no longer be used to sign in. If you did not remove it, reset your password now:',
    ...REMEDY,
  },
}

/**
 * The email to an invited person who already has an account at another company. An address can have only one active
 * account.
 */
export const ADDRESS_IN_USE: MailWords = {
  subject: 'You are invited to Laurel, where you already have an account',
  before:
    'You were invited to the Laurel console by another company, but this address already has an account. It stays as it is:',
  action: 'Sign in as before',
  after: 'To accept the invitation, ask the company to invite you at another address. Otherwise ignore this mail.',
}

/** Returns the wording with the company in the subject, since several companies can invite the same person. */
export function wordsFor(kind: MailKind, company: string | null): MailWords {
  const words = CONSOLE_WORDS[kind]
  return company === null ? words : { ...words, subject: `${words.subject} (${company})` }
}

/** Composes an email with one link, as text and HTML, plus an unsubscribe link if there is one. */
export function composeMail(
  { subject, before, action, after }: MailWords,
  to: string,
  link: string,
  stop: Stop | null = null,
): Mail {
  const page = html`<!doctype html>
<html lang="en">
  <body style="font: 16px/1.5 sans-serif; color: #1c2b24">
    <p>${before}</p>
    <p><a href="${link}">${action}</a></p>
    <p>${after}</p>
    ${stop !== null && html`<p><a href="${stop.link}">${stop.action}</a></p>`}
  </body>
</html>
`
  const text = `${before}\n\n${link}\n\n${after}\n${stop === null ? '' : `\n${stop.action}: ${stop.link}\n`}`
  return { to, subject, text, html: markupOf(page), ...(stop === null ? {} : { unsubscribe: stop.link }) }
}
