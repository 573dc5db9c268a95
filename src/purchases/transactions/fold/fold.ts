import { addDays, DAY_MS, toDay } from '../../../platform/calendar.ts'
import { type EventKind, isByPublisher, type PurchaseFacts, type SourceEvent } from '../event.ts'
import type { PurchaseState } from '../rewards/settle.ts'
import type { StatusReason } from '../rewards/statuses.ts'
import { type Basket, capBasket, listItemsLeft, NOTHING, plus, scaleBasket } from './baskets.ts'
import { buildTree, type EventNode, isInner, subtractReversals } from './event-tree.ts'
import { findLoweredTotal, foldSaleStatements, listStatedTotals } from './sale-statements.ts'

/** An authorization that does not clear within this period lapses. */
export const AUTHORIZATION_DAYS = 10
/** The lock period assumed for a sale if its network's is unknown. Networks use 30 to 90 days. */
const LOCK_DAYS = 90
/** Networks report approvals in monthly runs, so a sale lapses this long after its lock period. */
const LOCK_GRACE_DAYS = 30

export type Folded = PurchaseState & {
  /** True if there is an authorization or a clearing. */
  readonly isPurchase: boolean
  /** True if the customer bought something. False if the hold was declined, reversed or lapsed before it cleared. */
  readonly wasMade: boolean
  readonly dateOnly: boolean
  /** True if, according to its first event, the purchase predates the linking of the card. */
  readonly isHistory: boolean
  /** The first event's facts, with gaps filled from later events. */
  readonly facts: PurchaseFacts
  /** The first event's facts only; null if no other event describes the purchase. */
  readonly firstFacts: PurchaseFacts | null
  /**
   * Like `facts`, but the clearing's facts take precedence; null unless there is both an authorization and a clearing.
   */
  readonly postedFacts: PurchaseFacts | null
  readonly currency: string
  /** Every total ever reported, in minor units: a hold, its clearings, a new total, and the remainder after refunds. */
  readonly totals: readonly bigint[]
  /** The amounts refunded, in minor units, according to the publisher and according to the feed or the network. */
  readonly givenBack: { readonly byPublisher: bigint; readonly byOthers: bigint }
  /** The highest total that the network has reported and its current total, in minor units, both before rejections. */
  readonly lowered: { readonly from: bigint; readonly to: bigint }
}

/** Orders events with the same time. */
const ORDER: Readonly<Record<EventKind, number>> = {
  AUTHORIZATION: 0,
  DECLINE: 1,
  CLEARING: 2,
  AMENDMENT: 3,
  REFUND: 4,
  REVERSAL: 5,
}

/**
 * Folds the source events of a purchase into its state (docs/purchase-events.md). The events form a tree by their
 * references and are folded in chronological order, so their arrival order does not matter.
 *
 * - AUTHORIZATION, CLEARING and AMENDMENT specify what was bought. The first CLEARING replaces the AUTHORIZATION, and
 *   further ones add up. An AMENDMENT sets a new total, to which later events are added.
 * - REFUND, REVERSAL and DECLINE undo. A REFUND gives money back. A REVERSAL undoes the event it references, up to the
 *   amount still in effect. This also applies to reversals of refunds, declines and reversals, at any depth. A DECLINE
 *   cancels an authorization until the decline is reversed.
 * - A REVERSAL of an authorization reduces the hold, which matters only until the clearing. After the clearing, a
 *   REVERSAL of the authorization releases the uncleared remainder if it matches that amount exactly, by itself or together
 *   with earlier ones. Any other amount is taken back from the purchase.
 * - Only the latest of a network's statements about an item of a sale is used (sale-statements.ts).
 * - The linked feed and the publisher report the same refunds, so the larger of the two sums is used. A refund that
 *   they attach to different purchases counts where the publisher attached it.
 * - Events in a currency other than the purchase's are ignored.
 * - Items not listed in a new total or a refund are scaled in proportion.
 *
 * @param refundedInAll the amount refunded according to all reports of the purchase, in minor units
 */
export function foldEvents(
  events: readonly SourceEvent[],
  timeZone: string,
  now: Date,
  refundedInAll: bigint = 0n,
): Folded {
  const reported = inOneCurrency(events.toSorted(asTheyHappened))
  const ordered = foldSaleStatements(reported, timeZone).toSorted(asTheyHappened)
  const nodes = buildTree(ordered)
  const sums = sumNodes(nodes)
  const bought = ordered.filter(isPurchaseEvent)
  const isPurchase = bought.length > 0
  const first = bought[0] ?? ordered[0]
  if (first === undefined) throw new Error('a purchase without events cannot be folded')
  const clearing = ordered.findLast(({ kind }) => kind === 'CLEARING')
  const basket = isPurchase ? (deriveCurrent(sums) ?? NOTHING) : NOTHING
  const more = refundedInAll - sums.taken.amount
  const taken = more > 0n ? plus(sums.taken, { ...NOTHING, amount: more }) : sums.taken
  const refunded = isPurchase && taken.amount > basket.amount ? basket.amount : taken.amount
  const state = {
    amount: basket.amount,
    refunded,
    items: listItemsLeft(basket, taken, refunded),
    reported: first.amount,
    authorizedAt: first.occurredAt,
    ...deriveClearance(reported, first, clearing, timeZone),
    changedAt: reported.at(-1)?.occurredAt ?? first.occurredAt,
  }
  const reason = emptyReason(
    { ...state, isPurchase, isDeclined: sums.declined, isRefundedElsewhere: more > 0n },
    nodes,
    now,
  )
  return {
    ...state,
    emptyReason: reason,
    isPurchase,
    wasMade: isPurchase && (clearing !== undefined || reason === null || reason === 'refunded'),
    dateOnly: first.dateOnly,
    isHistory: first.facts.isHistory === true,
    ...pickFacts(ordered),
    currency: first.currency,
    totals: computeTotals(ordered, [state.amount, state.amount - state.refunded, ...listStatedTotals(reported)]),
    givenBack: sumGivenBack(sums, reason, events.every(isByPublisher)),
    lowered: findLoweredTotal(reported),
  }
}

/** Returns the purchase as if nothing had been refunded. */
export function removeRefunds(folded: Folded): Folded {
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

export function isPurchaseEvent({ kind }: Pick<SourceEvent, 'kind'>): boolean {
  return kind === 'AUTHORIZATION' || kind === 'CLEARING'
}

/**
 * Banks may report a purchase before they know the merchant, so an amendment can be the first event that identifies it.
 */
function describesPurchase(event: SourceEvent): boolean {
  return isPurchaseEvent(event) || event.kind === 'AMENDMENT'
}

type Sums = {
  authorized: Basket | null
  cleared: Basket | null
  /** The amount and items that reversals took back. */
  reversed: Basket
  /** The publisher and the feed report the same refunds, so only the larger sum is used. */
  refunds: Refunds
  /**
   * The amount that reversals of the hold took back after its clearing, unless they turn out to release the uncleared
   * remainder.
   */
  offHold: Basket
  declined: boolean
}

type Refunds = { readonly byPublisher: Basket; readonly byOthers: Basket }

/**
 * Excludes the reversal of an entire purchase, such as a row that the bank dropped, because it is not evidence of a
 * refund.
 */
function sumGivenBack({ refunds, reversed }: Sums, reason: StatusReason | null, isOwn: boolean): Folded['givenBack'] {
  const [byPublisher, byOthers] = [refunds.byPublisher.amount, refunds.byOthers.amount]
  const more = reason === 'reversed' ? 0n : reversed.amount
  return { byPublisher: byPublisher + (isOwn ? more : 0n), byOthers: byOthers + (isOwn ? 0n : more) }
}

function sumNodes(nodes: readonly EventNode[]): Sums & { readonly taken: Basket } {
  const refunds = { byPublisher: NOTHING, byOthers: NOTHING }
  const sums: Sums = { authorized: null, cleared: null, reversed: NOTHING, refunds, offHold: NOTHING, declined: false }
  for (const node of nodes) apply(sums, node)
  const { byPublisher, byOthers } = sums.refunds
  const reversed = plus(sums.reversed, sums.offHold)
  return { ...sums, reversed, taken: plus(reversed, byOthers.amount > byPublisher.amount ? byOthers : byPublisher) }
}

function apply(sums: Sums, node: EventNode): void {
  const { event, own } = node
  switch (event.kind) {
    case 'AUTHORIZATION':
      sums.authorized = plus(sums.authorized, own)
      break
    case 'CLEARING':
      sums.cleared = plus(sums.cleared, own)
      break
    case 'AMENDMENT':
      amend(sums, event.facts.items === undefined ? scaleBasket(deriveCurrent(sums) ?? NOTHING, event.amount) : own)
      break
    case 'REFUND':
      sums.refunds = withRefund(sums.refunds, node)
      break
    case 'REVERSAL':
      reverse(sums, node)
      break
    case 'DECLINE':
      sums.declined ||= subtractReversals(node).amount > 0n
      break
    default:
      event.kind satisfies never
  }
}

function withRefund({ byPublisher, byOthers }: Refunds, node: EventNode): Refunds {
  if (countsElsewhere(node)) return { byPublisher, byOthers }
  const isOwn = isByPublisher(node.event)
  const standing = subtractReversals(node)
  return {
    byPublisher: isOwn ? plus(byPublisher, standing) : byPublisher,
    byOthers: isOwn && node.event.isPairedRefund !== true ? byOthers : plus(byOthers, standing),
  }
}

/** True for a feed refund that the publisher attached to another purchase. */
function countsElsewhere({ event }: EventNode): boolean {
  return event.isPairedRefund === true && !isByPublisher(event)
}

function amend(sums: Sums, total: Basket): void {
  if (sums.cleared === null) sums.authorized = total
  else sums.cleared = total
}

/** Returns what was bought according to the events so far. A clearing without items inherits the items of the hold. */
function deriveCurrent({ authorized, cleared }: Sums): Basket | null {
  if (cleared === null || authorized === null || cleared.items.size > 0) return cleared ?? authorized
  return scaleBasket(authorized, cleared.amount)
}

function reverse(sums: Sums, node: EventNode): void {
  const { authorized, cleared } = sums
  const standing = subtractReversals(node)
  if (isInner(node) || standing.amount === 0n) return
  const isOfHold = node.named?.event.kind === 'AUTHORIZATION'
  if (isOfHold && cleared !== null) {
    release(sums, cleared, standing)
    return
  }
  const taken = capBasket(standing, node.most)
  const rest = isOfHold && authorized !== null ? authorized.amount - taken.amount : null
  if (authorized !== null && rest !== null) sums.authorized = scaleBasket(authorized, rest > 0n ? rest : 0n)
  else sums.reversed = plus(sums.reversed, taken)
}

/**
 * Handles a reversal of a cleared hold. The reversal releases the uncleared remainder if it matches that amount
 * exactly, either by itself or together with all earlier ones.
 */
function release(sums: Sums, cleared: Basket, one: Basket): void {
  const { authorized, offHold } = sums
  const all = plus(offHold, one)
  const released = [one, all].find(({ amount }) => authorized !== null && authorized.amount - amount === cleared.amount)
  if (authorized !== null && released !== undefined) sums.authorized = scaleBasket(authorized, cleared.amount)
  sums.offHold = released === undefined ? all : released === all ? NOTHING : offHold
}

type Clearance = Pick<Folded, 'clearedOn' | 'clearsOn' | 'lapsesAt'>

/**
 * Returns when the purchase cleared, should clear or lapses. A card hold should clear immediately and lapses within
 * days. A sale waits for its network's lock period.
 */
function deriveClearance(
  reported: readonly SourceEvent[],
  { source, occurredAt }: SourceEvent,
  clearing: SourceEvent | undefined,
  timeZone: string,
): Clearance {
  if (clearing !== undefined) {
    const clearedOn = toDay(clearing.occurredAt, timeZone)
    return { clearedOn, clearsOn: clearedOn, lapsesAt: null }
  }
  const isSale = source === 'AFFILIATE'
  const stated = reported.findLast(({ facts }) => facts.stated !== undefined)?.facts.stated
  const lockDays = isSale ? (stated?.lockDays ?? LOCK_DAYS) : 0
  const days = isSale ? lockDays + LOCK_GRACE_DAYS : AUTHORIZATION_DAYS
  return {
    clearedOn: null,
    clearsOn: addDays(toDay(occurredAt, timeZone), lockDays),
    lapsesAt: new Date(occurredAt.getTime() + days * DAY_MS),
  }
}

const EMPTY_REASONS: readonly (StatusReason | null)[] = [
  ...(['declined', 'original_unknown', 'refunded', 'reversed', 'authorization_expired', 'merged'] as const),
]

/** True if this reason means that nothing remains to be rewarded. */
export function isEmptyReason(reason: StatusReason | null): boolean {
  return EMPTY_REASONS.includes(reason)
}

type Left = Pick<Folded, 'amount' | 'refunded' | 'clearedOn' | 'lapsesAt' | 'isPurchase'> & {
  readonly isDeclined: boolean
  readonly isRefundedElsewhere: boolean
}

function emptyReason(left: Left, nodes: readonly EventNode[], now: Date): StatusReason | null {
  const { amount, refunded, clearedOn, lapsesAt, isPurchase, isDeclined, isRefundedElsewhere } = left
  if (!isPurchase) return isDeclined ? 'declined' : 'original_unknown'
  if (isDeclined && clearedOn === null) return 'declined'
  if (amount - refunded <= 0n) {
    const isRefunded = isRefundedElsewhere || nodes.findLast(takesBack)?.event.kind === 'REFUND'
    return isRefunded ? 'refunded' : 'reversed'
  }
  return lapsesAt !== null && lapsesAt <= now ? 'authorization_expired' : null
}

function takesBack(node: EventNode): boolean {
  const { kind } = node.event
  if (kind !== 'REFUND' && kind !== 'REVERSAL') return false
  return !isInner(node) && !countsElsewhere(node) && subtractReversals(node).amount > 0n
}

function computeTotals(ordered: readonly SourceEvent[], known: readonly bigint[]): bigint[] {
  const addUp = (kind: EventKind): bigint =>
    ordered.filter((event) => event.kind === kind).reduce((sum, { amount }) => sum + amount, 0n)
  const amended = ordered.filter(({ kind }) => kind === 'AMENDMENT').map(({ amount }) => amount)
  const totals = [...known, addUp('AUTHORIZATION'), addUp('CLEARING'), ...amended]
  return [...new Set(totals)].filter((total) => total > 0n)
}

function pickFacts(ordered: readonly SourceEvent[]): Pick<Folded, 'facts' | 'firstFacts' | 'postedFacts'> {
  if (!ordered.some(isPurchaseEvent)) return { facts: mergedFacts(ordered), firstFacts: null, postedFacts: null }
  const describing = ordered.filter(describesPurchase)
  const posted = describing.filter(({ kind }) => kind === 'CLEARING')
  const isBoth = posted.length > 0 && describing.some(({ kind }) => kind === 'AUTHORIZATION')
  return {
    facts: mergedFacts(describing),
    firstFacts: describing.length > 1 ? (describing[0]?.facts ?? null) : null,
    postedFacts: isBoth ? mergedFacts([...posted, ...describing]) : null,
  }
}

function mergedFacts(events: readonly SourceEvent[]): PurchaseFacts {
  return Object.assign({}, ...events.toReversed().map((event) => event.facts))
}
