import { given, type Reader, type Tx } from '../../platform/database.ts'
import type { PublisherId, UserId } from '../../platform/ids.ts'

/** The notifications by mail that users with an account can choose. */
export const NOTICES = ['reward_ready', 'redemption_paid', 'card_broken'] as const
export type Notice = (typeof NOTICES)[number]

type OfUser = { readonly publisherId: PublisherId; readonly userId: UserId }

export async function listMailPreferences(reader: Reader, { publisherId, userId }: OfUser): Promise<Notice[]> {
  const rows = await reader<{ kind: Notice }[]>`
    select kind from user_mail_preferences where user_id = ${userId} and publisher_id = ${publisherId} order by kind`
  return rows.map(({ kind }) => kind)
}

/** Replaces the notifications that the user gets, and sets their language. */
export async function setMailPreferences(
  tx: Tx,
  { publisherId, userId, language }: OfUser & { readonly language: string },
  wanted: readonly Notice[],
): Promise<void> {
  await tx`
    delete from user_mail_preferences
    where user_id = ${userId} and publisher_id = ${publisherId} and kind <> all(${wanted as Notice[]}::text[])`
  await tx`
    insert into user_mail_preferences (user_id, kind, publisher_id, language)
    select ${userId}, kind, ${publisherId}, ${language} from unnest(${wanted as Notice[]}::text[]) as kind
    on conflict (user_id, kind) do update set language = excluded.language`
}

export async function endMailPreference(tx: Tx, { publisherId, userId }: OfUser, notice: Notice): Promise<void> {
  await tx`
    delete from user_mail_preferences where user_id = ${userId} and publisher_id = ${publisherId} and kind = ${notice}`
}

/**
 * Queues a mail to those of these users who chose this notification. It waits a minute, so that several events together
 * make one mail. The database's time decides when it is due, because a publisher's clock may be ahead.
 */
export async function queueNotices(
  tx: Tx,
  publisherId: PublisherId,
  recipients: readonly { readonly userId: UserId; readonly kind: Notice }[],
): Promise<void> {
  if (recipients.length === 0) return
  await tx`
    insert into user_mails (mail_id, publisher_id, user_id, kind, email, language, queued_at, due_at)
    select gen_random_uuid(), w.publisher_id, w.user_id, w.kind, a.email, w.language, now(), now() + interval '1 minute'
    from (select distinct user_id, kind from ${given(tx, recipients, { userId: 'uuid', kind: 'plain' })}) as recipients
    join user_mail_preferences w
      on w.user_id = recipients.user_id and w.kind = recipients.kind and w.publisher_id = ${publisherId}
    join accounts a on a.user_id = w.user_id and a.publisher_id = w.publisher_id and a.disabled_at is null
    order by w.user_id, w.kind
    on conflict (publisher_id, kind, lower(email), user_id) do nothing`
}
