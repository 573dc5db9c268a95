import { DAY_MS } from '../../src/platform/calendar.ts'
import type { UserId } from '../../src/platform/ids.ts'
import type { Baseline } from '../../src/purchases/linker/feed/plan/draft.ts'
import { parseUpdate } from '../../src/purchases/linker/feed/plan/parse-row.ts'
import { planExpiry, planUpdate } from '../../src/purchases/linker/feed/plan/plan.ts'
import type { FeedRow } from '../../src/purchases/linker/feed/rows.ts'
import type { ProviderRow } from '../../src/purchases/linker/provider.ts'
import type { CardId } from '../../src/sources/cards/index.ts'

const CARD = 'c0000000-0000-7000-8000-000000000001' as CardId
const OTHER_CARD = 'c0000000-0000-7000-8000-000000000002' as CardId
const FORMER_CARD = 'c0000000-0000-7000-8000-000000000003' as CardId
const LINKED = new Date('2026-01-01T00:00:00Z')
export const KETTLE = { merchantName: 'Blue Kettle' }
export const NOW = new Date('2026-03-10T12:00:00Z')

export type FeedStep = {
  readonly rows?: readonly ProviderRow[]
  readonly removed?: readonly string[]
  readonly generation?: number
  /** Whole days since the first step, on the publisher's clock. */
  readonly day?: number
  /** Reverses whatever is due by then, without reading rows. */
  readonly expire?: true
  /** True if the account is closed. */
  readonly closed?: true
}

export function makeBaseline(stored: readonly FeedRow[], now: Date, generation: number): Baseline {
  return {
    userId: 'u' as UserId,
    timeZone: 'UTC',
    now,
    generation,
    cardOfAccount: new Map([
      ['acc', { cardId: CARD, linkedAt: LINKED, takenOver: false }],
      ['acc-new', { cardId: CARD, linkedAt: LINKED, takenOver: false }],
      ['acc-former', { cardId: FORMER_CARD, linkedAt: LINKED, takenOver: false }],
      ['other', { cardId: OTHER_CARD, linkedAt: LINKED, takenOver: false }],
    ]),
    formerCards: new Map([[FORMER_CARD, CARD]]),
    stored,
  }
}

/** Plays updates one after another, storing their rows as the database would. Returns the events of each. */
export function play(...steps: readonly FeedStep[]): string[][] {
  const stored = new Map<string, FeedRow>()
  return steps.map(({ rows = [], removed = [], generation = 1, day = 0, expire = false, closed = false }) => {
    const now = new Date(NOW.getTime() + day * DAY_MS)
    const baseline = makeBaseline([...stored.values()], now, generation)
    const plan = expire
      ? planExpiry(baseline, closed ? new Set([CARD]) : new Set())
      : planUpdate(
          baseline,
          parseUpdate({ rows, removed }, 'UTC', ({ brandUid }) => brandUid ?? null),
        )
    for (const one of plan.rows) stored.set(one.rowId, one)
    return plan.events.map(
      ({ kind, externalId, originalExternalId, amount, occurredAt, facts }) =>
        `${kind} ${externalId}${originalExternalId === null ? '' : ` of ${originalExternalId}`} ${amount} @${occurredAt?.toISOString().slice(5, 10)}${facts.isHistory ? ' history' : ''}`,
    )
  })
}

/** Returns a feed row with defaults for everything that does not matter to the test. */
export function providerRow(rowId: string, amount: number, rest: Partial<ProviderRow> = {}): ProviderRow {
  return {
    rowId,
    accountId: 'acc',
    amount,
    currency: 'USD',
    pending: false,
    pendingRowId: null,
    date: '2026-03-05',
    datetime: null,
    authorizedDate: null,
    authorizedDatetime: null,
    name: 'BLUE KETTLE 77',
    category: 'FOOD_AND_DRINK',
    ...rest,
    facts: { accountId: rest.accountId ?? 'acc', ...(rest.facts ?? KETTLE) },
  }
}
