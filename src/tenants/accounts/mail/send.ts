import type { Clock } from '../../../platform/clock.ts'
import type { Database, Tx } from '../../../platform/db/database.ts'
import type { Log } from '../../../platform/telemetry/log.ts'
import { findCredentialsByEmail, listAddressees } from '../credential-queries.ts'
import { codeFor } from '../sign-up.ts'
import { issueToken } from '../tokens.ts'
import { ADDRESS_IN_USE, CONSOLE_WORDS, composeMail, type Mail, wordsFor } from './compose.ts'
import type { Outbox } from './outbox.ts'
import {
  claimMails,
  claimUserMails,
  delayMail,
  deleteMail,
  type MailTable,
  type QueuedMail,
  type QueuedUserMail,
} from './queries.ts'

type MailDeps = {
  readonly db: Database
  readonly clock: Clock
  readonly log: Log
  readonly outbox: Outbox
  readonly baseUrl: string
}

const AT_ONCE = 16
// Longer than the mail server timeout.
const LEASE_MS = 60_000
const BACKOFF_MS = 30_000
const BACKOFF_MAX_MS = 30 * 60_000
// About a day. By then anyone still waiting has asked again.
const ATTEMPTS_MAX = 50

/**
 * Sends due emails to staff.
 * @returns true if there may be more
 */
export async function sendMails(deps: MailDeps): Promise<boolean> {
  return sendDue(deps, 'mails', claimMails, (queued, now) => composeMails(deps, queued, now))
}

/** Composes an email to a user; null if it should no longer be sent. */
export type ComposeUserMail = (
  queued: Pick<QueuedUserMail, 'publisherId' | 'userId' | 'kind' | 'email' | 'language'>,
  /** The code or link token issued for the email; null if the email grants no access. */
  secret: string | null,
) => Promise<Mail | null>

/**
 * Sends due emails to users.
 * @returns true if there may be more
 */
export async function sendUserMails(deps: MailDeps, compose: ComposeUserMail): Promise<boolean> {
  return sendDue(deps, 'user_mails', claimUserMails, async (queued, now) => {
    const made = await secretFor(deps.db, queued, now)
    const mail = made === null ? null : await compose({ ...queued, email: made.email }, made.secret)
    return mail === null ? [] : [mail]
  })
}

async function sendDue<Queued extends Pick<QueuedMail, 'mailId' | 'attempts'>>(
  { db, clock, log, outbox }: MailDeps,
  table: MailTable,
  claim: (tx: Tx, lease: { readonly limit: number; readonly until: Date }, now: Date) => Promise<Queued[]>,
  compose: (queued: Queued, now: Date) => Promise<readonly Mail[]>,
): Promise<boolean> {
  const now = clock.now()
  const until = new Date(now.getTime() + LEASE_MS)
  const claimed = await db.transaction((tx) => claim(tx, { limit: AT_ONCE, until }, now))
  await Promise.all(
    claimed.map(async (queued) => {
      const { mailId, attempts } = queued
      const leased = { mailId, until }
      try {
        for (const mail of await compose(queued, now)) await outbox.send(mail)
        await db.transaction((tx) => deleteMail(tx, table, leased))
      } catch (error) {
        log.warn({ err: error, mail_id: mailId, attempts }, 'a mail could not be sent')
        const dueAt = new Date(now.getTime() + Math.min(BACKOFF_MS * 2 ** (attempts - 1), BACKOFF_MAX_MS))
        await db.transaction((tx) =>
          attempts < ATTEMPTS_MAX ? delayMail(tx, table, leased, dueAt) : deleteMail(tx, table, leased),
        )
      }
    }),
  )
  return claimed.length === AT_ONCE
}

/**
 * Composes the emails for an address and issues their links. Returns none if nobody with that address may sign in.
 * Until one of the accounts has a password, each company that invited the person gets its own email, so that none
 * replaces another's.
 */
async function composeMails(
  { db, baseUrl }: MailDeps,
  { kind, email }: Pick<QueuedMail, 'kind' | 'email'>,
  now: Date,
): Promise<Mail[]> {
  const all = await listAddressees(db.reader, email)
  const owner = all.find(({ hasPassword }) => hasPassword)
  const invited = all.filter(({ hasPassword, isDisabled }) => !hasPassword && !isDisabled)
  const recipients = owner === undefined ? invited : owner.isDisabled ? [] : [owner]
  if (kind === 'invitation' && owner !== undefined)
    return invited.slice(0, 1).map((one) => composeMail(ADDRESS_IN_USE, one.email, `${baseUrl}/console/`))
  if (kind !== 'invitation' && kind !== 'reset')
    return recipients.slice(0, 1).map((one) => composeMail(CONSOLE_WORDS[kind], one.email, `${baseUrl}/console/reset`))
  return Promise.all(
    recipients.map(async (one) => {
      const token = await db.transaction((tx) => issueToken(tx, one.accountId, kind, now))
      // Browsers never send the fragment to a server, so the token stays out of logs and away from other sites.
      return composeMail(wordsFor(kind, one.company), one.email, `${baseUrl}/console/${kind}#${token}`)
    }),
  )
}

/**
 * Issues the code or token for an email to a user and returns it with the recipient's address; null if there is no
 * recipient. A reset goes to the address stored in the account, not the one typed. Letters of different scripts can
 * share a lowercase form, so the database may treat the two as equal although a mail server delivers them to different
 * mailboxes.
 */
async function secretFor(
  db: Database,
  queued: QueuedUserMail,
  now: Date,
): Promise<{ readonly email: string; readonly secret: string | null } | null> {
  const { kind, email, userId } = queued
  if (kind === 'sign_up') {
    const secret = userId === null ? null : await db.transaction((tx) => codeFor(tx, { ...queued, userId }))
    return secret === null ? null : { email, secret }
  }
  if (kind !== 'reset') return { email, secret: null }
  const found = await findCredentialsByEmail(db.reader, queued, email)
  if (found === null) return null
  return { email: found.email, secret: await db.transaction((tx) => issueToken(tx, found.accountId, 'reset', now)) }
}
