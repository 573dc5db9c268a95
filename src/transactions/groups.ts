import assert from 'node:assert/strict'
import type { Assortment, CatalogStore, Offer } from '../catalog/index.ts'
import { type Book, closeBook } from '../ledger/index.ts'
import { type Amounts, type Bound, bounded, noAmounts, plus, type Terms, targetOf } from '../offers/index.ts'
import { type Tx, together, undoable } from '../platform/database.ts'
import type { TransactionId, UserId } from '../platform/ids.ts'
import {
  type BudgetState,
  type Change,
  type DecisionRow,
  type Group,
  insertDecisions,
  listOfferUses,
  lockWholeBudgets,
  type Ruling,
  settle,
  type Take,
  type Transaction,
  takeFromBudgets,
  writeChanges,
} from '../rewards/index.ts'
import { listUserNames } from '../users/index.ts'
import { canBeOutrun, isOutrun, letGoOfUses } from './contests.ts'
import { decide, promisedOffer } from './decide.ts'
import type { SourceEvent } from './event.ts'
import { beforeRefunds, type Folded } from './fold.ts'
import { type AtHand, dependsOnHistory, inOrder } from './history.ts'
import { type Limits, type Outcome, openLimits } from './limits.ts'
import { type LimitState, readLimits } from './limits-state.ts'
import { matchOf } from './match.ts'
import { noteMerchants } from './notes.ts'
import { asKnown, isVoid, letGoOfPromise } from './promises.ts'
import { madeAt } from './stacking.ts'
import { type Seen, stackingOf } from './stacking-state.ts'
import { decidedPairs, openWinners, type Winners } from './stacking-winners.ts'
import { boughtAt, purchaseOf, type Surroundings, surroundingsOf } from './surroundings.ts'
import { claimUse, openUses, releaseUse, type Uses, writeUses } from './uses.ts'
import { loadWorks, mergedAway, type Redecision, type Work, withoutEvents } from './works.ts'

type Deps = { readonly catalog: Pick<CatalogStore, 'assortmentOf'> }

/**
 * Brings purchases to what their events now say: folds, decides where no terms are frozen yet, settles the money and
 * writes it all, in a number of statements that does not depend on how many purchases there are.
 * The caller has stored the fresh events and holds the users' balances in the book, which is closed here.
 */
export async function settleGroups(
  tx: Tx,
  deps: Deps,
  book: Book,
  touched: ReadonlyMap<TransactionId, readonly SourceEvent[]>,
  now: Date,
  redecide: ReadonlyMap<TransactionId, Redecision> = new Map(),
): Promise<readonly Change[]> {
  const users = usersOf(book)
  const { userIds } = users
  const assortment = await deps.catalog.assortmentOf(book.publisher)
  const loaded = await loadWorks(tx, users, assortment, touched, now)
  const named = loaded.map((work): Work => ({ ...work, redecided: redecide.get(work.group.root.transactionId) }))
  const around = (works: readonly Work[]) => {
    const atHand = works.map((work) => atHandOf(assortment, work))
    return surroundingsOf(tx, book.publisher, assortment, atHand, now)
  }
  const otherSides = (works: readonly Work[]) => otherSidesOf(tx, book, assortment, works, now)
  const [known, beside, uses, names] = await together([
    around(named),
    otherSides(named),
    listOfferUses(tx, book.publisher.id, userIds),
    listUserNames(tx, book.publisher.id, userIds),
  ])
  // A purchase that turns out to be earlier changes what the customer was at later ones, and what is left for them.
  const after = known.laterPurchases()
  const later = (await loadWorks(tx, users, assortment, withoutEvents(after), now)).filter(
    ({ group: { root } }) =>
      (dependsOnHistory(root) && after.get(root.transactionId)?.isAsked) || canBeOutrun(assortment, root),
  )
  const stacking = later.length === 0 ? beside : await otherSides([...named, ...later])
  const works = [...named, ...later, ...stacking.others.map(({ work }) => work)].sort(byTime)
  const surroundings = works.length === named.length ? known : await around(works)
  for (const pair of stacking.pairs)
    surroundings.identify(pair.card.transactionId, pair.affiliate.transactionId, madeAt(pair))
  const pairs = decidedPairs(book.publisher, stacking, (id) => redecide.get(id))
  const [state] = await together([
    readLimits(
      tx,
      book.publisher,
      assortment,
      works.map((work) => atHandOf(assortment, work)),
    ),
    noteMerchants(tx, book.publisher, assortment, works, now),
  ])
  const draft = (limits: Limits): Draft => {
    const winners = openWinners(book.publisher, pairs, stacking.former)
    const fresh = { book: copyOf(book), uses: openUses(uses), held: new Map() }
    return draftOf({ ...fresh, assortment, surroundings, winners, limits }, works, now)
  }
  const first = draft(openLimits(state))
  const takes = first.limits.takes()
  const fits: Fits = async (made, budgets) => {
    await write(tx, made, names, now)
    return takeFromBudgets(tx, made.limits.takes(), budgets)
  }
  if (takes.length === 0) {
    await write(tx, first, names, now)
    return first.changes
  }
  // Budgets are taken from last, for others wait for them until the commit. Where somebody else was faster, everything is
  // decided again by what is really left, which nobody can take any more.
  if (await undoable(tx, 'decided', () => fits(first, state.budgets))) return first.changes
  return settleLocked(tx, state, takes, { draft, fits })
}

/** Writes a draft, and says whether the budgets hold what it takes. */
type Fits = (made: Draft, budgets: readonly BudgetState[]) => Promise<boolean>

async function settleLocked(
  tx: Tx,
  state: LimitState,
  missed: readonly Take[],
  { draft, fits }: { readonly draft: (limits: Limits) => Draft; readonly fits: Fits },
): Promise<readonly Change[]> {
  const need = missed.reduce((most, { amount }) => (amount > most ? amount : most), 0n)
  const { offered, budgetKeys, budgets: states } = state
  const budgets = await lockWholeBudgets(tx, budgetKeys, { offered, states, need })
  const made = draft(openLimits({ ...state, budgets }))
  assert(await fits(made, budgets), 'a budget that is locked must hold what was decided by it')
  return made.changes
}

/** What is decided about a set of purchases, before any of it is written. */
type Draft = {
  readonly book: Book
  readonly uses: Uses
  readonly winners: Winners
  readonly limits: Limits
  readonly changes: readonly Change[]
  readonly decisions: readonly DecisionRow[]
}
type Scene = Pick<Draft, 'book' | 'uses' | 'winners' | 'limits'> & {
  /** What purchases that are put back hold of their offer before they are settled. */
  readonly held: Map<TransactionId, Amounts>
  readonly assortment: Assortment
  readonly surroundings: Surroundings
}

function draftOf(scene: Scene, works: readonly Work[], now: Date): Draft {
  const changes: Change[] = []
  const decisions: DecisionRow[] = []
  for (const work of works) letGo(scene, work)
  for (const { group, folded, redecided } of works)
    if (redecided === undefined && letGoOfPromise(scene, group.root, folded))
      scene.held.set(group.root.transactionId, noAmounts)
  for (const work of works) takeBack(scene, work, now)
  if (works.every(({ redecided }) => redecided === undefined))
    letGoOfUses(
      scene,
      works.map(({ group }) => group.root).filter((root) => canBeOutrun(scene.assortment, root)),
    )
  for (const work of inTurn(scene, works)) {
    const settled = settleOne(scene, work, now)
    changes.push(...settled.changes)
    scene.winners.settled(work.group.root.transactionId, earnedBy(work.group, settled.changes).gross > 0n)
    if (settled.trace !== null)
      decisions.push({ ...rowKey(work.group.root), version: settled.version, trace: settled.trace })
  }
  const { book, uses, winners, limits } = scene
  return { book, uses, winners, limits, changes, decisions }
}

function inTurn({ winners }: Scene, works: readonly Work[]): Work[] {
  return winners.inTurn(works.map((work) => ({ root: work.group.root, work }))).map(({ work }) => work)
}

/** What is put back frees all that it had not before others take up theirs again, whichever of them was made first. */
function letGo({ uses, limits, held }: Scene, { group, folded, redecided }: Work): void {
  const { root } = group
  if (redecided === undefined || redecided === 'anew' || root.terms === null) return
  const { offerUid } = root.terms
  const earned = earnedBy(group, [])
  const keeps = redecided.ruling.terms?.offerUid === offerUid ? least(earned, redecided.had) : noAmounts
  if (keeps.gross === earned.gross && redecided.ruling.terms?.offerUid === offerUid) return
  held.set(root.transactionId, keeps)
  if (keeps.gross > 0n) {
    limits.settled(root, folded, { terms: root.terms, bound: null, earned: earned.gross, amounts: keeps })
    return
  }
  releaseUse(uses, root.userId, offerUid, root.transactionId)
  limits.settled(root, null, nothing)
}

/** Then each takes back what it had, as far as it is still there, before any of them or anybody else takes more. */
function takeBack(scene: Scene, { group, folded, redecided }: Work, now: Date): void {
  const { book, uses, limits } = scene
  const { root } = group
  if (redecided === undefined || redecided === 'anew' || folded === null) return
  const { ruling, had, bound: former } = redecided
  const { terms } = ruling
  if (terms === null || had.gross === 0n || folded.emptyReason !== null || folded.isHistory) return
  if (terms.oneTimeUse && !claimUse(uses, root.userId, terms.offerUid, root.transactionId)) return
  const earned = heldOf(scene, group, terms)
  const bought = { folded, at: boughtAt(book.publisher, folded, now) }
  const most = former ?? { gross: had.gross, reason: 'budget_exhausted' }
  const bound = lower(limits.boundFor(root, bought, terms, earned), { ...most, gross: had.gross })
  const { amounts } = bounded(terms, targetOf(terms, folded), bound)
  limits.settled(root, folded, { terms, bound, earned: earned.gross, amounts })
  scene.held.set(root.transactionId, amounts)
}

/** What the purchase has of the offer already, so that no limit takes it away. */
function heldOf({ held }: Scene, group: Group, terms: Terms | null): Amounts {
  const { root } = group
  const isOfOffer = root.terms !== null && root.terms.offerUid === terms?.offerUid
  return held.get(root.transactionId) ?? (isOfOffer ? earnedBy(group, []) : noAmounts)
}

function least(a: Amounts, b: Amounts): Amounts {
  return a.gross <= b.gross ? a : b
}

function lower(a: Bound | null, b: Bound | null): Bound | null {
  if (a === null || b === null) return a ?? b
  return b.gross <= a.gross ? b : a
}

const nothing: Outcome = { terms: null, bound: null, earned: 0n, amounts: noAmounts }

async function write(tx: Tx, draft: Draft, names: ReadonlyMap<UserId, string>, now: Date): Promise<void> {
  const { book, uses, winners, limits, changes, decisions } = draft
  await together([
    writeChanges(tx, book.publisher, changes, names, now),
    insertDecisions(tx, book.publisher.id, decisions, now),
    writeUses(tx, book.publisher.id, uses, now),
    limits.write(tx),
    winners.write(tx, now),
    closeBook(tx, book),
  ])
}

/** What a draft books is not booked until it is written. */
function copyOf({ publisher, balances, journals }: Book): Book {
  return { publisher, balances: new Map(balances), journals: [...journals] }
}

function usersOf({ publisher, balances }: Book) {
  return { publisher, userIds: [...balances.keys()] }
}

function atHandOf(assortment: Assortment, { group, folded, redecided }: Work): AtHand {
  const { root } = group
  if (redecided === undefined || folded === null) return { root, folded }
  const brandUid = redecided === 'anew' ? matchOf(assortment, folded.facts).brandUid : redecided.brandUid
  const restored = redecided === 'anew' ? null : redecided.ruling.terms
  return { root, folded, redecidedAs: brandUid, restored }
}

/** What else was seen of these purchases by another source, read with all that must be settled with them. */
function otherSidesOf(tx: Tx, book: Book, assortment: Assortment, works: readonly Work[], now: Date) {
  const seenOf = (work: Work): Seen & { readonly work: Work } => {
    const { root: _root, ...atHand } = atHandOf(assortment, work)
    return { ...atHand, ...work.group, events: work.events, work }
  }
  return stackingOf(tx, book.publisher, assortment, works.map(seenOf), async (ids) => {
    const loaded = await loadWorks(tx, usersOf(book), assortment, new Map(ids.map((id) => [id, []])), now)
    return loaded.map(seenOf)
  })
}

/** First what was merged away, so that it lets go of what it holds; then as the purchases were made. */
function byTime(a: Work, b: Work): number {
  const of = ({ group: { root }, folded }: Work) => ({ ...root, at: folded?.authorizedAt ?? new Date(0) })
  return inOrder(of(a), of(b))
}

type Settled = { readonly changes: readonly Change[]; readonly trace: object | null; readonly version: number }

function settleOne(scene: Scene, { group, folded, redecided }: Work, now: Date): Settled {
  const { book, surroundings, uses, limits } = scene
  const { root } = group
  if (folded === null) {
    if (root.terms !== null) releaseUse(uses, root.userId, root.terms.offerUid, root.transactionId)
    const changes = settle(book, group, mergedAway(root), { terms: root.terms, reason: null }, now)
    limits.settled(root, null, nothing)
    return { changes, trace: null, version: 0 }
  }
  const isAnew = redecided === 'anew' && folded.isPurchase
  const mustBeDecided = isAnew || mustDecide(root, folded)
  const again = mustBeDecided || redecided !== undefined ? null : decideAgain(scene, group, folded, now)
  const instead = again !== null && goesBefore(scene, group, folded, again, now) ? again : null
  const decided = mustBeDecided ? decideNow(scene, root, folded, now) : instead
  const outright = redecided === undefined || redecided === 'anew' ? null : redecided
  const ruled = outright?.ruling ?? (isAnew ? decided?.ruling : undefined)
  const frozen =
    ruled === undefined ? frozenRuling(scene, group, folded, decided, now) : asKnown(root, folded, ruled, surroundings)
  if (root.terms !== null && root.terms.offerUid !== frozen.terms?.offerUid)
    releaseUse(uses, root.userId, root.terms.offerUid, root.transactionId)
  const ruling: Ruling = folded.isHistory
    ? { terms: null, reason: 'before_card_linked' }
    : scene.winners.isStacked(root.transactionId)
      ? giveWay(uses, root, frozen)
      : withUse(uses, root, folded, frozen)
  const match = outright === null ? (decided?.match ?? null) : { ...outright, method: outright.matchMethod }
  const facts = withFacts(root, folded, match)
  const told: Group =
    ruled !== undefined
      ? { ...group, root: facts, former: root }
      : root.status === 'EARNED'
        ? group
        : { ...group, root: facts }
  const settled = settleWithin(scene, told, folded, ruling, outright?.bound ?? null, now)
  const changes = folded.isHistory ? settled.map((change): Change => ({ ...change, isSilent: true })) : settled
  const version = changes.find((change) => change.after.transactionId === root.transactionId)?.after.version
  // What an earlier purchase took stands in the trace, though the frozen terms stay.
  const trace = decided?.trace ?? (again === null ? null : { ...again.trace, chosen: frozen.terms?.offerUid ?? null })
  return { changes, trace: version === undefined ? null : trace, version: version ?? 0 }
}

/**
 * Settles what the ruling gives, as far as limits allow, and counts it.
 * @param former what kept a purchase down that is put back: until its next event it earns no more than it had.
 */
function settleWithin(
  scene: Scene,
  group: Group,
  folded: Folded,
  ruling: Ruling,
  former: Bound | null,
  now: Date,
): Change[] {
  const { book, uses, limits } = scene
  const { root } = group
  const terms = ruling.reason === null ? ruling.terms : null
  const earned = heldOf(scene, group, terms)
  const bought = { folded, at: boughtAt(book.publisher, folded, now) }
  const isPaid = terms !== null && folded.emptyReason === null
  const target = isPaid ? targetOf(terms, folded).amounts.gross : 0n
  const kept = former !== null && former.gross < target ? former : null
  const bound = isPaid ? lower(limits.boundFor(root, bought, terms, earned), kept) : null
  // What earns nothing is no use of the offer.
  if (terms !== null && bound?.gross === 0n) releaseUse(uses, root.userId, terms.offerUid, root.transactionId)
  const changes = settle(book, group, folded, bound === null ? ruling : { ...ruling, bound }, now)
  limits.settled(root, folded, { terms, bound, earned: earned.gross, amounts: earnedBy(group, changes) })
  return changes
}

/** What a purchase earns with all that adjusts it. */
function earnedBy({ root, adjustments }: Group, changes: readonly Change[]): Amounts {
  const rows = new Map([root, ...adjustments].map((row) => [row.transactionId, row.amounts]))
  for (const { after } of changes) rows.set(after.transactionId, after.amounts)
  return [...rows.values()].reduce(plus, noAmounts)
}

/**
 * A purchase is decided when it is first known, and with each event as long as no terms are frozen. It is decided anew
 * when it turns out to have been made earlier than was known: what the user was then is what counts.
 */
function mustDecide(root: Transaction, folded: Folded): boolean {
  if (!folded.isPurchase || root.status === 'EARNED') return false
  return root.terms === null || folded.authorizedAt.getTime() < root.authorizedAt.getTime()
}

/** Terms once frozen stay frozen while their offer stays the one; what they ask of earlier purchases is asked by all that is known now. */
function frozenRuling(scene: Scene, group: Group, folded: Folded, decided: Decided | null, now: Date): Ruling {
  const { root } = group
  const stays =
    decided === null ||
    (isStillPromised(scene, root, folded, decided) && !isBeaten(scene, group, folded, decided.ruling, now))
  return asKnown(root, folded, stays ? { terms: root.terms, reason: null } : decided.ruling, scene.surroundings)
}

type Decision = ReturnType<typeof decideNow>
type Decided = Pick<Decision, 'ruling' | 'match'>

/** What an offer asks since it was changed is not asked of those to whom it was promised before; whether the user could earn is. */
function isStillPromised(scene: Scene, root: Transaction, folded: Folded, { ruling, match }: Decided): boolean {
  const { terms } = root
  if (terms === null) return false
  if (ruling.terms?.offerUid === terms.offerUid) return true
  const offer = scene.assortment.catalog.offers.get(terms.offerUid)
  if (offer === undefined || offer.version === terms.offerVersion || match.brandUid !== terms.brandUid) return false
  const { standing, card } = scene.surroundings.of(root, folded, match.brandUid, offer)
  return standing === 'ACTIVE' && card === 'linked'
}

/** Whether an earlier purchase has changed what the frozen terms are worth: they are for another customer, or what they gave is that one's. */
function isLost(scene: Scene, group: Group, folded: Folded, now: Date): boolean {
  const { root } = group
  const bought = { folded, at: boughtAt(scene.book.publisher, folded, now) }
  return isVoid(scene.surroundings, root, folded) || isOutrun(scene, root, bought, heldOf(scene, group, root.terms))
}

/** Whether these terms go before frozen ones that an earlier purchase has taken something of. What it left stays promised, whatever the offer says since. */
function isBeaten(scene: Scene, group: Group, folded: Folded, { terms }: Ruling, now: Date): boolean {
  if (!isLost(scene, group, folded, now)) return false
  if (isVoid(scene.surroundings, group.root, folded)) return true
  return worthOf(scene, group, folded, terms, now) >= worthOf(scene, group, folded, group.root.terms, now)
}

/** What the user gets by these terms as far as others leave it. Judged, as where they are chosen, is the purchase before refunds. */
function worthOf(scene: Scene, group: Group, folded: Folded, terms: Terms | null, now: Date): bigint {
  const { book, uses, limits } = scene
  const { root } = group
  if (terms === null || (terms.oneTimeUse && uses.isTaken(root.userId, terms.offerUid, root.transactionId))) return 0n
  const whole = beforeRefunds(folded)
  const bought = { folded: whole, at: boughtAt(book.publisher, folded, now) }
  const bound = limits.boundFor(root, bought, terms, heldOf(scene, group, terms))
  const { amounts } = bounded(terms, targetOf(terms, whole), bound)
  return amounts.user + amounts.discount
}

/** What would be decided now, where an earlier purchase has changed what the frozen terms are worth. */
function decideAgain(scene: Scene, group: Group, folded: Folded, now: Date): Decision | null {
  if (group.root.terms === null || !isLost(scene, group, folded, now)) return null
  return decideNow(scene, group.root, folded, now)
}

/** Whether that is an offer of the brand that takes the place of the frozen terms. */
function goesBefore(scene: Scene, { root, ...group }: Group, folded: Folded, again: Decided, now: Date): boolean {
  const { terms } = again.ruling
  if (terms === null || root.terms === null || again.match.brandUid !== root.terms.brandUid) return false
  if (isVoid(scene.surroundings, root, folded)) return true
  return terms.offerUid !== root.terms.offerUid && isBeaten(scene, { root, ...group }, folded, again.ruling, now)
}

function decideNow(
  { book, assortment, surroundings, uses, limits }: Scene,
  root: Transaction,
  folded: Folded,
  now: Date,
) {
  const match = matchOf(assortment, folded.facts)
  const purchase = purchaseOf(book.publisher, root.source, folded)
  const bought = { folded, at: boughtAt(book.publisher, folded, now) }
  const promised = promisedOffer(root, folded.facts)
  const circumstancesOf: Parameters<typeof decide>[3] = (offer) => {
    const facts = limits.factsFor(root, bought, offer, 0n)
    return {
      ...surroundings.of(root, folded, match.brandUid, offer),
      used: uses.isTaken(root.userId, offer.offerUid, root.transactionId),
      // A budget that pays for it already keeps it from earning more, but takes nothing from it.
      limits: isPaidBy(root, offer) ? { ...facts, budgetLeft: null } : facts,
    }
  }
  const decision = decide(assortment, purchase, match, circumstancesOf, promised)
  return { ...decision, match }
}

/** Its terms stay, for the other sight of the purchase may come to earn nothing. */
function giveWay(uses: Uses, root: Transaction, ruling: Ruling): Ruling {
  if (ruling.terms === null) return ruling
  releaseUse(uses, root.userId, ruling.terms.offerUid, root.transactionId)
  return { terms: ruling.terms, reason: ruling.reason ?? 'stacked' }
}

function isPaidBy({ offerUid, amounts }: Transaction, offer: Offer): boolean {
  return offerUid === offer.offerUid && amounts.gross > 0n
}

/** A one-time offer is held while anything of the purchase is left; who holds it is paid. */
function withUse(uses: Uses, root: Transaction, folded: Folded, ruling: Ruling): Ruling {
  if (ruling.terms === null || !ruling.terms.oneTimeUse) return ruling
  const { offerUid } = ruling.terms
  if (folded.emptyReason !== null || ruling.reason !== null) {
    releaseUse(uses, root.userId, offerUid, root.transactionId)
    return ruling
  }
  return claimUse(uses, root.userId, offerUid, root.transactionId)
    ? ruling
    : { terms: ruling.terms, reason: 'offer_already_used' }
}

function withFacts(
  root: Transaction,
  { facts, currency }: Folded,
  match: { brandUid: string | null; method: string } | null,
): Transaction {
  return {
    ...root,
    ...(match === null ? {} : { brandUid: match.brandUid, matchMethod: match.method }),
    merchantName: facts.merchantName ?? root.merchantName,
    merchantDescriptor: facts.merchantDescriptor ?? root.merchantDescriptor,
    orderId: facts.orderId ?? root.orderId,
    accountId: facts.accountId ?? root.accountId,
    currency,
  }
}

function rowKey(root: Transaction): { userId: UserId; transactionId: TransactionId } {
  return { userId: root.userId, transactionId: root.transactionId }
}
