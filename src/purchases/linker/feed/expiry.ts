import type { Tx } from '../../../platform/db/database.ts'
import type { PublisherId } from '../../../platform/ids.ts'
import { type CardId, listLinks, lockCards } from '../../../sources/cards/index.ts'
import { getPublisher, type Publisher, publisherNow } from '../../../tenants/publishers/index.ts'
import type { LinkerDeps } from '../deps.ts'
import { createBaseline } from './plan/draft.ts'
import { planExpiry } from './plan/plan.ts'
import * as feed from './queries.ts'
import type { FeedRow } from './rows.ts'
import { carryOut } from './store.ts'

// The number of feeds per pass, each in its own transaction. Small enough to keep passes short.
const FEEDS_AT_ONCE = 50

/**
 * Reverses the events of rows that vanished and were not replaced in time: holds that never posted and postings that
 * were removed. Due times follow the publisher's clock. Covers one publisher, or all if `publisherId` is null. Returns
 * true if there may be more.
 */
export async function expireHolds(deps: LinkerDeps, publisherId: PublisherId | null): Promise<boolean> {
  const due = await feed.listDueFeeds(deps.db.reader, publisherId, deps.clock.now(), FEEDS_AT_ONCE)
  let failed = false
  for (const one of due) {
    try {
      await expireFeed(deps, one)
    } catch (error) {
      // One failing feed must not block the others. The next pass retries it.
      failed = true
      deps.log.error({ err: error, link_id: one.linkId }, 'expired rows of a feed could not be reversed')
    }
  }
  return due.length === FEEDS_AT_ONCE && !failed
}

async function expireFeed(deps: LinkerDeps, of: feed.DueFeed): Promise<void> {
  await deps.db.transaction(async (tx) => {
    await lockCards(tx, of.publisherId, of.userId)
    const publisher = await getPublisher(tx, of.publisherId)
    const now = publisherNow(publisher, deps.clock)
    // Read under the lock, because a sync may have found a row's replacement in the meantime.
    const rows = await feed.listExpired(tx, publisher.id, of, now)
    const baseline = createBaseline(publisher, of, rows, now)
    const closed = await closedCards(tx, publisher, of, rows)
    await carryOut(tx, deps, publisher, of, baseline, planExpiry(baseline, closed))
  })
}

/**
 * Returns the cards of these rows that the user or the bank has closed: their login is still linked but no longer shows
 * them.
 */
async function closedCards(
  tx: Tx,
  publisher: Publisher,
  { userId, linkId }: feed.DueFeed,
  rows: readonly FeedRow[],
): Promise<ReadonlySet<CardId>> {
  const linked = (await listLinks(tx, publisher, userId)).find(({ link }) => link.linkId === linkId)
  if (linked === undefined) return new Set()
  const shown = new Set(linked.cards.map((card) => card.cardId))
  return new Set(rows.flatMap(({ cardId }) => (cardId === null || shown.has(cardId) ? [] : [cardId])))
}
