import { createHash, randomUUID, timingSafeEqual } from 'node:crypto'
import { dayOf } from '../platform/calendar.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database, Reader, Tx } from '../platform/database.ts'
import { recordFact } from '../platform/facts.ts'
import { newUuid, type PublisherId } from '../platform/ids.ts'
import { toMinor } from '../platform/money.ts'
import { Refusal } from '../platform/refusal.ts'
import type { Vault } from '../platform/vault.ts'
import { getPublisher, type Publisher, publisherNow } from '../publishers/index.ts'
import type { AffiliateRefusal } from './errors.ts'
import type { TrackingLinks } from './links.ts'
import * as queries from './queries.ts'
import { addressOf, type Content, completeTemplate, isRunning, type Program, type Sale } from './rules.ts'

/** Makes offers' links lead to these addresses from now on. */
export async function savePrograms(tx: Tx, programs: readonly Program[]): Promise<void> {
  if (programs.length === 0) return
  await queries.upsertPrograms(
    tx,
    programs.map((program) => ({ ...program, addressTemplate: completeTemplate(program.addressTemplate) })),
  )
}

/** Links of these offers lead nowhere from now on; sales of earlier clicks still count. */
export async function endPrograms(tx: Tx, offerUids: readonly string[], now: Date): Promise<void> {
  if (offerUids.length > 0) await queries.markProgramsEnded(tx, offerUids, now)
}

export type LinkDeps = {
  readonly db: Database
  readonly clock: Clock
  readonly links: TrackingLinks
  /** What publishers carry is known in a higher room. Left out: every offer. */
  readonly isCarried?: (publisher: Publisher, offerUid: string) => Promise<boolean>
}

/**
 * Records the click of a tracking link and answers where it leads: always the advertiser's own template, with a sub-id that
 * tells the network nothing about the user.
 * @throws Refusal tracking_link_not_found for a link we did not make, and for an offer that has ended or is not carried any more.
 */
export async function followLink(deps: LinkDeps, token: string): Promise<string> {
  const { link, program, publisherId, now } = await resolveLink(deps, token)
  const clickId = randomUUID()
  const subId = clickId.replaceAll('-', '')
  await deps.db.transaction((tx) => queries.insertClick(tx, publisherId, { ...link, clickId, subId, clickedAt: now }))
  return addressOf(program.addressTemplate, subId)
}

/** Whether following the link would lead anywhere; records nothing. @throws Refusal tracking_link_not_found */
export async function checkLink(deps: LinkDeps, token: string): Promise<void> {
  await resolveLink(deps, token)
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
  return { link, program, publisherId, now }
}

function linkNotFound(): Refusal<AffiliateRefusal> {
  return new Refusal<AffiliateRefusal>('tracking_link_not_found', 'This link is not known or its offer has ended.')
}

const NETWORK = /^[a-z0-9][a-z0-9_-]{0,63}$/
// A secret is generated, not thought up; sixteen characters of one cannot be guessed over a network.
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
    throw new Refusal<AffiliateRefusal>('network_invalid', 'A network is named in lower-case letters and digits.', {
      field: 'network',
    })
  }
  if (!SECRET.test(secret)) {
    throw new Refusal<AffiliateRefusal>('network_invalid', 'A secret has 16 to 255 printable characters, no spaces.', {
      field: 'secret',
    })
  }
  await queries.upsertNetwork(tx, network, fingerprintOf(vault, network, secret), now)
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

/**
 * Keeps a network's report. The first time, and if the click is known, the sale is told to whoever makes transactions of it;
 * the same report again changes nothing. A report with an unknown sub-id is kept for people to look at.
 * @throws Refusal postback_invalid for an amount its currency cannot hold.
 */
export async function receivePostback(
  tx: Tx,
  network: string,
  sale: Sale,
  content: Content,
  now: Date,
): Promise<{ readonly known: boolean; readonly repeated: boolean }> {
  const click = await queries.findSubId(tx, sale.subId.toLowerCase())
  const currency = sale.currency ?? (click === null ? null : await queries.findCurrency(tx, click.offerUid)) ?? 'USD'
  const amount = sale.amount === null ? null : toMinor(sale.amount, currency)
  if (sale.amount !== null && amount === null) {
    throw new Refusal<AffiliateRefusal>('postback_invalid', `The amount has more decimals than ${currency}.`, {
      field: 'amount',
    })
  }
  const { subId, status, orderId, transactionId, soldAt, dateOnly } = sale
  const postbackId = newUuid<'postback'>()
  const told = { subId: click === null ? subId : subId.toLowerCase(), status, orderId, transactionId, soldAt, dateOnly }
  const postback = { ...told, postbackId, network, content, click, amount, currency, receivedAt: now }
  const fresh = await queries.insertPostback(tx, postback, sha256Of(content))
  if (fresh && click !== null) await recordFact(tx, click.publisherId, 'sale.reported', { postbackId })
  return { known: click !== null, repeated: !fresh }
}

/** Sorted, so that the order in which a network writes its parameters does not matter. */
function sha256Of(content: Content): Buffer {
  const members = Object.entries(content).sort(([a], [b]) => (a < b ? -1 : 1))
  return createHash('sha256').update(JSON.stringify(members)).digest()
}

/** A reported sale with all earlier reports about the same click, oldest first; it is the last one itself. */
export async function listReportsUpTo(
  reader: Reader,
  publisherId: PublisherId,
  postbackId: string,
): Promise<queries.Postback[]> {
  return queries.listPostbacksUpTo(reader, publisherId, postbackId)
}

// One screen of an operator's list.
const UNKNOWN_MAX = 500

/** Reports whose sub-id no click of ours has, newest first. */
export async function listUnknownPostbacks(reader: Reader): Promise<queries.Postback[]> {
  return queries.listUnknown(reader, UNKNOWN_MAX)
}

export const listClicks = queries.listClicks
