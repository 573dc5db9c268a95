import { randomUUID } from 'node:crypto'
import { dayOf } from '../../platform/calendar.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database, Tx } from '../../platform/db/database.ts'
import { Refusal } from '../../platform/refusal.ts'
import { getPublisher, type Publisher, publisherNow } from '../../tenants/publishers/index.ts'
import type { AffiliateRefusal } from './errors.ts'
import type { TrackingLinks } from './links.ts'
import { countVisit, type Visitor } from './metrics.ts'
import * as queries from './queries.ts'
import { addressOf, completeTemplate, isRunning, type Program } from './rules.ts'
import { listPostbacksOfSale } from './sales/postback-queries.ts'

/** Sets the URLs that the links of these offers lead to. */
export async function savePrograms(tx: Tx, programs: readonly Program[]): Promise<void> {
  if (programs.length === 0) return
  await queries.upsertPrograms(
    tx,
    programs.map((program) => ({ ...program, addressTemplate: completeTemplate(program.addressTemplate) })),
  )
}

/** Ends the links of these offers. Sales from earlier clicks still count. */
export async function endPrograms(tx: Tx, offerUids: readonly string[], now: Date): Promise<void> {
  if (offerUids.length > 0) await queries.markProgramsEnded(tx, offerUids, now)
}

export type LinkDeps = {
  readonly db: Database
  readonly clock: Clock
  readonly links: TrackingLinks
  /**
   * Returns true if the publisher carries the offer, which a higher-level module knows. If omitted, every offer is
   * carried.
   */
  readonly isCarried?: (publisher: Publisher, offerUid: string) => Promise<boolean>
}

/**
 * Records the click and returns the URL to redirect to. It is always the advertiser's own template, with a sub-id that
 * reveals nothing about the user. Visits that are not clicks get no sub-id, so that no sale can refer to them.
 * @throws Refusal tracking_link_not_found for a link we did not create, and for an offer that has ended or is no longer
 * carried
 */
export async function followLink(deps: LinkDeps, token: string, visitor: Visitor): Promise<string> {
  const { link, program, publisher, now } = await resolveLink(deps, token)
  countVisit(visitor)
  // People who try out a sandbox click with programs.
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
  return new Refusal<AffiliateRefusal>('tracking_link_not_found', 'This link is unknown, or its offer has ended.')
}

/** Lists all reports about the same sale as this one, in order of receipt. */
export const listReportsOfSale = listPostbacksOfSale
