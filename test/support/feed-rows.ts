import type { Tx } from '../../src/platform/database.ts'
import type { Publisher } from '../../src/publishers/index.ts'
import type { SourceEventInput } from '../../src/transactions/intake/event.ts'

/** Stores the rows of a linked card's feed that these events come from, as the linker does before it ingests them. */
export async function insertFeedRows(tx: Tx, publisher: Publisher, events: readonly SourceEventInput[]): Promise<void> {
  for (const { userId, externalId, kind, amount, currency, occurredAt, isFeed } of events) {
    if (isFeed !== true || !/AUTHORIZATION|CLEARING|REFUND/.test(kind)) continue
    await tx`
      insert into links (user_id, link_id, publisher_id, institution_id, institution_name, linked_at)
      values (${userId}, ${userId}, ${publisher.id}, 'bank', 'Bank', ${new Date(0)})
      on conflict do nothing`
    await tx`
      insert into feed_rows (user_id, row_id, publisher_id, link_id, generation, external_id, handed_as, amount, peak_amount,
        currency, bought_on, occurred_at, content_hash)
      values (${userId}, ${externalId}, ${publisher.id}, ${userId}, 1, ${externalId}, ${kind}, ${amount}, ${amount},
        ${currency}, ${occurredAt}, ${occurredAt}, '')
      on conflict do nothing`
  }
}
