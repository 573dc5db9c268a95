import { randomInt } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { newId } from '../ids.ts'
import { PartnerError, unavailable } from '../partner-error.ts'
import { lookUp } from '../state.ts'
import type { World } from '../world.ts'
import { checkContent, outOfStock } from './products.ts'
import { type GiftCard, type GiftCardOrder, type OrderContent, type OrderLine, type Outcome, toKey } from './state.ts'

type OrderRequest = OrderContent & { readonly account: string; readonly reference: string; readonly at: Date }

/** The cents of an order's denominations determine its outcome. README.md has the full table. */
const CENTS = { neverDelivered: 2, delayed: 3, firstAnswerLost: 4, unavailableTwice: 5, usedAlready: 6 } as const
const UNAVAILABLE_CALLS = 2
const DELAY_MS = 86_400_000
const VALID_YEARS = 5

/**
 * Accepts an order idempotently: a repeat with the same reference and content returns the first order, and a repeat
 * with different content is rejected. A rejected order is not recorded.
 */
export function placeOrder(world: World, { account, reference, at, ...content }: OrderRequest): GiftCardOrder {
  const { giftCards } = world.state
  const key = toKey(account, reference)
  const recorded = lookUp(giftCards.orders, key)
  if (recorded !== undefined) {
    if (isDeepStrictEqual(recorded.content, content)) return deliverDue(world, recorded, at)
    throw new PartnerError(409, 'reference_reused', 'the reference belongs to an order with different content')
  }
  checkContent(world, content)
  const has = (cents: number) => content.lines.some(({ denomination }) => denomination % 100 === cents)
  if (has(CENTS.unavailableTwice) && countUnrecorded(world, key) <= UNAVAILABLE_CALLS) throw unavailable()
  const wished = world.nextGiftCards.take()
  if (wished === 'out_of_stock') throw outOfStock()
  const isDelayed = wished === 'delayed' || has(CENTS.delayed)
  const order: GiftCardOrder = {
    orderId: `gor_${newId()}`,
    number: ++giftCards.recorded,
    account,
    reference,
    content,
    orderedAt: at.toISOString(),
    status: 'processing',
    planned: {
      outcome: wished === 'partial' ? 'partially_delivered' : wished === 'failed' ? 'failed' : 'delivered',
      dueAt: new Date(at.getTime() + (isDelayed ? DELAY_MS : 0)).toISOString(),
    },
    cards: [],
  }
  giftCards.orders[key] = order
  delete giftCards.unrecorded[key]
  deliverDue(world, order, at)
  world.changed()
  if (has(CENTS.firstAnswerLost)) throw unavailable()
  return order
}

/** Returns the order in its state at the caller's time. */
export function findOrder(world: World, orderId: string, at: Date): GiftCardOrder {
  const order = listOrders(world).find((one) => one.orderId === orderId)
  if (order === undefined) throw new PartnerError(404, 'order_not_found', 'there is no such order')
  return deliverDue(world, order, at)
}

/** Returns all orders, newest first. */
export function listOrders({ state }: World): GiftCardOrder[] {
  return Object.values(state.giftCards.orders).toSorted((one, other) => other.number - one.number)
}

function deliverDue(world: World, order: GiftCardOrder, at: Date): GiftCardOrder {
  const { planned } = order
  if (planned === null || (planned.dueAt !== null && at < new Date(planned.dueAt))) return order
  order.cards = deliveredLines(order.content.lines, planned.outcome).flatMap(({ denomination, quantity }) =>
    Array.from({ length: quantity }, () => newCard(denomination, at)),
  )
  const ordered = order.content.lines.reduce((sum, { quantity }) => sum + quantity, 0)
  order.status =
    order.cards.length === 0 ? 'failed' : order.cards.length === ordered ? 'delivered' : 'partially_delivered'
  order.planned = null
  world.changed()
  return order
}

/**
 * Returns the delivered lines. A partial delivery lacks one card of the last line. Some denominations are never
 * delivered.
 */
function deliveredLines(lines: readonly OrderLine[], outcome: Outcome): OrderLine[] {
  if (outcome === 'failed') return []
  return lines.flatMap((line, index) => {
    const lacking = outcome === 'partially_delivered' && index === lines.length - 1 ? 1 : 0
    return line.denomination % 100 === CENTS.neverDelivered
      ? []
      : [{ ...line, quantity: Math.max(line.quantity - lacking, 0) }]
  })
}

function newCard(denomination: number, at: Date): GiftCard {
  const year = at.getUTCFullYear() + VALID_YEARS
  return {
    cardId: `gcd_${newId()}`,
    denomination,
    number: digits(16),
    code: digits(8),
    expiresOn: `${year}-12-31`,
    balance: denomination % 100 === CENTS.usedAlready ? 0 : denomination,
    isRefunded: false,
  }
}

function digits(length: number): string {
  return Array.from({ length }, () => randomInt(10)).join('')
}

function countUnrecorded({ state: { giftCards }, changed }: World, key: string): number {
  const calls = (giftCards.unrecorded[key] ?? 0) + 1
  giftCards.unrecorded[key] = calls
  changed()
  return calls
}
