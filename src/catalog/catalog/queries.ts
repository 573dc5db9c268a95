import type { asTable, Reader, Tx } from '../../platform/db/database.ts'
import type { Category } from './catalog.ts'
import type { Budget, CommissionGroup, OfferConditions, UserLimit } from './offer.ts'

// The catalog is reference data, so none of its rows belongs to a publisher.

/** Single-row tables that count changes to the catalog, aliases and assortments. */
type Counter = 'catalog_version' | 'alias_version' | 'assortment_version'

export async function getVersion(reader: Reader, counter: Counter = 'catalog_version'): Promise<number> {
  const [row] = await reader<{ version: number }[]>`select version from ${reader(counter)}`
  return row?.version ?? 0
}

/** Locks the version until the end of the transaction, which serializes changes. */
export async function lockVersion(tx: Tx, counter: Counter = 'catalog_version'): Promise<number> {
  const [row] = await tx<{ version: number }[]>`select version from ${tx(counter)} for update`
  return row?.version ?? 0
}

/** Increments the version, which also locks it. */
export async function bumpVersion(tx: Tx, counter: Counter = 'catalog_version'): Promise<void> {
  await tx`update ${tx(counter)} set version = version + 1`
}

/** Makes every process reload the publishers' assortments and aliases. */
export async function bumpAssortments(tx: Tx): Promise<void> {
  await bumpVersion(tx, 'alias_version')
  await bumpVersion(tx, 'assortment_version')
}

export async function listCategories(reader: Reader): Promise<Category[]> {
  return reader<Category[]>`
    select category_id, category from categories order by category_id`
}

/**
 * Streams the rows of a query in batches, each fetched on demand. Other statements in the transaction may run in
 * between.
 */
export async function* inBatches<Found extends object>(
  tx: Tx,
  size: number,
  query: ReturnType<typeof asTable>,
): AsyncGenerator<Found[]> {
  await tx`declare catalog_batches no scroll cursor for ${query}`
  for (;;) {
    // Not prepared, because the driver would expect the columns of an earlier query.
    const rows = await tx.unsafe<Found[]>(`fetch ${size} from catalog_batches`)
    if (rows.length === 0) break
    yield rows
  }
  await tx`close catalog_batches`
}

/**
 * A commission group as JSON. Amounts are minor units as text, because large integers lose precision as JSON numbers.
 */
export type GroupRow = Omit<CommissionGroup, 'amount' | 'minAmount' | 'maxAmount' | 'skus'> & {
  /** Absent in older rows. */
  readonly skus?: readonly string[]
  readonly amount: string | null
  readonly minAmount: string | null
  readonly maxAmount: string | null
}

/** The conditions of an offer as JSON. Absent members impose no condition, and amounts are minor units as text. */
export type ConditionsRow = Partial<
  Omit<OfferConditions, 'userLimits' | 'budgets'> & {
    readonly userLimits: readonly (Omit<UserLimit, 'reward'> & { readonly reward: string | null })[]
    readonly budgets: readonly (Omit<Budget, 'amount'> & { readonly amount: string })[]
  }
>

/** Returns the names of brands, including retired ones. */
export async function listBrandNames(reader: Reader, brandUids: readonly string[]): Promise<Map<string, string>> {
  const rows = await reader<{ brandUid: string; name: string }[]>`
    select brand_uid, name from brands where brand_uid = any(${brandUids as string[]}::text[])`
  return new Map(rows.map(({ brandUid, name }) => [brandUid, name]))
}
