import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { LeasedWork } from '../../../platform/queue/leased-work.ts'
import { createQueueWork, type RowQueue } from '../../../platform/queue/row-queue.ts'
import type { Log } from '../../../platform/telemetry/log.ts'
import { findCredentialsByEmail, listAddressees } from '../credential-queries.ts'
import { issueCode } from '../sign-up.ts'
import { issueToken } from '../tokens.ts'
import { ADDRESS_IN_USE, CONSOLE_WORDS, composeMail, getWords, type Mail } from './compose.ts'
import type { Outbox } from './outbox.ts'
import { deleteMail, type QueuedMail, type QueuedUserMail, STAFF_MAILS, USER_MAILS } from './queries.ts'

type MailDeps = {
  readonly db: Database
  readonly clock: Clock
  readonly log: Log
  readonly outbox: Outbox
  readonly baseUrl: string
}

// Enough for about a day of retries. By then, anyone still waiting has requested another email.
const ATTEMPTS_MAX = 50

/** Creates the work that sends emails to staff. */
export function createMails(deps: MailDeps): LeasedWork {
  return createMailWork<QueuedMail>(deps, STAFF_MAILS, (queued, now) => composeMails(deps, queued, now))
}

/** Composes an email to a user; null if it should no longer be sent. */
export type ComposeUserMail = (
  queued: Pick<QueuedUserMail, 'publisherId' | 'userId' | 'kind' | 'email' | 'language'>,
  /** The code or link token issued for the email; null if the email grants no access. */
  secret: string | null,
) => Promise<Mail | null>

/** Creates the work that sends emails to users. */
export function createUserMails(deps: MailDeps, compose: ComposeUserMail): LeasedWork {
  return createMailWork<QueuedUserMail>(deps, USER_MAILS, async (queued, now) => {
    const made = await secretFor(deps.db, queued, now)
    const mail = made === null ? null : await compose({ ...queued, email: made.email }, made.secret)
    return mail === null ? [] : [mail]
  })
}

function createMailWork<Queued extends QueuedMail | QueuedUserMail>(
  deps: MailDeps,
  queue: RowQueue,
  compose: (queued: Queued, now: Date) => Promise<readonly Mail[]>,
): LeasedWork {
  return createQueueWork<Queued>(deps, queue, null, async (queued) => {
    const { id, attempts } = queued
    try {
      for (const mail of await compose(queued, deps.clock.now())) await deps.outbox.send(mail)
    } catch (error) {
      if (attempts < ATTEMPTS_MAX) throw error
      deps.log.warn({ err: error, mail_id: id, attempts }, 'gave up on an email')
    }
    await deleteMail(deps.db.reader, queue, queued)
    return 'done'
  })
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
      return composeMail(getWords(kind, one.company), one.email, `${baseUrl}/console/${kind}#${token}`)
    }),
  )
}

/**
 * Issues the code or token for an email to a user and returns it with the recipient's address; null if there is no
 * recipient. A reset goes to the address stored in the account, not the one typed. Letters of different scripts can
 * share a lowercase form, so the database may treat the two as equal although a mail server would deliver them to
 * different mailboxes.
 */
async function secretFor(
  db: Database,
  queued: QueuedUserMail,
  now: Date,
): Promise<{ readonly email: string; readonly secret: string | null } | null> {
  const { kind, email, userId } = queued
  if (kind === 'sign_up') {
    const secret = userId === null ? null : await db.transaction((tx) => issueCode(tx, { ...queued, userId }))
    return secret === null ? null : { email, secret }
  }
  if (kind !== 'reset') return { email, secret: null }
  const found = await findCredentialsByEmail(db.reader, queued, email)
  if (found === null) return null
  return { email: found.email, secret: await db.transaction((tx) => issueToken(tx, found.accountId, 'reset', now)) }
}
