import type { Assortment } from '../../../catalog/catalog/index.ts'
import { deriveTemplate } from '../../../catalog/merchants/index.ts'
import type { Reader } from '../../../platform/db/database.ts'
import type { TransactionId, UserId } from '../../../platform/ids.ts'
import { Refusal } from '../../../platform/refusal.ts'
import type { Publisher } from '../../../tenants/publishers/index.ts'
import type { TransactionRefusal } from '../errors.ts'
import { type Folded, foldEvents } from '../fold/fold.ts'
import { matchFacts, preferPostedFacts } from '../load/match.ts'
import { listPurchaseEvents } from '../queries.ts'
import { listPurchases, type SelectablePurchase } from './queries.ts'

/** Selects the purchases to decide again. A null property does not restrict the selection. */
export type Filter = {
  /** Selects purchases at this brand, and those that the current catalog and aliases match to it. */
  readonly brandUid: string | null
  /** Selects purchases whose merchant text has this template. */
  readonly template: string | null
  /** `since` is inclusive, `until` exclusive. */
  readonly since: Date | null
  readonly until: Date | null
}
export type Selected = { readonly userId: UserId; readonly transactionIds: readonly TransactionId[] }

const PAGE = 2_000
// This many ids fit in memory, and their purchases can be decided within minutes.
export const PURCHASES_MAX = 200_000

/**
 * Returns the purchases that a filter selects, by user.
 * @throws Refusal rematch_unbounded, brand_unknown, date_invalid, rematch_too_large
 */
export async function selectPurchases(
  reader: Reader,
  publisher: Publisher,
  assortment: Assortment,
  filter: Filter,
  max: number,
  now: Date,
): Promise<Selected[]> {
  checkFilter(assortment, filter)
  const found: SelectablePurchase[] = []
  let after: SelectablePurchase | null = null
  for (;;) {
    const range = { since: filter.since ?? new Date(0), until: filter.until ?? FOR_EVER, after }
    const page: SelectablePurchase[] = await listPurchases(reader, publisher.id, range, PAGE)
    found.push(...(await selectedFrom(reader, publisher, assortment, filter, page, now)))
    if (found.length > max)
      throw new Refusal<TransactionRefusal>('rematch_too_large', `The filter selects more than ${max} purchases.`)
    after = page.at(-1) ?? null
    if (page.length < PAGE) break
  }
  const byUser = Map.groupBy(found, (one) => one.userId)
  return [...byUser]
    .map(([userId, purchases]) => ({ userId, transactionIds: purchases.map((one) => one.transactionId) }))
    .sort((a, b) => (a.userId < b.userId ? -1 : 1))
}

function checkFilter({ catalog }: Assortment, filter: Filter): void {
  const { brandUid, since, until } = filter
  if (Object.values(filter).every((value) => value === null))
    throw refusal('rematch_unbounded', 'brand_uid', 'Specify a brand, a template or a date.')
  // A mistyped brand must not be mistaken for a brand without changes.
  if (brandUid !== null && !catalog.brands.has(brandUid))
    throw refusal('brand_unknown', 'brand_uid', 'There is no brand with this brand_uid.')
  if (since !== null && until !== null && since >= until)
    throw refusal('date_invalid', 'since', 'since must not be after until.')
}

function refusal(code: TransactionRefusal, field: string, sentence: string): Refusal<TransactionRefusal> {
  return new Refusal<TransactionRefusal>(code, sentence, { field })
}

const FOR_EVER = new Date('9999-01-01T00:00:00Z')

async function selectedFrom(
  reader: Reader,
  publisher: Publisher,
  assortment: Assortment,
  { brandUid, template }: Filter,
  page: readonly SelectablePurchase[],
  now: Date,
): Promise<readonly SelectablePurchase[]> {
  if (page.length === 0 || (brandUid === null && template === null)) return page
  const userIds = [...new Set(page.map((one) => one.userId))]
  const ids = page.map((one) => one.transactionId)
  const events = Map.groupBy(
    await listPurchaseEvents(reader, publisher.id, userIds, ids),
    (event) => event.transactionId,
  )
  return page.filter((one) => {
    const reported = events.get(one.transactionId)
    if (reported === undefined) return false
    const folded = foldEvents(reported, publisher.timeZone, now)
    const isOfBrand =
      brandUid === null ||
      one.brandUid === brandUid ||
      one.termsBrandUid === brandUid ||
      matchFacts(assortment, preferPostedFacts(assortment, folded).facts).brandUid === brandUid
    return isOfBrand && (template === null || toTemplates(folded).includes(template))
  })
}

function toTemplates({ facts, postedFacts }: Folded): (string | null)[] {
  return [deriveTemplate(facts), ...(postedFacts === null ? [] : [deriveTemplate(postedFacts)])]
}
