import { createHash, randomUUID, timingSafeEqual } from 'node:crypto'
import { DAY_MS, dayOf } from '../platform/calendar.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database, Reader, Tx } from '../platform/database.ts'
import { recordFact } from '../platform/facts.ts'
import { newUuid } from '../platform/ids.ts'
import { toMinor } from '../platform/money.ts'
import { Refusal } from '../platform/refusal.ts'
import { getPublisher, type Publisher, publisherNow } from '../publishers/index.ts'
import type { Vault } from '../secrets/index.ts'
import type { AffiliateRefusal } from './errors.ts'
import type { TrackingLinks } from './links.ts'
import { countVisit, type Visitor } from './metrics.ts'
import * as queries from './queries.ts'
import { addressOf, type Content, completeTemplate, isRunning, type Program, type Sale } from './rules.ts'

/** Sets the addresses that the links of these offers lead to. */
export async function savePrograms(tx: Tx, programs: readonly Program[]): Promise<void> {
  if (programs.length === 0) return
  await queries.upsertPrograms(
    tx,
    programs.map((program) => ({ ...program, addressTemplate: completeTemplate(program.addressTemplate) })),
  )
}

/** Ends the links of these offers. Sales of earlier clicks still count. */
export async function endPrograms(tx: Tx, offerUids: readonly string[], now: Date): Promise<void> {
  if (offerUids.length > 0) await queries.markProgramsEnded(tx, offerUids, now)
}

export type LinkDeps = {
  readonly db: Database
  readonly clock: Clock
  readonly links: TrackingLinks
  /** Whether a publisher carries an offer, which a higher room knows; every offer if left out. */
  readonly isCarried?: (publisher: Publisher, offerUid: string) => Promise<boolean>
}

/**
 * Records the click and returns the address to redirect to: always the advertiser's own template, with a sub-id that
 * reveals nothing about the user. Visits that are no clicks get the address without a sub-id, so that no sale can name
 * them.
 * @throws Refusal tracking_link_not_found for a link we did not make, and for an offer that has ended or is no longer
 * carried
 */
export async function followLink(deps: LinkDeps, token: string, visitor: Visitor): Promise<string> {
  const { link, program, publisher, now } = await resolveLink(deps, token)
  countVisit(visitor)
  // Whoever tries a sandbox clicks with programs.
  const isClick = visitor === 'person' || (visitor === 'bot' && publisher.environment === 'sandbox')
  if (!isClick) return addressOf(program.addressTemplate, '')
  const clickId = randomUUID()
  const subId = clickId.replaceAll('-', '')
  const click = { ...link, clickId, subId, network: program.network, clickedAt: now }
  await deps.db.transaction((tx) => queries.insertClick(tx, publisher.id, click))
  return addressOf(program.addressTemplate, subId)
}

async function resolveLink(deps: LinkDeps, token: string) {
  const link = deps.links.read(token)
  const program = link === null ? null : await queries.findLiveProgram(deps.db.reader, link.offerUid)
  const publisherId = link === null ? null : await queries.findPublisherOfUser(deps.db.reader, link.userId)
  if (link === null || program === null || publisherId === null) throw linkNotFound()
  const publisher = await getPublisher(deps.db.reader, publisherId)
  const now = publisherNow(publisher, deps.clock)
  if (!isRunning(program, dayOf(now, publisher.timeZone))) throw linkNotFound()
  if ((await deps.isCarried?.(publisher, link.offerUid)) === false) throw linkNotFound()
  return { link, program, publisher, now }
}

function linkNotFound(): Refusal<AffiliateRefusal> {
  return new Refusal<AffiliateRefusal>('tracking_link_not_found', 'This link is not known or its offer has ended.')
}

const NETWORK = /^[a-z0-9][a-z0-9_-]{0,63}$/
// Sixteen generated characters cannot be guessed over a network.
const SECRET = /^[\x21-\x7e]{16,255}$/

/** Sets or replaces the secret that a network's reports must carry. @throws Refusal network_invalid */
export async function setNetworkSecret(
  tx: Tx,
  vault: Vault,
  network: string,
  secret: string,
  now: Date,
): Promise<void> {
  if (!NETWORK.test(network)) {
    throw networkInvalid('network', 'The name of a network has lower-case letters, digits, hyphens and underscores.')
  }
  if (!SECRET.test(secret)) {
    throw networkInvalid('secret', 'A secret has 16 to 255 printable characters, no spaces.')
  }
  await queries.upsertNetwork(tx, network, fingerprintOf(vault, network, secret), now)
}

function networkInvalid(field: string, message: string): Refusal<AffiliateRefusal> {
  return new Refusal<AffiliateRefusal>('network_invalid', message, { field })
}

const LOCK_DAYS_MAX = 365

/**
 * Sets how many days after a sale a network approves or rejects it. Holds for reports from now on.
 * @throws Refusal network_invalid for an unknown network, and for less than a day or more than a year
 */
export async function setLockDays(tx: Tx, network: string, lockDays: number, now: Date): Promise<void> {
  if (!Number.isInteger(lockDays) || lockDays < 1 || lockDays > LOCK_DAYS_MAX)
    throw networkInvalid('lock_days', `A lock period has 1 to ${LOCK_DAYS_MAX} days.`)
  if (!(await queries.updateLockDays(tx, network, lockDays, now)))
    throw networkInvalid('network', 'There is no such network; set its secret first.')
}

/** @throws Refusal postback_unauthorized, the same for a wrong secret and an unknown network. */
export async function authenticateNetwork(
  reader: Reader,
  vault: Vault,
  network: string,
  secret: string | null,
): Promise<void> {
  const kept = NETWORK.test(network) ? await queries.findFingerprint(reader, network) : null
  const given = fingerprintOf(vault, network, secret ?? '')
  if (kept === null || secret === null || !timingSafeEqual(kept, given)) {
    throw new Refusal<AffiliateRefusal>(
      'postback_unauthorized',
      "Send the network's secret as X-Postback-Secret or as the parameter secret.",
    )
  }
}

function fingerprintOf(vault: Vault, network: string, secret: string): Buffer {
  return vault.fingerprint(secret, `networks:${network}`)
}

// A network's clock, or a wrong time zone, may run ahead by this much; a time further ahead is a mistake.
const AHEAD_MAX_MS = DAY_MS

/**
 * Keeps a network's report and, if it is of a click that was sent to this network, records the fact `sale.reported`. The
 * same report again changes nothing. A report of any other sub-id is kept, listed for operators and goes no further:
 * the secret of one network must not earn rewards at the advertisers of another.
 * @throws Refusal postback_invalid for an amount its currency cannot hold, and for a time before 1970 or in the future.
 */
export async function receivePostback(
  tx: Tx,
  network: string,
  sale: Sale,
  content: Content,
  now: Date,
): Promise<{ readonly known: boolean; readonly repeated: boolean }> {
  const click = await queries.lockSubId(tx, network, sale.subId.toLowerCase())
  const latest = click === null ? now : publisherNow(await getPublisher(tx, click.publisherId), { now: () => now })
  refuseTime('date', sale.soldAt, latest)
  refuseTime('reported_at', sale.reportedAt, latest)
  const currency = sale.currency ?? (click === null ? null : await queries.findCurrency(tx, click.offerUid)) ?? 'USD'
  const amount = sale.amount === null ? null : toMinor(sale.amount, currency)
  if (sale.amount !== null && amount === null) throw invalid('amount', `has more decimals than ${currency}`)
  const subId = click === null ? sale.subId : sale.subId.toLowerCase()
  const received = { postbackId: newUuid<'postback'>(), network, content, click, receivedAt: now }
  const postback = { ...sale, ...received, subId, amount, currency }
  const isNew = await queries.insertPostback(tx, postback, await identityOf(tx, postback))
  if (isNew && click !== null) {
    if (!click.isSold) await queries.markSubIdSold(tx, subId)
    await recordFact(tx, click.publisherId, 'sale.reported', { postbackId: postback.postbackId })
  }
  return { known: click !== null, repeated: !isNew }
}

function refuseTime(field: string, at: Date | null, now: Date): void {
  if (at === null || (at.getTime() >= 0 && at.getTime() <= now.getTime() + AHEAD_MAX_MS)) return
  throw invalid(field, `must lie between 1970 and ${dayOf(new Date(now.getTime() + AHEAD_MAX_MS), 'UTC')}`)
}

function invalid(field: string, message: string): Refusal<AffiliateRefusal> {
  return new Refusal<AffiliateRefusal>('postback_invalid', `${field} ${message}.`, { field })
}

/**
 * The identity of a network's report: the sale, its state and amount, and the report's number or time. A report with
 * neither is identified by the report that precedes it: a repeat follows the same one, but a correction back to an
 * earlier amount follows the amount that it corrects.
 */
async function identityOf(tx: Tx, postback: queries.Postback): Promise<Buffer> {
  const { subId, status, orderId, transactionId, amount, currency, soldAt, reportId, reportedAt } = postback
  const report = [subId, status, orderId, transactionId, amount?.toString(), currency, soldAt, reportId, reportedAt]
  const isNamed = reportId !== null || reportedAt !== null
  const follows = isNamed ? null : await queries.findPrecedingPostback(tx, postback)
  return createHash('sha256')
    .update(JSON.stringify([...report, follows]))
    .digest()
}

/** All reports about the sale that this one is about, in the order of receipt. */
export const listReportsOfSale = queries.listPostbacksOfSale
