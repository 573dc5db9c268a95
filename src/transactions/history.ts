import type { Assortment, Offer } from '../catalog/index.ts'
import { type Terms, termsAskForHistory } from '../offers/index.ts'
import type { Reader } from '../platform/database.ts'
import type { TransactionId, UserId } from '../platform/ids.ts'
import type { Publisher } from '../publishers/index.ts'
import type { StatusReason, Transaction } from '../rewards/index.ts'
import { areContested, isContested } from './contests.ts'
import type { Folded } from './fold.ts'
import { matchOf } from './match.ts'
import { listPurchasesSince } from './queries.ts'

/**
 * Which purchases of a user with a brand come before and after which, for offers that ask what a customer is or that each
 * may use only so often.
 */
export type History = {
  latestBefore(subject: Subject, brandUid: string, at: Date): Date | null
  /**
   * Purchases that are known already and were made after one of those at hand, and whether it is asked what the customer was
   * at them. Of the others it is only what they hold that an earlier one can take.
   */
  laterPurchases(): ReadonlyMap<TransactionId, { readonly isAsked: boolean }>
  /** Makes known that two purchases are one, seen twice: neither comes before the other, and both were made when the first was. */
  identify(one: TransactionId, other: TransactionId, madeAt: Date): void
}
export type Subject = Pick<Transaction, 'userId' | 'transactionId' | 'source' | 'externalId' | 'createdAt'> &
  Partial<Pick<Transaction, 'terms' | 'brandUid' | 'status' | 'statusReason' | 'authorizedAt'>>
export type AtHand = {
  readonly root: Subject
  readonly folded: Folded | null
  /** Of a purchase that is decided anew: the brand it is then one of. Its former brand loses it. */
  readonly redecidedAs?: string | null
  /** Of a purchase that is put back: the terms that it had. */
  readonly restored?: Terms | null
}
type Purchase = Pick<Transaction, 'transactionId' | 'externalId' | 'createdAt'> & { readonly at: Date }

const DAY_MS = 86_400_000

export async function historyOf(
  reader: Reader,
  publisher: Publisher,
  assortment: Assortment,
  works: readonly AtHand[],
): Promise<History> {
  const asked = works.flatMap((work) => questionOf(assortment, work))
  const purchases = await purchasesOf(reader, publisher, asked)
  // What is at hand is what its events say now, whichever of it is worked through first.
  const atHand = new Set(works.map(({ root }) => root.transactionId))
  for (const [name, known] of purchases)
    purchases.set(
      name,
      known.filter((one) => !atHand.has(one.transactionId)),
    )
  for (const { name, purchase } of works.flatMap((work) => purchaseAtHand(assortment, work) ?? []))
    purchases.set(name, [...(purchases.get(name) ?? []), purchase])
  const of = (userId: UserId, brandUid: string): Purchase[] => purchases.get(`${userId} ${brandUid}`) ?? []
  const twins = new Map<TransactionId, { readonly with: TransactionId; readonly at: Date }>()
  return {
    identify: (one, other, at) => {
      twins.set(one, { with: other, at }).set(other, { with: one, at })
    },
    latestBefore: (subject, brandUid, at) => {
      const twin = twins.get(subject.transactionId)
      const own = { ...subject, at: twin?.at ?? at }
      const before = of(subject.userId, brandUid).filter(
        (one) => one.transactionId !== twin?.with && inOrder(one, own) < 0,
      )
      return before.length === 0 ? null : new Date(Math.max(...before.map((one) => one.at.getTime())))
    },
    laterPurchases: () => {
      const later = asked.flatMap((one) =>
        of(one.userId, one.brandUid)
          .filter((other) => inOrder(one, other) < 0 && !atHand.has(other.transactionId))
          .map(({ transactionId }) => ({ transactionId, isAsked: one.isAsked })),
      )
      const isAsked = new Set(later.filter((one) => one.isAsked).map((one) => one.transactionId))
      return new Map(later.map(({ transactionId }) => [transactionId, { isAsked: isAsked.has(transactionId) }]))
    },
  }
}

/** Null: what was merged away or declined is no purchase of its own. */
function purchaseAtHand(
  assortment: Assortment,
  { root, folded, redecidedAs }: AtHand,
): { readonly name: string; readonly purchase: Purchase } | null {
  if (folded === null || !folded.isPurchase || folded.emptyReason === 'declined') return null
  const brandUid = redecidedAs === undefined ? brandAtHand(assortment, root, folded) : redecidedAs
  const { userId, transactionId, externalId, createdAt } = root
  return brandUid === null
    ? null
    : { name: `${userId} ${brandUid}`, purchase: { transactionId, externalId, createdAt, at: folded.authorizedAt } }
}

/** What is frozen or has matured keeps its brand, unless it was made earlier than was known and is decided anew for that. */
export function brandAtHand(assortment: Assortment, root: Subject, folded: Folded): string | null {
  if (root.status === 'EARNED') return root.terms?.brandUid ?? root.brandUid ?? null
  const isEarlier = root.authorizedAt !== undefined && folded.authorizedAt.getTime() < root.authorizedAt.getTime()
  return (isEarlier ? null : root.terms?.brandUid) ?? matchOf(assortment, folded.facts).brandUid
}

/**
 * As the purchases were made, those of one instant as they became known: what was just answered is not taken back for the
 * next one. Those of one batch go by their names, so that nobody's listing decides.
 */
export function inOrder(a: Purchase, b: Purchase): number {
  return (
    a.at.getTime() - b.at.getTime() ||
    a.createdAt.getTime() - b.createdAt.getTime() ||
    compare(a.externalId, b.externalId) ||
    compare(a.transactionId, b.transactionId)
  )
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

export function asksForHistory(offer: Offer): boolean {
  return (
    offer.newCustomerOnly ||
    offer.conditions.lapsedCustomerOnly ||
    offer.groups.some((group) => group.customer !== null)
  )
}

// Whatever the customer turns out to be, these stay.
const BESIDE_HISTORY: ReadonlySet<StatusReason | null> = new Set<StatusReason>([
  'user_inactive',
  'terms_not_accepted',
  'source_not_eligible',
  'card_not_linked',
  'before_card_linked',
  'unmatched',
  'no_offer',
  'declined',
  'original_unknown',
  'merged',
])

/**
 * Whether what a purchase earns can change when an earlier one becomes known. Of a refused one the reason is told of the offer that
 * came nearest; another may ask for a customer of just this kind.
 */
export function dependsOnHistory({ terms, statusReason }: Transaction): boolean {
  return terms === null ? !BESIDE_HISTORY.has(statusReason) : termsAskForHistory(terms)
}

/** How many days back an offer looks; a lapsed customer may have bought at any time before. */
function daysBack({ newCustomerDays, conditions, groups }: Offer): number {
  const isLapsedAsked = conditions.lapsedCustomerOnly || groups.some((group) => group.customer === 'lapsed')
  return isLapsedAsked ? Number.POSITIVE_INFINITY : newCustomerDays
}

function daysBackOf(terms: Terms | null | undefined): number {
  if (terms == null) return 0
  const isLapsedAsked =
    terms.lapsedCustomerDays !== undefined || terms.groups.some((group) => group.customer === 'lapsed')
  return isLapsedAsked ? Number.POSITIVE_INFINITY : Math.max(terms.newCustomerDays ?? 0, terms.customer?.newDays ?? 0)
}

type Question = Purchase & {
  readonly userId: UserId
  readonly brandUid: string
  readonly sinceMs: number
  /** What the customer was; otherwise only what comes later. */
  readonly isAsked: boolean
}

/** Asked only where an offer of the brand, or the terms already frozen, depend on it. */
function questionOf(assortment: Assortment, { root, folded, redecidedAs }: AtHand): Question[] {
  if (folded === null || !folded.isPurchase) return []
  // One that turns out to be an earlier one may be another brand's, too.
  const [former, next] =
    redecidedAs === undefined
      ? [root.terms?.brandUid ?? null, brandAtHand(assortment, root, folded)]
      : [root.terms?.brandUid ?? root.brandUid ?? matchOf(assortment, folded.facts).brandUid, redecidedAs]
  const brandUids = new Set([former, next])
  return [...brandUids]
    .filter((uid) => uid !== null)
    .flatMap((uid) => questionAbout(assortment, { root, folded, isRedecided: redecidedAs !== undefined }, uid))
}

function questionAbout(
  assortment: Assortment,
  { root, folded, isRedecided }: { readonly root: Subject; readonly folded: Folded; readonly isRedecided: boolean },
  brandUid: string,
): Question[] {
  const offers = assortment.catalog.offersOf(brandUid)
  const days = Math.max(daysBackOf(root.terms), ...offers.filter(asksForHistory).map(daysBack))
  // Whoever decides a purchase anew moves that one alone: what others hold stays theirs, so that it can be undone.
  const isOneOfMany =
    !isRedecided && (offers.some(isContested) || (root.terms != null && areContested(assortment, root.terms)))
  const sinceMs = Math.max(0, folded.authorizedAt.getTime() - days * DAY_MS)
  if (days === 0 && !isOneOfMany) return []
  const { userId, transactionId, externalId, createdAt } = root
  const asked = { transactionId, externalId, createdAt, at: folded.authorizedAt }
  return [{ ...asked, userId, brandUid, sinceMs, isAsked: days > 0 }]
}

async function purchasesOf(
  reader: Reader,
  publisher: Publisher,
  asked: readonly Question[],
): Promise<Map<string, Purchase[]>> {
  const purchases = new Map<string, Purchase[]>()
  if (asked.length === 0) return purchases
  // Of several questions about one pair the one that looks farthest back, for it is set last.
  const farthestLast = asked.toSorted((a, b) => b.sinceMs - a.sinceMs)
  const pairs = [...new Map(farthestLast.map((one) => [`${one.userId} ${one.brandUid}`, one])).values()]
  for (const { userId, brandUid, authorizedAt, ...known } of await listPurchasesSince(
    reader,
    publisher.id,
    pairs.map(({ userId, brandUid, sinceMs }) => ({ userId, brandUid, since: new Date(sinceMs) })),
  )) {
    const name = `${userId} ${brandUid}`
    purchases.set(name, [...(purchases.get(name) ?? []), { ...known, at: authorizedAt }])
  }
  return purchases
}
