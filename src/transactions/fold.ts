import { type Day, dayOf } from '../platform/calendar.ts'
import type { PurchaseState, StatusReason } from '../rewards/index.ts'
import { type Basket, basketOf, itemsLeft, negative, plus, scaled } from './baskets.ts'
import type { EventKind, PurchaseFacts, SourceEvent } from './event.ts'

/** Never available on an authorization alone: without a clearing within this time it lapses. */
export const AUTHORIZATION_DAYS = 10
const DAY_MS = 86_400_000
const EMPTY: Basket = { amount: 0n, items: new Map() }

export type Folded = PurchaseState & {
  /** Whether something was bought, so that there is something to decide. */
  readonly isPurchase: boolean
  readonly dateOnly: boolean
  /** Bought before its card was linked, by what was told of it first. */
  readonly isHistory: boolean
  /** What was told first stands, what came later fills. */
  readonly facts: PurchaseFacts
  /** The same, what was told at posting before all else; null where only a hold or only postings told of it. */
  readonly postedFacts: PurchaseFacts | null
  readonly currency: string
}

// Of events at one instant, this is the order in which they can have happened.
const ORDER: Readonly<Record<EventKind, number>> = {
  AUTHORIZATION: 0,
  DECLINE: 1,
  CLEARING: 2,
  AMENDMENT: 3,
  REFUND: 4,
  REVERSAL: 5,
}

type Sums = {
  authorized: Basket | null
  /** The goods of the hold, as they were known when it was cleared. */
  held: Basket | null
  cleared: Basket | null
  amended: Basket | null
  refunds: Basket
  reversed: Basket
  declined: boolean
  lastTaking: 'refunded' | 'reversed' | null
}

/**
 * Folds all source events of one purchase into its state. Events are taken in the order in which they happened, not in which
 * they came, so every order of arrival gives the same state.
 *
 * - An AUTHORIZATION states what may be charged; the first CLEARING replaces it, further CLEARINGs add up.
 * - An AMENDMENT states the new total; clearings after it add to that.
 * - A REFUND takes back. A REVERSAL takes back too, with two exceptions: of a refund it gives back what the refund took;
 *   of an authorization it shrinks the hold, which counts only until the clearing. After the clearing that is so for
 *   exactly what was not cleared; any other reversal naming the authorization takes back of the purchase. A reversal of
 *   such a reversal gives back what that one took.
 * - Money of another currency than the purchase's cannot be added to it and is left aside; the door refuses it.
 * - A DECLINE ends an authorization.
 * - Items go with their amounts: what a new total or a refund does not name changes in proportion.
 */
export function foldEvents(events: readonly SourceEvent[], timeZone: string, now: Date): Folded {
  const ordered = inOneCurrency(events.toSorted(asTheyHappened))
  const named = new Map(events.map((event) => [event.externalId, event]))
  const sums: Sums = {
    authorized: null,
    held: null,
    cleared: null,
    amended: null,
    refunds: EMPTY,
    reversed: EMPTY,
    declined: false,
    lastTaking: null,
  }
  let clearedOn: Day | null = null
  for (const event of ordered) {
    apply(sums, event, named)
    if (event.kind === 'CLEARING') clearedOn = dayOf(event.occurredAt, timeZone)
  }
  const bought = ordered.filter(isPurchaseEvent)
  const first = bought[0] ?? ordered[0]
  if (first === undefined) throw new Error('a purchase without events cannot be folded')
  const basket = bought.length === 0 ? EMPTY : (currentOf(sums) ?? EMPTY)
  const taken = positive(sums.refunds.amount) + positive(sums.reversed.amount)
  const refunded = bought.length === 0 || taken < basket.amount ? taken : basket.amount
  const state = {
    amount: basket.amount,
    refunded,
    items: itemsLeft(basket, plus(sums.refunds, sums.reversed), refunded),
    authorizedAt: first.occurredAt,
    clearedOn,
    changedAt: ordered.at(-1)?.occurredAt ?? first.occurredAt,
  }
  return {
    ...state,
    emptyReason: emptyReason(state, sums, bought.length > 0, now),
    isPurchase: bought.length > 0,
    dateOnly: first.dateOnly,
    isHistory: first.facts.isHistory === true,
    ...factsOf(ordered),
    currency: first.currency,
  }
}

/** What was bought, before anything was given back. */
export function beforeRefunds(folded: Folded): Folded {
  return { ...folded, refunded: 0n, items: folded.items.map((item) => ({ ...item, refunded: 0n })) }
}

function asTheyHappened(a: SourceEvent, b: SourceEvent): number {
  const apartMs = a.occurredAt.getTime() - b.occurredAt.getTime()
  return apartMs || ORDER[a.kind] - ORDER[b.kind] || (a.externalId < b.externalId ? -1 : 1)
}

function inOneCurrency(ordered: readonly SourceEvent[]): SourceEvent[] {
  const first = ordered.find(isPurchaseEvent) ?? ordered[0]
  return ordered.filter((event) => event.currency === first?.currency)
}

function isPurchaseEvent(event: SourceEvent): boolean {
  return event.kind === 'AUTHORIZATION' || event.kind === 'CLEARING'
}

/** Who was paid may be told only when the amount is told once more: banks show many a row before they know its merchant. */
function describesPurchase(event: SourceEvent): boolean {
  return isPurchaseEvent(event) || event.kind === 'AMENDMENT'
}

function apply(sums: Sums, event: SourceEvent, named: ReadonlyMap<string, SourceEvent>): void {
  switch (event.kind) {
    case 'AUTHORIZATION':
      sums.authorized = plus(sums.authorized, basketOf(event))
      break
    case 'CLEARING':
      if (sums.cleared === null) sums.held = sums.amended ?? sums.authorized
      sums.amended = sums.amended !== null && sums.cleared !== null ? plus(sums.amended, basketOf(event)) : null
      sums.cleared = plus(sums.cleared, basketOf(event))
      break
    case 'AMENDMENT':
      sums.amended = event.facts.items === undefined ? scaled(currentOf(sums) ?? EMPTY, event.amount) : basketOf(event)
      break
    case 'REFUND':
      sums.refunds = plus(sums.refunds, basketOf(event))
      sums.lastTaking = 'refunded'
      break
    case 'REVERSAL':
      reverse(sums, event, named.get(event.originalExternalId ?? ''))
      break
    case 'DECLINE':
      sums.declined = true
      break
    default:
      event.kind satisfies never
  }
}

/** What stands by the events so far. Where no clearing says what was bought, it is what the hold said. */
function currentOf({ authorized, held, cleared, amended }: Sums): Basket | null {
  if (amended !== null || cleared === null) return amended ?? authorized
  const hold = held ?? authorized
  return cleared.items.size === 0 && hold !== null ? scaled(hold, cleared.amount) : cleared
}

function reverse(sums: Sums, event: SourceEvent, original: SourceEvent | undefined): void {
  const { authorized, cleared } = sums
  const hold = original?.kind === 'AUTHORIZATION' ? authorized : null
  const rest = hold === null ? null : hold.amount - event.amount
  if (original?.kind === 'REFUND') {
    sums.refunds = plus(sums.refunds, givenBack(event, original))
  } else if (original?.kind === 'REVERSAL') {
    sums.reversed = plus(sums.reversed, givenBack(event, original))
  } else if (hold !== null && rest !== null && (cleared === null || rest === cleared.amount)) {
    sums.authorized = scaled(hold, positive(rest))
    if (cleared === null) sums.amended = null
    sums.lastTaking = 'reversed'
  } else {
    sums.reversed = plus(sums.reversed, basketOf(event))
    sums.lastTaking = 'reversed'
  }
}

/** What a reversal of a refund or of a reversal gives back: the goods it names, or in proportion those that were taken. */
function givenBack(event: SourceEvent, original: SourceEvent): Basket {
  return negative(event.facts.items === undefined ? scaled(basketOf(original), event.amount) : basketOf(event))
}

function emptyReason(
  state: Pick<Folded, 'amount' | 'refunded' | 'authorizedAt' | 'clearedOn'>,
  sums: Sums,
  isPurchase: boolean,
  now: Date,
): StatusReason | null {
  if (!isPurchase) return sums.declined ? 'declined' : 'original_unknown'
  if (sums.declined && sums.cleared === null) return 'declined'
  if (state.amount - state.refunded <= 0n) return sums.lastTaking ?? 'reversed'
  const lapsesAt = state.authorizedAt.getTime() + AUTHORIZATION_DAYS * DAY_MS
  return state.clearedOn === null && lapsesAt <= now.getTime() ? 'authorization_expired' : null
}

function factsOf(ordered: readonly SourceEvent[]): Pick<Folded, 'facts' | 'postedFacts'> {
  if (!ordered.some(isPurchaseEvent)) return { facts: mergedFacts(ordered), postedFacts: null }
  const telling = ordered.filter(describesPurchase)
  const posted = telling.filter(({ kind }) => kind === 'CLEARING')
  const isBoth = posted.length > 0 && telling.some(({ kind }) => kind === 'AUTHORIZATION')
  return { facts: mergedFacts(telling), postedFacts: isBoth ? mergedFacts([...posted, ...telling]) : null }
}

/** What the earliest event knows stands; later ones fill what it left open. */
function mergedFacts(events: readonly SourceEvent[]): PurchaseFacts {
  return Object.assign({}, ...events.toReversed().map((event) => event.facts))
}

function positive(amount: bigint): bigint {
  return amount > 0n ? amount : 0n
}
