import { randomUUID } from 'node:crypto'
import { toDay } from '../../platform/calendar.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database, Tx } from '../../platform/db/database.ts'
import type { UserId } from '../../platform/ids.ts'
import { Refusal } from '../../platform/refusal.ts'
import { getPublisher, type Publisher, publisherNow } from '../../tenants/publishers/index.ts'
import type { AffiliateRefusal } from './errors.ts'
import type { TrackingLinks } from './links.ts'
import { type Visitor, visits } from './metrics.ts'
import * as queries from './queries.ts'
import { buildAddress, completeTemplate, isRunning, type Program } from './rules.ts'

/** Sets the URLs that these offers' links lead to. */
export async function savePrograms(tx: Tx, programs: readonly Program[]): Promise<void> {
  if (programs.length === 0) return
  await queries.upsertPrograms(
    tx,
    programs.map((program) => ({ ...program, addressTemplate: completeTemplate(program.addressTemplate) })),
  )
}

/** Ends these offers' links. Sales from earlier clicks still earn. */
export async function endPrograms(tx: Tx, offerUids: readonly string[], now: Date): Promise<void> {
  if (offerUids.length > 0) await queries.markProgramsEnded(tx, offerUids, now)
}

/** A tracking link whose offer is currently running. */
type LiveLink = {
  readonly userId: UserId
  readonly offerUid: string
  readonly program: Program
  readonly publisher: Publisher
  readonly now: Date
}

type LinkDeps = { readonly db: Database; readonly clock: Clock; readonly links: TrackingLinks }

/**
 * Finds the link for a token.
 * @throws Refusal tracking_link_not_found for a link we did not create, and for an offer that has ended
 */
export async function findLiveLink({ db: { reader }, clock, links }: LinkDeps, token: string): Promise<LiveLink> {
  const link = links.read(token)
  const program = link === null ? null : await queries.findLiveProgram(reader, link.offerUid)
  const publisherId = link === null ? null : await queries.findPublisherOfUser(reader, link.userId)
  if (link === null || program === null || publisherId === null) throw trackingLinkNotFound()
  const publisher = await getPublisher(reader, publisherId)
  const now = publisherNow(publisher, clock)
  if (!isRunning(program, toDay(now, publisher.timeZone))) throw trackingLinkNotFound()
  return { ...link, program, publisher, now }
}

/**
 * Records a visit and returns the URL to redirect to. The URL is always the advertiser's own template, with a sub-id
 * that reveals nothing about the user. Visits that are not clicks get no sub-id, so no sale can refer to them.
 */
export async function recordVisit(db: Database, link: LiveLink, visitor: Visitor): Promise<string> {
  const { userId, offerUid, program, publisher, now } = link
  visits.inc({ visitor })
  // People who try out a sandbox may follow links with scripts.
  const isClick = visitor === 'person' || (visitor === 'bot' && publisher.environment === 'sandbox')
  if (!isClick) return buildAddress(program.addressTemplate, '')
  const clickId = randomUUID()
  const subId = clickId.replaceAll('-', '')
  const click = { userId, offerUid, clickId, subId, network: program.network, clickedAt: now }
  await db.transaction((tx) => queries.insertClick(tx, publisher.id, click))
  return buildAddress(program.addressTemplate, subId)
}

export function trackingLinkNotFound(): Refusal<AffiliateRefusal> {
  return new Refusal<AffiliateRefusal>('tracking_link_not_found', 'This link is unknown, or its offer has ended.')
}
