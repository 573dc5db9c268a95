import { html, markupOf } from '../../platform/html.ts'
import type { MailKind } from './queries.ts'

export type Mail = {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /** The address that stops such mails when it is posted to, as mail programs do at the press of a button (RFC 8058). */
  readonly unsubscribe?: string
}

/** How a mail is stopped that was asked for once and for all. */
type Stop = { readonly action: string; readonly link: string }

/** What a mail says around the one thing that there is to do. */
type MailWords = {
  readonly subject: string
  readonly before: string
  readonly action: string
  readonly after: string
}

// A reset ends every session, also that of whoever made the change.
const REMEDY = { action: 'Reset the password', after: 'Then tell whoever runs Laurel for you.' }

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
    before: 'The password of this address was changed, and other sessions were ended. If it was not you, reset it now:',
    ...REMEDY,
  },
  totp_added: {
    subject: 'An authenticator app was added to your Laurel account',
    before:
      'From now on signing in asks for a code of the app. If it was not you who added it, reset the password now:',
    ...REMEDY,
  },
  totp_removed: {
    subject: 'The authenticator app was removed from your Laurel account',
    before: 'The password alone signs in again, and backup codes are void. If it was not you, reset the password now:',
    ...REMEDY,
  },
  passkey_added: {
    subject: 'A passkey was added to your Laurel account',
    before:
      'It signs in without password and code. If it was not you who added it, reset the password now, which ends every session, then sign in and remove the passkey:',
    ...REMEDY,
  },
  passkey_removed: {
    subject: 'A passkey was removed from your Laurel account',
    before: 'It no longer signs in. If it was not you who removed it, reset the password now:',
    ...REMEDY,
  },
}

/** A mail with one thing to do, as text and as HTML, and perhaps how to get no more of them. */
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
