import type { Tx } from '../../src/platform/db/database.ts'
import type { UserId } from '../../src/platform/ids.ts'
import type { SourceEventInput } from '../../src/purchases/transactions/index.ts'
import type { Publisher } from '../../src/tenants/publishers/index.ts'

/** Stores a linked card whose account has had these IDs. */
export async function insertCard(tx: Tx, publisher: Publisher, userId: UserId, accountIds: readonly string[]) {
  await insertLink(tx, publisher, userId)
  await tx`
    insert into cards (user_id, card_id, publisher_id, link_id, account_id, name, linked_at)
    values (${userId}, ${userId}, ${publisher.id}, ${userId}, ${accountIds.at(-1) ?? ''}, 'Card', ${new Date(0)})`
  await tx`
    insert into card_accounts (user_id, card_id, account_id, publisher_id)
    select ${userId}, ${userId}, account_id, ${publisher.id} from unnest(${accountIds as string[]}::text[]) account_id`
}

async function insertLink(tx: Tx, publisher: Publisher, userId: UserId): Promise<void> {
  await tx`
    insert into links (user_id, link_id, publisher_id, institution_id, institution_name, linked_at)
    values (${userId}, ${userId}, ${publisher.id}, 'bank', 'Bank', ${new Date(0)})
    on conflict do nothing`
}

/** Stores the feed rows behind these events of a linked card, as the linker does before ingesting the events. */
export async function insertFeedRows(tx: Tx, publisher: Publisher, events: readonly SourceEventInput[]): Promise<void> {
  for (const { userId, externalId, kind, amount, currency, occurredAt, isFeed } of events) {
    if (isFeed !== true || !/AUTHORIZATION|CLEARING|REFUND/.test(kind)) continue
    await insertLink(tx, publisher, userId)
    await tx`
      insert into feed_rows (user_id, row_id, publisher_id, link_id, generation, external_id, handed_as, amount, peak_amount,
        currency, bought_on, occurred_at, content_hash)
      values (${userId}, ${externalId}, ${publisher.id}, ${userId}, 1, ${externalId}, ${kind}, ${amount}, ${amount},
        ${currency}, ${occurredAt}, ${occurredAt}, '')
      on conflict do nothing`
  }
}
