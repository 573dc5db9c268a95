import { asTable, type Reader, type Tx } from '../../platform/db/database.ts'
import type { PublisherId, TransactionId, UserId } from '../../platform/ids.ts'
import type { SourceEvent } from './event.ts'
import { HASH_OF_ERASED } from './intake/erased.ts'

/** A stored event, with the brand of its purchase. */
export type UnerasedEvent = Pick<SourceEvent, 'source' | 'externalId' | 'originalExternalId' | 'facts'> & {
  readonly transactionId: TransactionId
  readonly brandUid: string | null
}

/** An event after erasure, with its former external id. */
export type ErasedEvent = UnerasedEvent & { readonly formerId: string }

/** Returns a user's events that still contain identifying data, with the brand of their purchase. */
export async function listUnerased(
  reader: Reader,
  publisherId: PublisherId,
  userId: UserId,
  limit: number,
): Promise<UnerasedEvent[]> {
  return reader<UnerasedEvent[]>`
    select e.source, e.external_id, e.original_external_id, e.facts, e.transaction_id, t.brand_uid
    from source_events e
    left join transactions t on t.user_id = e.user_id and t.transaction_id = e.transaction_id
    where e.user_id = ${userId} and e.publisher_id = ${publisherId} and not e.facts ? 'isErased'
    limit ${limit}`
}

export async function eraseSourceEvents(
  tx: Tx,
  publisherId: PublisherId,
  userId: UserId,
  erased: readonly ErasedEvent[],
): Promise<void> {
  await tx`
    update source_events e
    set external_id = given.external_id, original_external_id = given.original_external_id, facts = given.facts ||
      case when e.facts ? 'dateOnly' then '{"dateOnly": true}'::jsonb else '{}' end, input_hash = ${HASH_OF_ERASED}
    from ${asTable(tx, erased, {
      source: 'plain',
      formerId: 'text',
      externalId: 'text',
      originalExternalId: 'text',
      facts: 'jsonb',
    })}
    where e.user_id = ${userId} and e.publisher_id = ${publisherId} and e.source = given.source
      and e.external_id = given.former_id`
}

export async function eraseClaims(
  tx: Tx,
  publisherId: PublisherId,
  userId: UserId,
  erased: readonly ErasedEvent[],
): Promise<void> {
  await tx`
    update source_claims c set external_id = given.external_id
    from ${asTable(tx, erased, { source: 'plain', formerId: 'text', externalId: 'text' })}
    where c.publisher_id = ${publisherId} and c.source = given.source and c.external_id = given.former_id
      and c.user_id = ${userId}`
}

export async function eraseNamesOfPurchases(
  tx: Tx,
  publisherId: PublisherId,
  userId: UserId,
  erased: readonly ErasedEvent[],
): Promise<void> {
  await tx`
    update transactions t set external_id = given.external_id
    from ${asTable(tx, erased, { source: 'plain', formerId: 'text', externalId: 'text' })}
    where t.user_id = ${userId} and t.publisher_id = ${publisherId} and t.source = given.source
      and t.external_id = given.former_id`
}
