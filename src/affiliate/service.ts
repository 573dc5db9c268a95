import { randomUUID } from 'node:crypto'
import { dayOf } from '../platform/calendar.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database, Tx } from '../platform/database.ts'
import { Refusal } from '../platform/refusal.ts'
import { getPublisher, type Publisher, publisherNow } from '../publishers/index.ts'
import type { AffiliateRefusal } from './errors.ts'
import type { TrackingLinks } from './links.ts'
import { countVisit, type Visitor } from './metrics.ts'
import { listPostbacksOfSale } from './postback-queries.ts'
import * as queries from './queries.ts'
import { addressOf, completeTemplate, isRunning, type Program } from './rules.ts'

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

/** All reports about the sale that this one is about, in the order of receipt. */
export const listReportsOfSale = listPostbacksOfSale
