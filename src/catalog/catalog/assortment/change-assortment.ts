import { announce, type Reader, type Tx } from '../../../platform/db/database.ts'
import { newUuid, type PublisherId } from '../../../platform/ids.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { getPublisher } from '../../../tenants/publishers/index.ts'
import type { CatalogRefusal } from '../errors.ts'
import { bumpVersion, lockVersion } from '../queries.ts'
import type { EntryRow } from './assortment-queries.ts'
import * as queries from './assortment-queries.ts'
import { type AssortmentContent, buildContent, toEntries } from './content.ts'
import { ASSORTMENTS_CHANGED } from './load-assortments.ts'

/**
 * Returns a publisher's current entries.
 * @throws Refusal publisher_not_found
 */
export async function readAssortmentContent(reader: Reader, publisherId: PublisherId): Promise<AssortmentContent> {
  await getPublisher(reader, publisherId)
  return buildContent(await queries.listEntries(reader, publisherId))
}

/** Lists the subjects of an assortment with their names in the catalog. */
export async function readSubjectNames(
  reader: Reader,
  content: AssortmentContent,
): Promise<readonly queries.NamedSubject[]> {
  return queries.listSubjects(reader, collectSubjects(toEntries(content)))
}

export type AssortmentChange = {
  readonly publisherId: PublisherId
  /** Derives the new content from the current content. */
  readonly change: (before: AssortmentContent) => AssortmentContent
  /** An operator's id, or `local:` followed by an account name. */
  readonly by: string
}

export type ChangedAssortment = {
  readonly content: AssortmentContent
  /** The entries added and removed. A changed entry appears in both. */
  readonly added: AssortmentContent
  readonly removed: AssortmentContent
}

/**
 * Changes what a publisher carries and on what terms. Decided purchases keep their frozen terms. Every process loads
 * the change shortly after the commit.
 * @returns null if nothing changes
 * @throws Refusal publisher_not_found; assortment_invalid if it references anything missing from the catalog
 */
export async function changeAssortment(
  tx: Tx,
  { publisherId, change, by }: AssortmentChange,
  now: Date,
): Promise<ChangedAssortment | null> {
  await getPublisher(tx, publisherId)
  await lockVersion(tx, 'assortment_version')
  const live = await queries.listEntries(tx, publisherId)
  const content = change(buildContent(live))
  const wanted = new Map(toEntries(content).map((entry) => [JSON.stringify(entry), entry]))
  const entries = [...wanted.values()]
  const ended = live.filter((entry) => !wanted.delete(toText(entry)))
  if (ended.length === 0 && wanted.size === 0) return null
  const fresh = [...wanted.values()].map((entry) => ({ ...entry, entryId: newUuid() }))
  await refuseUnknown(tx, content, fresh)
  const stamp = { by, at: now }
  const endedIds = ended.map(({ entryId }) => entryId)
  if (ended.length > 0) await queries.endEntries(tx, publisherId, endedIds, stamp)
  if (fresh.length > 0) await queries.insertEntries(tx, publisherId, fresh, stamp)
  await bumpVersion(tx, 'assortment_version')
  await announce(tx, ASSORTMENTS_CHANGED)
  return { content: buildContent(entries), added: buildContent(fresh), removed: buildContent(ended) }
}

/** Serializes a row's entry for comparison, because rows may list their members in different orders. */
function toText(row: EntryRow): string {
  return JSON.stringify(toEntries(buildContent([row]))[0])
}

// As many as fit in a readable sentence.
const NAMED_MAX = 5

async function refuseUnknown(reader: Reader, content: AssortmentContent, entries: readonly EntryRow[]): Promise<void> {
  const subjects = await queries.listSubjects(reader, collectSubjects(entries))
  const unknown = subjects.filter(({ name }) => name === null)
  const [first] = unknown
  if (first === undefined) return
  const named = unknown.slice(0, NAMED_MAX).map(({ kind, id }) => `no ${kind} ${id}`)
  const more = unknown.length > NAMED_MAX ? ` and ${unknown.length - NAMED_MAX} more` : ''
  throw new Refusal<CatalogRefusal>('assortment_invalid', `There is ${named.join(', ')}${more} in the catalog.`, {
    field: toField(content, first),
  })
}

/**
 * Returns the assortment field that references the subject. A category might be referenced only in the category order.
 */
function toField(
  { categories, brands, offers, categoryOrder }: AssortmentContent,
  { kind, id }: queries.Subject,
): string {
  if (kind === 'brand') return `brands.${[...brands.keys()].indexOf(id)}`
  if (kind === 'offer') return `offers.${[...offers.keys()].indexOf(id)}`
  const at = [...categories.keys()].indexOf(Number(id))
  return at === -1 ? `category_order.${categoryOrder.indexOf(Number(id))}` : `categories.${at}`
}

function collectSubjects(entries: readonly EntryRow[]): queries.Subject[] {
  return entries.flatMap(({ categoryId, brandUid, offerUid, categoryOrder }) => [
    ...[categoryId ?? [], categoryOrder ?? []].flat().map((id) => ({ kind: 'category' as const, id: String(id) })),
    ...(brandUid === null ? [] : [{ kind: 'brand' as const, id: brandUid }]),
    ...(offerUid === null ? [] : [{ kind: 'offer' as const, id: offerUid }]),
  ])
}
