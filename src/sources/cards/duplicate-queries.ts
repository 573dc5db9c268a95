import type { Day } from '../../platform/calendar.ts'
import { asTable, type Reader, type Tx } from '../../platform/db/database.ts'
import type { PublisherId, UserId } from '../../platform/ids.ts'
import type { BankAccount } from './queries.ts'

/** A card that belongs to another user of the publisher. */
type OthersCard = BankAccount & { readonly userId: UserId; readonly unlinkedAt: Date | null }

/**
 * Serializes linking of new accounts at an institution within the publisher, so that a race cannot link the same
 * account for two users. Must be acquired after lockCards.
 */
export async function lockInstitution(tx: Tx, publisherId: PublisherId, institutionId: string): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`accounts:${publisherId}:${institutionId}`}, 0))`
}

/**
 * Returns other users' cards that share an id with one of these accounts or resemble one at this institution. Covers
 * live cards and cards unlinked since the given instant.
 */
export async function listOthersCards(
  reader: Reader,
  publisherId: PublisherId,
  { userId, institutionId, since }: { readonly userId: UserId; readonly institutionId: string; readonly since: Date },
  accounts: readonly BankAccount[],
): Promise<OthersCard[]> {
  return reader<OthersCard[]>`
    with given as materialized (
      select account_id, persistent_account_id, name, mask, subtype
      from ${asTable(reader, accounts, {
        accountId: 'text',
        persistentAccountId: 'text',
        name: 'text',
        mask: 'text',
        subtype: 'text',
      })}
    ),
    found as (
      select cards.user_id, cards.card_id
      from given join cards on cards.publisher_id = ${publisherId} and cards.account_id = given.account_id
      where cards.unlinked_at is null
      union
      select cards.user_id, cards.card_id
      from given join cards
        on cards.publisher_id = ${publisherId} and cards.persistent_account_id = given.persistent_account_id
      where cards.unlinked_at is null
      union
      select cards.user_id, cards.card_id
      from given join cards
        on cards.publisher_id = ${publisherId} and cards.mask = given.mask and cards.name = given.name
          and cards.subtype is not distinct from given.subtype
        join links on links.user_id = cards.user_id and links.link_id = cards.link_id
      where cards.unlinked_at is null and links.institution_id = ${institutionId}
      union
      select cards.user_id, cards.card_id
      from cards join links on links.user_id = cards.user_id and links.link_id = cards.link_id
      join given on cards.account_id = given.account_id
        or cards.persistent_account_id = given.persistent_account_id
        or (cards.mask is not distinct from given.mask and cards.name = given.name
          and cards.subtype is not distinct from given.subtype and links.institution_id = ${institutionId})
      where cards.publisher_id = ${publisherId} and cards.unlinked_at >= ${since}
    )
    select user_id, account_id,
      persistent_account_id, name, mask, subtype, unlinked_at
    from found join cards using (user_id, card_id)
    where publisher_id = ${publisherId} and user_id <> ${userId}
    order by linked_at, card_id`
}

/** The part of an account that a user sees; all null for a login whose accounts are not visible. */
export type AccountLook = Pick<BankAccount, 'mask' | 'subtype'> & { readonly name: string | null }

/** Marks these duplicates as reported today for a user and institution. Returns only those newly marked. */
export async function markDuplicatesReported(
  tx: Tx,
  publisherId: PublisherId,
  { userId, institutionId, day }: { readonly userId: UserId; readonly institutionId: string; readonly day: Day },
  accounts: readonly AccountLook[],
): Promise<AccountLook[]> {
  return tx<AccountLook[]>`
    insert into announced_duplicates as known (user_id, publisher_id, institution_id, name, mask, subtype, announced_on)
    select distinct ${userId}::uuid, ${publisherId}::uuid, ${institutionId}, name, mask, subtype, ${day}::date
    from ${asTable(tx, accounts, { name: 'text', mask: 'text', subtype: 'text' })}
    on conflict (user_id, institution_id, name, mask, subtype) do update set announced_on = excluded.announced_on
    where known.announced_on <> excluded.announced_on
    returning name, mask, subtype`
}
