import { DAY_MS } from '../../../platform/calendar.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { getPublisher, publisherNow } from '../../../tenants/publishers/index.ts'
import { eraseReference, listSalts } from '../../../users/users/index.ts'
import * as queries from '../queries.ts'
import { isCredited, type Unmatched } from './postback-queries.ts'
import type { Sale } from './read-sale.ts'
import { findAssignedClick, lockUncredited } from './unmatched-queries.ts'

/** The click that a report is credited to, or the reason it is not credited. */
export type Credit = {
  readonly click: queries.SoldClick | null
  readonly unmatched: Unmatched | null
  /** The time of receipt, on the clock of the click's publisher. */
  readonly latest: Date
  /** The salt of the click's user, if they were erased. */
  readonly salt: Buffer | null
}
type Named = Pick<Sale, 'subId' | 'orderId' | 'transactionId' | 'reportId' | 'soldAt' | 'dateOnly'>

/**
 * Credits a report to the click that its sub-id identifies. If that click precedes the sale by more than the network's
 * window, the sale is credited only if the user clicked on the offer again within the window. Once credited, a sale
 * stays credited, regardless of the dates in its later reports. If an operator assigned the sale to a click, that click
 * is credited.
 */
export async function creditSale(tx: Tx, network: string, sale: Named, now: Date): Promise<Credit> {
  const subId = sale.subId.toLowerCase()
  // Checked first, because a later report might state a date within the window, and the sale must not be credited to
  // both clicks.
  const assigned = await findAssignedClick(tx, network, sale)
  if (assigned !== null) return creditClick(tx, network, assigned, now)
  const click = subId === '' ? null : await queries.lockSubId(tx, network, subId)
  const salt = click === null ? null : await findSalt(tx, click)
  if (click !== null) {
    const latest = await timeFor(tx, click, now)
    const named = { ...sale, ...eraseNames(sale, salt) }
    if (await isWithinWindow(tx, network, click, named, latest)) return { click, unmatched: null, latest, salt }
  }
  // Waits for any operator's decision on this sale, because the decision must cover all of its reports.
  await lockUncredited(tx, network, sale.subId)
  const meanwhile = await findAssignedClick(tx, network, sale)
  if (meanwhile !== null) return creditClick(tx, network, meanwhile, now)
  const unmatched = click !== null ? 'outside_window' : await findReason(tx, subId)
  return { click: null, unmatched, latest: click === null ? now : await timeFor(tx, click, now), salt }
}

/** Credits the click that an operator chose. */
export async function creditClick(tx: Tx, network: string, subId: string, now: Date): Promise<Credit> {
  const click = await queries.lockSubId(tx, network, subId)
  if (click === null) throw new Error('a sale is assigned to a click that no longer exists')
  return { click, unmatched: null, latest: await timeFor(tx, click, now), salt: await findSalt(tx, click) }
}

async function findSalt(tx: Tx, { publisherId, userId }: queries.SoldClick): Promise<Buffer | null> {
  return (await listSalts(tx, publisherId, [userId])).get(userId) ?? null
}

async function timeFor(tx: Tx, click: queries.SoldClick, now: Date): Promise<Date> {
  return publisherNow(await getPublisher(tx, click.publisherId), { now: () => now })
}

async function findReason(tx: Tx, subId: string): Promise<Unmatched> {
  if (subId === '') return 'no_sub_id'
  return (await queries.existsSubId(tx, subId)) ? 'other_network' : 'unknown_sub_id'
}

async function isWithinWindow(
  tx: Tx,
  network: string,
  click: queries.SoldClick,
  sale: Named,
  latest: Date,
): Promise<boolean> {
  const soldAt = sale.soldAt ?? latest
  const from = new Date(soldAt.getTime() - click.windowDays * DAY_MS)
  if (click.clickedAt >= from || (await isCredited(tx, { ...sale, network, subId: click.subId }))) return true
  const until = sale.dateOnly ? new Date(soldAt.getTime() + DAY_MS) : soldAt
  return (await queries.findNewestClick(tx, click.publisherId, { ...click, network }, { from, until })) !== null
}

/** A network's identifiers for a sale, its items and its reports. */
export type SaleNames = Pick<Sale, 'orderId' | 'transactionId' | 'reportId'>

/**
 * Returns the identifiers to store for a report. Replaces an erased user's identifiers and leaves all others unchanged.
 */
export function eraseNames({ orderId, transactionId, reportId }: SaleNames, salt: Buffer | null): SaleNames {
  const named = (name: string | null) => (name === null || salt === null ? name : eraseReference(salt, name))
  return { orderId: named(orderId), transactionId: named(transactionId), reportId: named(reportId) }
}
