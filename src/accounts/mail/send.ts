import type { Clock } from '../../platform/clock.ts'
import type { Database, Tx } from '../../platform/database.ts'
import type { Log } from '../../platform/log.ts'
import { findCredentialsByEmail } from '../credential-queries.ts'
import { issueToken } from '../tokens.ts'
import { composeMail, type Mail } from './compose.ts'
import type { Outbox } from './outbox.ts'
import { claimMails, delayMail, deleteMail, type QueuedMail } from './queries.ts'

type MailDeps = {
  readonly db: Database
  readonly clock: Clock
  readonly log: Log
  readonly outbox: Outbox
  readonly baseUrl: string
}

const AT_ONCE = 16
// Longer than a mail server may take.
const LEASE_MS = 60_000
const BACKOFF_MS = 30_000
const BACKOFF_MAX_MS = 30 * 60_000
// About a day; whoever still waits has asked again.
const ATTEMPTS_MAX = 50

/** Sends mails that are due. @returns whether there may be more */
export async function sendMails(deps: MailDeps): Promise<boolean> {
  const { db, clock, log } = deps
  const now = clock.now()
  const until = new Date(now.getTime() + LEASE_MS)
  const claimed = await db.transaction((tx) => claimMails(tx, { limit: AT_ONCE, until }, now))
  await Promise.all(
    claimed.map(async ({ mailId, attempts, ...queued }) => {
      try {
        const mail = await mailOf(deps, queued, now)
        if (mail !== null) await deps.outbox.send(mail)
        await db.transaction((tx) => deleteMail(tx, mailId))
      } catch (error) {
        log.warn({ err: error, mail_id: mailId, attempts }, 'a mail could not be sent')
        const dueAt = new Date(now.getTime() + Math.min(BACKOFF_MS * 2 ** (attempts - 1), BACKOFF_MAX_MS))
        await db.transaction((tx) => (attempts < ATTEMPTS_MAX ? delayMail(tx, mailId, dueAt) : deleteMail(tx, mailId)))
      }
    }),
  )
  return claimed.length === AT_ONCE
}

/** The mail with a link that is made now; null when nobody who may sign in has the address. */
async function mailOf(
  { db, baseUrl }: MailDeps,
  { kind, email }: Pick<QueuedMail, 'kind' | 'email'>,
  now: Date,
): Promise<Mail | null> {
  const found = await findCredentialsByEmail(db.reader, email)
  if (found === null) return null
  // What follows the # reaches no server, so that no log and no other site gets to know the token.
  const link = async (purpose: 'invitation' | 'reset') =>
    `${baseUrl}/console/${purpose}#${await db.transaction((tx: Tx) => issueToken(tx, found.accountId, purpose, now))}`
  return composeMail(kind, found.email, kind === 'changed' ? `${baseUrl}/console/reset` : await link(kind))
}
