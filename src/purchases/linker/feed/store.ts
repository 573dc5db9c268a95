import { addDays, type Day, toDay } from '../../../platform/calendar.ts'
import { awaitAll, type Tx } from '../../../platform/db/database.ts'
import { type BankAccount, linkCards, listCardSpans, listFormerCards, listLinks } from '../../../sources/cards/index.ts'
import type { Publisher } from '../../../tenants/publishers/index.ts'
import {
  findMerchantBrand,
  ingestEvents,
  mapCardEventsToPurchases,
  releaseRewards,
  withholdRewards,
} from '../../transactions/index.ts'
import { getProvider } from '../accounts/provider-accounts.ts'
import type { LinkerDeps } from '../deps.ts'
import { filterRevoked, type Item } from '../item-queries.ts'
import { openToken } from '../sealed-tokens.ts'
import type { Baseline } from './plan/draft.ts'
import { type ParsedRow, type ParsedUpdate, parseUpdate } from './plan/parse-row.ts'
import { planUpdate, type UpdatePlan } from './plan/plan.ts'
import * as feed from './queries.ts'
import type { FeedRow, Update } from './rows.ts'

// Older purchases are not considered for a refund.
const REFUNDED_WITHIN_DAYS = 400
// A hold is at most two weeks older than its posting. One more day allows for time zones.
const CONTINUED_WITHIN_DAYS = 15
// The longest history the provider offers.
const HISTORY_DAYS = 730
// The shortest history the provider collects.
const HISTORY_AT_LEAST_DAYS = 30

/** An update read from an item's feed. */
export type Read = {
  readonly item: Item
  readonly update: Update
  /** True if the update is the item's entire feed, read from the beginning. */
  readonly isSnapshot: boolean
  /** The login's current accounts if the update references an unknown account; otherwise null. */
  readonly accounts: readonly BankAccount[] | null
}

/**
 * Stores the events and rows of a complete update in the run's transaction. The caller must hold the locks on the
 * user's cards and the item.
 */
export async function storeUpdate(
  tx: Tx,
  deps: LinkerDeps,
  publisher: Publisher,
  { item, update, isSnapshot, accounts }: Read,
  now: Date,
): Promise<void> {
  if (accounts !== null) await updateAccounts(tx, publisher, item, accounts, now)
  if (update.rows.length + update.removed.length === 0) return
  const spans = await listCardSpans(tx, publisher.id, [item.userId])
  const cards: Cards = new Map(spans.map((span) => [span.accountId, span]))
  const assortment = await deps.catalog.getAssortment(publisher)
  const parsed = parseUpdate(update, publisher.timeZone, (facts) => findMerchantBrand(assortment, facts))
  const whole = isSnapshot ? await withMissing(tx, publisher, { item, update: parsed, cards }, now) : parsed
  const baseline = await loadBaseline(tx, publisher, { item, update: whole, cards }, now)
  await carryOut(tx, deps, publisher, item, baseline, planUpdate(baseline, whole))
}

/** Records a plan's events and stores its rows in the caller's transaction. */
export async function carryOut(
  tx: Tx,
  deps: Pick<LinkerDeps, 'catalog' | 'log'>,
  publisher: Publisher,
  of: feed.FeedKey,
  baseline: Baseline,
  { events, rows }: UpdatePlan,
): Promise<void> {
  // Rows are stored first, because they distinguish the feed's events from the publisher's reports.
  if (rows.length > 0) await feed.upsertRows(tx, publisher.id, of, rows)
  const brought = events.map((event) => ({ ...event, isFeed: true }))
  const outcomes = brought.length === 0 ? [] : await ingestEvents(tx, deps, publisher, brought, baseline.now)
  const refused = outcomes.flatMap((outcome) => ('refusal' in outcome ? [outcome.refusal.code] : []))
  // Expected only if another user of the publisher had the item before. Otherwise it is a bug, and a purchase may be
  // missing.
  if (refused.length > 0)
    deps.log.error({ link_id: of.linkId, refused }, 'events from feed rows were refused as duplicates')
  await withhold(tx, publisher, of, baseline, rows)
}

/** Withholds the rewards of vanished rows until the rows return or are reversed. */
async function withhold(
  tx: Tx,
  publisher: Publisher,
  { userId }: feed.FeedKey,
  { now, stored }: Baseline,
  rows: readonly FeedRow[],
): Promise<void> {
  const wait = rows.filter((row) => row.waitsUntil !== null && row.handedAs === 'CLEARING')
  const waited = new Set(stored.filter((row) => row.waitsUntil !== null).map((row) => row.rowId))
  const settled = rows.filter((row) => row.waitsUntil === null && waited.has(row.rowId)).map((row) => row.rowId)
  if (settled.length > 0) await releaseRewards(tx, publisher.id, userId, settled)
  if (wait.length === 0) return
  const ids = wait.map((row) => row.externalId)
  const purchases = await mapCardEventsToPurchases(tx, publisher.id, userId, ids)
  const withholdings = wait.flatMap(({ rowId, externalId }) => {
    const transactionId = purchases.get(externalId)
    return transactionId === undefined ? [] : [{ rowId, transactionId }]
  })
  await withholdRewards(tx, publisher, userId, withholdings, now)
}

type Cards = Baseline['cardOfAccount']
type ReadUpdate = { readonly item: Item; readonly update: ParsedUpdate; readonly cards: Cards }

/**
 * Adds missing rows as removed. A read from the beginning does not list removed rows, so every stored row that it does
 * not show is treated as removed. Rows of the link's earlier items are treated as removed only on cards that the read
 * shows.
 */
async function withMissing(tx: Tx, publisher: Publisher, { item, update, cards }: ReadUpdate, now: Date) {
  const since = wholeSince(publisher, update, now)
  if (since === null) return update
  const cardIds = [...new Set(update.rows.flatMap((row) => cards.get(row.accountId)?.cardId ?? []))]
  const shown = await feed.listShown(tx, publisher.id, item, cardIds, since)
  const listed = new Set([...update.rows.map((row) => row.rowId), ...update.removed])
  return { rows: update.rows, removed: [...update.removed, ...shown.filter((rowId) => !listed.has(rowId))] }
}

/**
 * Returns the first day that a read from the beginning covers completely; null if it shows nothing. The length of the
 * history is unknown, but every history covers at least HISTORY_AT_LEAST_DAYS, so a more recent first day is complete.
 * A longer history may begin in the middle of the day of its first postings. It contains all purchases after that day,
 * because they also posted after it.
 */
function wholeSince(publisher: Publisher, { rows }: ParsedUpdate, now: Date): Day | null {
  const [bought] = rows.map((row) => row.boughtOn).toSorted()
  const [posted] = rows.map((row) => row.postedOn).toSorted()
  if (bought === undefined || posted === undefined) return null
  const today = toDay(now, publisher.timeZone)
  if (bought > addDays(today, -HISTORY_AT_LEAST_DAYS)) return bought
  const [reach, next] = [addDays(today, -HISTORY_DAYS), addDays(posted, 1)]
  return next > reach ? next : reach
}

/**
 * Loads everything the plan depends on in a fixed number of statements:
 *
 * - rows that the update references, the pending rows they replace, and rows that replaced any of these
 * - holds, and rows that have vanished or have ids no longer in use, which the update may continue
 * - refunds without a known purchase
 * - purchases from the merchants of refunds
 */
async function loadBaseline(
  tx: Tx,
  publisher: Publisher,
  { item, update, cards }: ReadUpdate,
  now: Date,
): Promise<Baseline> {
  const ids = update.rows.flatMap((row) => (row.pendingRowId === null ? [row.rowId] : [row.rowId, row.pendingRowId]))
  const [orphans, formerCards, known] = await awaitAll([
    feed.listOpenOrphans(tx, publisher.id, item),
    listFormerCards(tx, publisher.id, item),
    feed.listRows(tx, publisher.id, item.userId, [...ids, ...update.removed]),
  ])
  const accountIds = [...new Set(update.rows.map((row) => row.accountId))]
  const days = update.rows.flatMap((row) => [row.boughtOn, row.postedOn]).toSorted()
  const [from, to] = [days[0], days.at(-1)]
  const holders = { accountIds, formerCards: [...formerCards.keys()] }
  const range = from === undefined || to === undefined ? null : { from: addDays(from, -CONTINUED_WITHIN_DAYS), to }
  const [continued, purchases] = await awaitAll([
    range === null ? Promise.resolve([]) : feed.listContinued(tx, publisher.id, item, range, holders),
    purchasesFor(tx, publisher, item, update.rows, orphans),
  ])
  return {
    userId: item.userId,
    timeZone: publisher.timeZone,
    now,
    generation: item.generation,
    cardOfAccount: cards,
    formerCards,
    stored: [...purchases, ...orphans, ...continued, ...known],
  }
}

/** Lists the possible purchases of this update's refunds and of open orphans. */
async function purchasesFor(
  tx: Tx,
  publisher: Publisher,
  item: Item,
  rows: readonly ParsedRow[],
  orphans: readonly FeedRow[],
): Promise<FeedRow[]> {
  const refunds = [...rows.filter((row) => row.kind === 'REFUND'), ...orphans]
  const earliest = refunds.map((refund) => refund.boughtOn).toSorted()[0]
  if (earliest === undefined) return []
  const keys = [...new Set(refunds.flatMap((refund) => refund.merchantKeys))]
  return feed.listPurchases(tx, publisher.id, item, keys, addDays(earliest, -REFUNDED_WITHIN_DAYS))
}

/**
 * Fetches the login's current accounts if the update contains an account that none of the user's cards has; otherwise
 * null. A bank may assign every account a new id, and purchases under the new ids would be treated as made with an
 * unlinked card.
 */
export async function readUnknownAccounts(
  deps: LinkerDeps,
  item: Item,
  update: Update,
): Promise<readonly BankAccount[] | null> {
  const named = new Set(update.rows.map((row) => row.accountId))
  if (named.size === 0) return null
  const spans = await listCardSpans(deps.db.reader, item.publisherId, [item.userId])
  const known = new Set(spans.map((span) => span.accountId))
  if ([...named].every((accountId) => known.has(accountId))) return null
  const provider = await getProvider(deps, item)
  return provider.listAccounts(openToken(deps.vault, item, item.sealedToken))
}

/** Updates the link's cards to these accounts. */
async function updateAccounts(
  tx: Tx,
  publisher: Publisher,
  { userId, linkId }: Item,
  accounts: readonly BankAccount[],
  now: Date,
): Promise<void> {
  const known = (await listLinks(tx, publisher, userId)).find(({ link }) => link.linkId === linkId)
  if (known === undefined) return
  const institution = { id: known.link.institutionId, name: known.link.institutionName }
  const shared = await filterRevoked(tx, publisher.id, { userId, linkId }, accounts)
  await linkCards(tx, publisher, { userId, linkId, institution, accounts: shared }, now)
}
