import type { Reader, Tx } from '../../platform/database.ts'
import { newUuid } from '../../platform/ids.ts'

export type MailKind = 'invitation' | 'reset' | 'changed'
export type QueuedMail = {
  readonly mailId: string
  readonly kind: MailKind
  readonly email: string
  /** Including this one. */
  readonly attempts: number
}

/** Asks for a mail; one that waits already is sent once. */
export async function queueMail(
  tx: Tx,
  { kind, email }: { readonly kind: MailKind; readonly email: string },
  now: Date,
): Promise<void> {
  await tx`
    insert into mails (mail_id, kind, email, queued_at, due_at)
    values (${newUuid()}, ${kind}, ${email}, ${now}, ${now})
    on conflict (kind, lower(email)) do nothing`
}

/** Takes due mails until the end of a lease, so that several workers share them. */
export async function claimMails(
  reader: Reader,
  { limit, until }: { readonly limit: number; readonly until: Date },
  now: Date,
): Promise<QueuedMail[]> {
  return reader<QueuedMail[]>`
    update mails set due_at = ${until}, attempts = attempts + 1
    where mail_id in (
      select mail_id from mails where due_at <= ${now} order by due_at limit ${limit} for update skip locked)
    returning mail_id, kind, email, attempts`
}

export async function delayMail(tx: Tx, mailId: string, dueAt: Date): Promise<void> {
  await tx`update mails set due_at = ${dueAt} where mail_id = ${mailId}`
}

export async function deleteMail(tx: Tx, mailId: string): Promise<void> {
  await tx`delete from mails where mail_id = ${mailId}`
}
