import type { Reader } from '../../platform/db/database.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { Publisher } from '../../tenants/publishers/index.ts'
import type { EventRefusal } from '../errors.ts'
import type { NumberedEvent } from '../event-body.ts'
import { type FeedBounds, findFeedBounds, listEpochs, listEventsAfter } from './feed-queries.ts'

/**
 * A position in the feed: a sequence, or a cursor that also contains the epoch. The epoch is 0, or the instant the
 * database was restored from a backup. New events reuse the numbers of lost ones, so a reader that tracked only the
 * number would skip them.
 */
type FeedPosition = { readonly epoch: number | null; readonly sequence: number }

type ReadPage = {
  readonly events: readonly NumberedEvent[]
  readonly next: { readonly epoch: number; readonly sequence: number }
}

/**
 * Reads a page of the feed.
 * @param given null to read from the oldest stored event
 * @throws Refusal feed_position_invalid for a position beyond the newest event, feed_restored, events_dropped
 */
export async function readFeed(
  reader: Reader,
  publisher: Publisher,
  given: FeedPosition | null,
  limit: number,
): Promise<ReadPage> {
  const [bounds, epochs] = await Promise.all([findFeedBounds(reader, publisher), listEpochs(reader, publisher.id)])
  const from = given ?? { epoch: null, sequence: bounds.droppedUntil }
  const field = from.epoch === null ? 'after' : 'cursor'
  checkPosition(from, bounds.newest, epochs)
  checkKept(from.sequence, bounds, field)
  const events = await listEventsAfter(reader, publisher, from.sequence, limit)
  // Sequences have no gaps, so anything missing before the first event was dropped since the bounds were read.
  const first = Number(events[0]?.sequence ?? from.sequence + 1)
  checkKept(from.sequence, { ...bounds, droppedUntil: first - 1 }, field)
  const sequence = Number(events.at(-1)?.sequence ?? from.sequence)
  return { events, next: { epoch: epochs.at(-1)?.epoch ?? 0, sequence } }
}

/** @throws Refusal events_dropped if events after the sequence are no longer stored */
export function checkKept(after: number, { droppedUntil, newest }: FeedBounds, field: string): void {
  if (after >= droppedUntil) return
  throw new Refusal<EventRefusal>(
    'events_dropped',
    `Events up to ${droppedUntil} are no longer retained, so the feed after ${after} is incomplete. Read the ` +
      `current state of users and transactions, and continue with after=${droppedUntil}.`,
    { field, members: { oldest: droppedUntil + 1, resume_after: droppedUntil, newest } },
  )
}

type Epoch = { readonly epoch: number; readonly beginsAfter: number }

function checkPosition({ epoch, sequence }: FeedPosition, newest: number, epochs: readonly Epoch[]): void {
  if (epoch !== null) {
    const isKnown = epoch === 0 || epochs.some((one) => one.epoch === epoch)
    const later = epochs.filter((one) => one.epoch > epoch).map(({ beginsAfter }) => beginsAfter)
    const shared = isKnown ? Math.min(newest, ...later) : 0
    if (!isKnown || (later.length > 0 && sequence > shared)) {
      throw new Refusal<EventRefusal>(
        'feed_restored',
        `The database was restored from a backup, so the events after ${shared} are not the ones you read. ` +
          `Continue with after=${shared}.`,
        { field: 'cursor', members: { resume_after: shared, newest } },
      )
    }
  }
  if (sequence > newest) {
    throw new Refusal<EventRefusal>('feed_position_invalid', `The newest event has the sequence number ${newest}.`, {
      field: epoch === null ? 'after' : 'cursor',
      members: { newest },
    })
  }
}

const CURSOR = /^(\d{1,12})-(\d{1,15})$/

/**
 * Parses a cursor.
 * @throws Refusal feed_position_invalid
 */
export function parseCursor(cursor: string): FeedPosition {
  const [, epoch, sequence] = CURSOR.exec(cursor) ?? []
  if (epoch !== undefined && sequence !== undefined) return { epoch: Number(epoch), sequence: Number(sequence) }
  throw new Refusal<EventRefusal>('feed_position_invalid', 'cursor must be a `next_cursor`, such as 0-42.', {
    field: 'cursor',
  })
}

export function formatCursor({ epoch, sequence }: ReadPage['next']): string {
  return `${epoch}-${sequence}`
}
