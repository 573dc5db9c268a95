import { asTable, type Reader, type Tx } from '../../../platform/db/database.ts'
import { newUuid, type PublisherId, type UserId } from '../../../platform/ids.ts'
import type { QueuedRow, RowQueue } from '../../../platform/queue/row-queue.ts'
import type { AccountId, Realm } from '../account.ts'
import type { Notice } from './preference-queries.ts'

/** Emails with a link that grants access. */
type LinkKind = 'invitation' | 'reset'
/** Emails about a change to how a person signs in. `changed` refers to their password. */
export type SecurityMailKind = 'changed' | 'totp_added' | 'totp_removed' | 'passkey_added' | 'passkey_removed'
export type MailKind = LinkKind | SecurityMailKind
type UserMailKind =
  | 'sign_up'
  | 'reset'
  | 'changed'
  | 'passkey_added'
  | 'passkey_removed'
  | 'account_opened'
  | 'account_removed'
  | Notice
type Queued<Kind extends string> = QueuedRow & {
  readonly kind: Kind
  readonly email: string
  readonly attempts: number
}
export type QueuedMail = Queued<MailKind>
/** An email to a user, or to an address that a user entered. */
export type QueuedUserMail = Queued<UserMailKind> & {
  readonly publisherId: PublisherId
  readonly userId: UserId | null
  readonly language: string
}

const MAIL_QUEUE = {
  // Short, because people are waiting for these emails.
  everyMs: 500,
  key: 'mail_id',
  retryMs: { first: 30_000, max: 30 * 60_000 },
  failure: 'an email could not be sent',
  // Longer than the mail server timeout.
  leaseMs: 60_000,
}
export const STAFF_MAILS: RowQueue = { ...MAIL_QUEUE, name: 'mails', table: 'mails' }
export const USER_MAILS: RowQueue = { ...MAIL_QUEUE, name: 'mails to users', table: 'user_mails' }

/**
 * Returns the conflict clause for an email that is already queued, in an insert whose table is aliased as `queued`. If
 * no attempt to send the email has been made, it is still sent only once. If an attempt is in flight, the contents may
 * be stale, so the email becomes due again. The sender sees that the due time has changed and neither deletes nor
 * delays the email.
 */
const requeue = (tx: Tx) => tx`
  do update set attempts = 0, due_at = case when queued.attempts = 0 then queued.due_at else excluded.due_at end`

/** Queues an email. If the same email is already waiting, it is still sent only once. */
export async function queueMail(
  tx: Tx,
  { kind, email }: { readonly kind: LinkKind; readonly email: string },
  now: Date,
): Promise<void> {
  await tx`
    insert into mails as queued (mail_id, kind, email, queued_at, due_at)
    values (${newUuid()}, ${kind}, ${email}, ${now}, ${now})
    on conflict (kind, lower(email)) ${requeue(tx)}`
}

/** Queues an email to a staff member about a change to how they sign in. */
export async function queueSecurityMail(
  tx: Tx,
  { kind, accountId }: { readonly kind: SecurityMailKind; readonly accountId: AccountId },
  now: Date,
): Promise<void> {
  // all publishers: it is the person's own account
  await tx`
    insert into mails as queued (mail_id, kind, email, queued_at, due_at)
    select ${newUuid()}, ${kind}, email, ${now}, ${now} from accounts where account_id = ${accountId}
    on conflict (kind, lower(email)) ${requeue(tx)}`
}

type NewUserMail = { readonly kind: UserMailKind; readonly email: string; readonly userId: UserId | null }

/** Queues an email to a user in the realm's language. */
export async function queueUserMail(
  tx: Tx,
  { publisherId, language }: Exclude<Realm, 'console'>,
  { kind, email, userId }: NewUserMail,
  now: Date,
): Promise<void> {
  await tx`
    insert into user_mails as queued (mail_id, publisher_id, user_id, kind, email, language, queued_at, due_at)
    values (${newUuid()}, ${publisherId}, ${userId}, ${kind}, ${email}, ${language}, ${now}, ${now})
    on conflict (publisher_id, kind, lower(email), user_id) ${requeue(tx)}`
}

/** Queues an email with a link to reset the password of this address in the realm. */
export async function queueReset(tx: Tx, realm: Realm, email: string, now: Date): Promise<void> {
  await (realm === 'console'
    ? queueMail(tx, { kind: 'reset', email }, now)
    : queueUserMail(tx, realm, { kind: 'reset', email, userId: null }, now))
}

/**
 * Queues an email to each of these users who chose this notification. The email is delayed by a minute, so that a burst
 * of events results in a single email. The due time comes from the database clock, because a publisher's clock may be
 * ahead.
 */
export async function queueNotices(
  tx: Tx,
  publisherId: PublisherId,
  recipients: readonly { readonly userId: UserId; readonly kind: Notice }[],
): Promise<void> {
  if (recipients.length === 0) return
  await tx`
    insert into user_mails as queued (mail_id, publisher_id, user_id, kind, email, language, queued_at, due_at)
    select gen_random_uuid(), w.publisher_id, w.user_id, w.kind, a.email, w.language, now(), now() + interval '1 minute'
    from (select distinct user_id, kind from ${asTable(tx, recipients, { userId: 'uuid', kind: 'plain' })}) as recipients
    join user_mail_preferences w
      on w.user_id = recipients.user_id and w.kind = recipients.kind and w.publisher_id = ${publisherId}
    join accounts a on a.user_id = w.user_id and a.publisher_id = w.publisher_id and a.disabled_at is null
    order by w.user_id, w.kind
    on conflict (publisher_id, kind, lower(email), user_id) ${requeue(tx)}`
}

/** Deletes a sent email, unless it was queued again in the meantime. */
export async function deleteMail(reader: Reader, { table }: RowQueue, { id, dueAt }: QueuedRow): Promise<void> {
  await reader`delete from ${reader(table)} where mail_id = ${id} and due_at = ${dueAt}`
}

/**
 * Deletes queued emails that would grant access to this account. A link's token is issued only when its email is sent,
 * so revoking tokens is not enough. Keeps password resets for other accounts with the same address.
 */
export async function deleteLinksTo(
  tx: Tx,
  { accountId, email }: { readonly accountId: AccountId; readonly email: string },
): Promise<void> {
  // all publishers: the same address can have an account at several
  await tx`
    delete from mails
    where lower(email) = lower(${email}) and kind in ('invitation', 'reset')
      and (kind = 'invitation' or not exists (
        select from accounts a
        where lower(a.email) = lower(${email}) and a.kind <> 'user' and a.password is not null
          and a.account_id <> ${accountId}))`
}
