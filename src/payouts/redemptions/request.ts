import type { Assortment } from '../../catalog/catalog/index.ts'
import { type Balances, getBalances, openBook } from '../../ledger/index.ts'
import { startOfDay, toDay } from '../../platform/calendar.ts'
import { buildConflictRefusal, listDifferingFields } from '../../platform/conflict.ts'
import { awaitAll, type Tx } from '../../platform/db/database.ts'
import { newUuid, toUserId, type UserId } from '../../platform/ids.ts'
import { formatDecimal, toJsonNumber } from '../../platform/money.ts'
import { Refusal } from '../../platform/refusal.ts'
import { getLimits, type MoneyLimits, type PayoutMethod, type Publisher } from '../../tenants/publishers/index.ts'
import { getNamedUser } from '../../users/users/index.ts'
import { findOrderableCards } from '../gift-cards/index.ts'
import type { StoredDestination } from './destination.ts'
import { findDestination } from './destination-queries.ts'
import type { RedemptionRefusal } from './errors.ts'
import { findByRef, readUsedSince } from './queries.ts'
import { changeState, recordPaths } from './record.ts'
import type { Redemption } from './redemption.ts'
import {
  countApprovals,
  findRequestFault,
  hasDayLimit,
  listApprovalStates,
  needsBankAccount,
  type RequestFault,
  usesDestination,
} from './rules.ts'

type RedemptionRequest = {
  readonly publisherUserId: string
  /** One of the publisher's currencies. */
  readonly currency: string
  /** In minor units; null for the entire available balance. */
  readonly amount: bigint | null
  readonly method: PayoutMethod
  readonly externalRef: string | null
  /** The offer of the card that a `gift_card` redemption buys, with the publisher's assortment. */
  readonly card?: { readonly offerUid: string; readonly assortment: Assortment }
}

/**
 * Holds part of a user's available balance for a payout. Works regardless of the user's status, because earned money
 * belongs to the user. Returns the existing redemption if there is one with this `externalRef`.
 * @throws Refusal user_not_found, redemption_conflict, redemption_method_not_allowed, destination_missing,
 * destination_cooling_down, balance_insufficient, redemption_below_minimum, redemption_limit_reached, and for gift
 * cards offer_unknown, offer_not_available, denomination_invalid, gift_card_supplier_missing
 */
export async function requestRedemption(
  tx: Tx,
  publisher: Publisher,
  request: RedemptionRequest,
  now: Date,
): Promise<Redemption> {
  const { externalRef, currency } = request
  const limits = { ...publisher, ...getLimits(publisher, currency) }
  const userId = toUserId(publisher.id, request.publisherUserId)
  const since = startOfDay(toDay(now, publisher.timeZone), publisher.timeZone)
  // These queries are pipelined. Those after the lock see everything committed before the lock was acquired.
  const [book, , known, destination, used] = await awaitAll([
    openBook(tx, publisher, [userId]),
    getNamedUser(tx, publisher, request.publisherUserId),
    externalRef === null ? Promise.resolve(null) : findByRef(tx, publisher.id, userId, externalRef),
    usesDestination(request.method) ? findDestination(tx, publisher.id, userId) : Promise.resolve(null),
    hasDayLimit(limits)
      ? readUsedSince(tx, publisher.id, { userId, currency, since })
      : Promise.resolve({ amount: 0n, count: 0 }),
  ])
  if (known !== null) return sameRequest(known, request)
  if (!publisher.redemptionMethods.includes(request.method))
    throw new Refusal<RedemptionRefusal>(
      'redemption_method_not_allowed',
      `This publisher pays out by ${publisher.redemptionMethods.join(', ')}.`,
      { field: 'method' },
    )
  refuseDestination(destination, request.method, now)
  const balances = getBalances(book, userId, request)
  const amount = request.amount ?? balances.available
  const fault = findRequestFault(amount, balances, used, limits)
  if (fault !== null) throw toRefusal(fault, balances, limits, currency)
  refuseCard(publisher, { ...request, amount }, now)
  const requested = newRedemption(publisher, userId, { ...request, amount }, destination, now)
  const states = [requested]
  if (requested.approvalsNeeded === 0)
    for (const status of listApprovalStates(request.method))
      states.push(changeState(states.at(-1) ?? requested, { status }, now))
  await recordPaths(tx, book, [{ before: null, states }], 'publisher', now)
  return states.at(-1) ?? requested
}

/** Returns the existing redemption if the repeated request matches it, and refuses the request otherwise. */
function sameRequest(known: Redemption, { currency, amount, method, card }: RedemptionRequest): Redemption {
  const fields = listDifferingFields(
    { amount: known.amount, currency: known.currency, method: known.method, offerUid: known.offerUid },
    // A repeated request for the entire balance matches, whatever the balance was the first time.
    { amount: amount ?? known.amount, currency, method, offerUid: card?.offerUid ?? null },
  )
  if (fields.length === 0) return known
  throw buildConflictRefusal<RedemptionRefusal>('redemption_conflict', {
    what: `The redemption ${known.externalRef} was requested`,
    key: 'external_ref',
    fields,
  })
}

function refuseDestination(destination: StoredDestination | null, method: PayoutMethod, now: Date): void {
  if (destination === null || (needsBankAccount(method) && destination.kind === 'email')) {
    if (!needsBankAccount(method)) return
    throw new Refusal<RedemptionRefusal>(
      'destination_missing',
      'The user has no bank account. Set one with PUT /users/{publisher_user_id}/payout-destination.',
    )
  }
  if (now < destination.usableFrom)
    throw new Refusal<RedemptionRefusal>(
      'destination_cooling_down',
      'The destination was changed recently and cannot be paid yet.',
      { members: { usable_from: destination.usableFrom.toISOString() } },
    )
}

/** Refuses a gift card redemption if the offer has no card of this amount. */
function refuseCard(
  publisher: Publisher,
  { card, amount, currency }: RedemptionRequest & { readonly amount: bigint },
  now: Date,
): void {
  if (card === undefined) return
  const items = [{ denomination: toJsonNumber(amount, currency), quantity: 1 }]
  findOrderableCards(card.assortment, publisher, { offerUid: card.offerUid, currency, items }, now)
}

function toRefusal(
  fault: RequestFault,
  { available }: Balances,
  limits: MoneyLimits & Pick<Publisher, 'redemptionUserDayCount'>,
  currency: string,
): Refusal<RedemptionRefusal> {
  const money = (minor: bigint): string => `${formatDecimal(minor, currency)} ${currency}`
  const texts: Readonly<Record<RequestFault, string>> = {
    balance_insufficient: `The user has ${money(available)} available.`,
    redemption_below_minimum: `The minimum redemption is ${money(limits.redemptionMinimum)}.`,
    redemption_limit_reached: `The user has reached the publisher's daily limit.`,
  }
  const { redemptionMinimum, redemptionUserDayMax: max, redemptionUserDayCount: count } = limits
  const shown = (minor: bigint): number => toJsonNumber(minor, currency)
  const members: Readonly<Record<RequestFault, object>> = {
    balance_insufficient: { available_cashback: shown(available), currency },
    redemption_below_minimum: { redemption_minimum: shown(redemptionMinimum), currency },
    redemption_limit_reached: { day_maximum: max === null ? null : shown(max), day_count: count, currency },
  }
  return new Refusal<RedemptionRefusal>(fault, texts[fault], { field: 'amount', members: { ...members[fault] } })
}

function newRedemption(
  publisher: Publisher,
  userId: UserId,
  { publisherUserId, currency, amount, method, externalRef, card }: RedemptionRequest & { readonly amount: bigint },
  destination: StoredDestination | null,
  now: Date,
): Redemption {
  return {
    userId,
    redemptionId: newUuid<'redemption'>(),
    publisherId: publisher.id,
    publisherUserId,
    externalRef,
    method,
    amount,
    destinationId: destination?.destinationId ?? null,
    offerUid: card?.offerUid ?? null,
    currency,
    status: 'requested',
    approvalsNeeded: countApprovals(amount, getLimits(publisher, currency)),
    reason: null,
    reasonCode: null,
    reasonText: null,
    payoutReference: null,
    fileId: null,
    version: 1,
    createdAt: now,
    updatedAt: now,
  }
}
