import type { CatalogStore } from '../../src/catalog/catalog/index.ts'
import { DAY_MS, toDay } from '../../src/platform/calendar.ts'
import type { Tx } from '../../src/platform/db/database.ts'
import { toUserId, type UserId } from '../../src/platform/ids.ts'
import { openClaim } from '../../src/purchases/claims/index.ts'
import {
  type EventKind,
  ingestEvents,
  matureRewards,
  type SourceEventInput,
} from '../../src/purchases/transactions/index.ts'
import { linkCards, lockCards } from '../../src/sources/cards/index.ts'
import type { Publisher } from '../../src/tenants/publishers/index.ts'
import { acceptTerms, createUser } from '../../src/users/users/index.ts'

type SeededSandbox = { readonly catalog: CatalogStore; readonly publisher: Publisher; readonly termsId: number }

type StoryEvent = {
  readonly daysAgo: number
  readonly kind: EventKind
  readonly id: string
  /** The event that this one changes or completes. */
  readonly of?: string
  readonly descriptor: string
  readonly amount: bigint
}

/**
 * Two months in the life of one user, so a newcomer sees every outcome. Every event runs through the service's own code
 * as of the day it happened; nothing is written directly.
 */
const EVENTS: readonly StoryEvent[] = [
  // Available: cleared 49 days ago, and the 30-day refund period is over.
  { daysAgo: 50, kind: 'AUTHORIZATION', id: 'available-auth', descriptor: 'CHIPOTLE 1542 AUSTIN TX', amount: 64_00n },
  {
    daysAgo: 49,
    kind: 'CLEARING',
    id: 'available',
    of: 'available-auth',
    descriptor: 'CHIPOTLE 1542 AUSTIN TX',
    amount: 66_80n,
  },
  // Clawed back: available the next day, refunded two weeks later.
  { daysAgo: 45, kind: 'CLEARING', id: 'clawed-back', descriptor: 'WALMART #3141 AUSTIN TX', amount: 240_00n },
  {
    daysAgo: 30,
    kind: 'REFUND',
    id: 'clawed-back-refund',
    of: 'clawed-back',
    descriptor: 'WALMART #3141 AUSTIN TX',
    amount: 240_00n,
  },
  // Canceled: refunded while the reward was still pending.
  { daysAgo: 28, kind: 'CLEARING', id: 'cancelled', descriptor: 'AUTOZONE 4477 AUSTIN TX', amount: 89_90n },
  {
    daysAgo: 24,
    kind: 'REFUND',
    id: 'cancelled-refund',
    of: 'cancelled',
    descriptor: 'AUTOZONE 4477 AUSTIN TX',
    amount: 89_90n,
  },
  // Unmatched: no brand in the catalog has this name.
  { daysAgo: 6, kind: 'CLEARING', id: 'unmatched', descriptor: 'OLD MILL HARDWARE AUSTIN TX', amount: 31_25n },
  // In doubt: the brand's name is followed by a trade that the brand is not in, so a person decides.
  { daysAgo: 5, kind: 'CLEARING', id: 'in-doubt', descriptor: 'WALMART DENTAL AUSTIN TX', amount: 85_00n },
  { daysAgo: 4, kind: 'CLEARING', id: 'in-doubt-too', descriptor: 'CHIPOTLE CAPITAL', amount: 19_90n },
  // Pending: cleared three days ago.
  {
    daysAgo: 3,
    kind: 'CLEARING',
    id: 'pending',
    descriptor: 'ACADEMY SPORTS + OUTDOORS 88 AUSTIN TX',
    amount: 120_00n,
  },
]
// The days on which rewards mature in the meantime, as they would with a worker running.
const MATURING_DAYS_AGO = [43, 17]
const CLAIM_DAYS_AGO = 2

export async function tellStory(tx: Tx, sandbox: SeededSandbox, now: Date): Promise<void> {
  const ada = await registerUsers(tx, sandbox, now)
  const moments = [
    ...EVENTS.map(({ daysAgo, ...event }) => ({ daysAgo, play: (at: Date) => playEvent(tx, sandbox, ada, event, at) })),
    { daysAgo: CLAIM_DAYS_AGO, play: (at: Date) => claimPurchase(tx, sandbox, at) },
    ...MATURING_DAYS_AGO.map((daysAgo) => ({ daysAgo, play: (at: Date) => matureRewards(tx, sandbox.publisher, at) })),
  ].sort((a, b) => b.daysAgo - a.daysAgo)
  // In chronological order, because later events depend on earlier ones.
  for (const { daysAgo, play } of moments) await play(subtractFromNow(now, daysAgo))
}

/**
 * Registers Ada, who links a card, Ben, who does not, and Cleo, who has not accepted the terms yet. Returns Ada's id.
 */
async function registerUsers(tx: Tx, { publisher, termsId }: SeededSandbox, now: Date): Promise<UserId> {
  const register = (name: string, zip: string, daysAgo: number) =>
    createUser(
      tx,
      publisher,
      { publisherUserId: name, email: `${name}@example.com`, primaryZipCode: zip, attributes: null },
      subtractFromNow(now, daysAgo),
    )
  await register('ada', '78701', 59)
  await acceptTerms(tx, publisher, 'ada', termsId, subtractFromNow(now, 59))
  await linkStoryCard(tx, publisher, toUserId(publisher.id, 'ada'), subtractFromNow(now, 58))
  await register('ben', '10001', 20)
  await acceptTerms(tx, publisher, 'ben', termsId, subtractFromNow(now, 20))
  await register('cleo', '94103', 2)
  return toUserId(publisher.id, 'ada')
}

/** Links a card that has only the story's purchases. New purchases come from cards linked in the simulator. */
async function linkStoryCard(tx: Tx, publisher: Publisher, userId: UserId, at: Date): Promise<void> {
  const card = {
    accountId: 'story-card',
    persistentAccountId: null,
    name: 'Story Credit Card',
    mask: '4242',
    subtype: 'credit card',
  }
  await lockCards(tx, publisher.id, userId)
  const institution = { id: 'ins_109508', name: 'First Platypus Bank' }
  await linkCards(tx, publisher, { userId, linkId: null, institution, accounts: [card] }, at)
}

async function playEvent(
  tx: Tx,
  { catalog, publisher }: SeededSandbox,
  userId: UserId,
  event: Omit<StoryEvent, 'daysAgo'>,
  at: Date,
): Promise<void> {
  const input: SourceEventInput = {
    userId,
    source: 'CARD',
    externalId: toExternalId(event.id),
    kind: event.kind,
    originalExternalId: event.of === undefined ? null : toExternalId(event.of),
    amount: event.amount,
    currency: publisher.currency,
    occurredAt: at,
    dateOnly: false,
    facts: { merchantDescriptor: event.descriptor, accountId: 'story-card' },
  }
  const [outcome] = await ingestEvents(tx, { catalog }, publisher, [input], at)
  if (outcome !== undefined && 'refusal' in outcome) throw outcome.refusal
}

const toExternalId = (id: string): string => `story-${id}`

/** Claims a purchase that Ada made with a card she has not linked. */
async function claimPurchase(tx: Tx, { catalog, publisher }: SeededSandbox, at: Date): Promise<void> {
  const claim = {
    publisherUserId: 'ada',
    externalRef: 'story-claim',
    kind: 'missing' as const,
    openedBy: 'user' as const,
    brandUid: null,
    offerUid: null,
    orderId: null,
    merchant: 'Shake Shack',
    transactionUid: null,
    purchaseDate: toDay(subtractFromNow(at, 7), publisher.timeZone),
    amount: 42_10n,
    currency: publisher.currency,
    evidence: 'Lunch for three on my other card. The receipt says table 12.',
  }
  await openClaim(tx, publisher, await catalog.getAssortment(publisher), claim, at)
}

export function subtractFromNow(now: Date, days: number): Date {
  return new Date(now.getTime() - days * DAY_MS)
}
