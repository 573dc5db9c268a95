import type { Reader, Tx } from '../../../platform/db/database.ts'
import type { PublisherId, UserId } from '../../../platform/ids.ts'

/** The email notifications that users with an account can turn on or off. */
export const NOTICES = ['reward_ready', 'redemption_paid', 'card_broken'] as const
export type Notice = (typeof NOTICES)[number]

type OfUser = { readonly publisherId: PublisherId; readonly userId: UserId }

export async function listMailPreferences(reader: Reader, { publisherId, userId }: OfUser): Promise<Notice[]> {
  const rows = await reader<{ kind: Notice }[]>`
    select kind from user_mail_preferences where user_id = ${userId} and publisher_id = ${publisherId} order by kind`
  return rows.map(({ kind }) => kind)
}

/** Replaces the user's email notifications and sets their language. */
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
