import { html, renderMarkup } from '../../../platform/text/html.ts'
import type { MailKind } from './queries.ts'

export type Mail = {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /** The one-click unsubscribe URL to which email clients POST (RFC 8058). */
  readonly unsubscribe?: string
}

/** The unsubscribe link in an email that the user opted in to. */
type Stop = { readonly action: string; readonly link: string }

/** The wording of an email that contains one link, without the link. */
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
    subject: 'You have been invited to Laurel',
    before: 'You can now sign in to the Laurel console. Choose a name and a password:',
    action: 'Accept the invitation',
    after:
      'The link works once and expires after seven days. If you did not expect this invitation, ignore this email.',
  },
  reset: {
    subject: 'Reset your Laurel password',
    before: 'Someone, probably you, asked to reset the password for this address:',
    action: 'Choose a new password',
    after:
      'The link works once and expires after one hour. If this was not you, ignore this email. Your password will ' +
      'not change.',
  },
  changed: {
    subject: 'Your Laurel password was changed',
    before:
      'The password for this address was changed, and all other sessions were ended. If this was not you, reset ' +
      'it now:',
    ...REMEDY,
  },
  totp_added: {
    subject: 'An authenticator app was added to your Laurel account',
    before: 'From now on, you need a code from the app to sign in. If you did not add it, reset your password now:',
    ...REMEDY,
  },
  totp_removed: {
    subject: 'The authenticator app was removed from your Laurel account',
    before:
      'You can now sign in with your password only, and your backup codes no longer work. If this was not you, ' +
      'reset your password now:',
    ...REMEDY,
  },
  passkey_added: {
    subject: 'A passkey was added to your Laurel account',
    before:
      'It can be used to sign in without a password or code. If you did not add it, reset your password now, ' +
      'which ends all sessions. Then sign in and remove the passkey:',
    ...REMEDY,
  },
  passkey_removed: {
    subject: 'A passkey was removed from your Laurel account',
    before: 'It can no longer be used to sign in. If you did not remove it, reset your password now:',
    ...REMEDY,
  },
}

/**
 * The email to an invited person who already has an account at another company, because an address can have only one
 * active account.
 */
export const ADDRESS_IN_USE: MailWords = {
  subject: 'You have been invited to Laurel, where you already have an account',
  before:
    'Another company invited you to the Laurel console, but this address already has an account. The account ' +
    'stays as it is:',
  action: 'Sign in as usual',
  after:
    'To accept the invitation, ask the company to invite you at a different address. Otherwise, ignore this email.',
}

/** Returns the wording, with the company in the subject line because several companies can invite the same person. */
export function getWords(kind: MailKind, company: string | null): MailWords {
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
  return { to, subject, text, html: renderMarkup(page), ...(stop === null ? {} : { unsubscribe: stop.link }) }
}
