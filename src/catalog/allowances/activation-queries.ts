import type { Reader, Tx } from '../../platform/db/database.ts'
import type { PublisherId, UserId } from '../../platform/ids.ts'

/** A user's activation of an offer. `until` is null while it is active. */
export type Activation = {
  readonly userId: UserId
  readonly offerUid: string
  readonly from: Date
  readonly until: Date | null
}

export async function listActivations(
  reader: Reader,
  publisherId: PublisherId,
  userIds: readonly UserId[],
): Promise<Activation[]> {
  return reader<Activation[]>`
    select user_id, offer_uid, activated_at as "from", deactivated_at as "until"
    from offer_activations
    where publisher_id = ${publisherId} and user_id = any(${userIds as UserId[]}::uuid[])`
}

/**
 * Activates the offer and returns when the activation began. Reopens an activation that began and ended at this very
 * instant.
 */
export async function insertActivation(
  tx: Tx,
  publisherId: PublisherId,
  { userId, offerUid }: { readonly userId: UserId; readonly offerUid: string },
  now: Date,
): Promise<Date> {
  const [row] = await tx<{ from: Date }[]>`
    with reopened as (
      update offer_activations set deactivated_at = null
      where user_id = ${userId} and offer_uid = ${offerUid} and publisher_id = ${publisherId}
        and activated_at = ${now} and deactivated_at is not null
      returning activated_at
    )
    insert into offer_activations as a (user_id, offer_uid, activated_at, publisher_id)
    select ${userId}, ${offerUid}, ${now}, ${publisherId} where not exists (select 1 from reopened)
    on conflict (user_id, offer_uid) where deactivated_at is null do update set activated_at = a.activated_at
    returning activated_at as "from"`
  return row?.from ?? now
}

export async function endActivation(
  tx: Tx,
  publisherId: PublisherId,
  { userId, offerUid }: { readonly userId: UserId; readonly offerUid: string },
  now: Date,
): Promise<void> {
  await tx`
    update offer_activations set deactivated_at = ${now}
    where user_id = ${userId} and offer_uid = ${offerUid} and publisher_id = ${publisherId} and deactivated_at is null`
}
