import { DAY_MS } from '../../platform/calendar.ts'
import type { Reader, Tx } from '../../platform/db/database.ts'
import type { PublisherId } from '../../platform/ids.ts'
import { Refusal } from '../../platform/refusal.ts'
import { createPublisher, getPublisher, type Publisher } from '../../tenants/publishers/index.ts'
import type { TermsRefusal } from './errors.ts'
import * as queries from './queries.ts'
import { selectTermsAt } from './rules.ts'

// Gives users a month to accept new terms.
const NOTICE_DAYS = 30

/**
 * Creates a publisher whose users are bound by the documents announced so far.
 * @throws Refusal setting_invalid
 */
export async function openPublisher(
  tx: Tx,
  input: Parameters<typeof createPublisher>[1],
  now: Date,
): Promise<Publisher> {
  const publisher = await createPublisher(tx, input, now)
  const { announced } = selectTermsAt(await queries.listDocuments(tx, publisher.id), now)
  for (const document of announced) await queries.insertRollouts(tx, document, [publisher.id])
  return publisher
}

type NewTerms = {
  readonly url: string
  readonly revision: string
  /** Defaults to a month from now or, for the first document, to now, because nobody can be ACTIVE without it. */
  readonly requiredFrom?: Date
  /** The publisher whose users the document binds. Defaults to all publishers without terms of their own. */
  readonly publisherId?: PublisherId | null
  /** If omitted, users must compare the documents themselves. */
  readonly changes?: queries.TermsChanges
}

/**
 * Publishes a document. From the time it is required, the users it binds are PENDING until they accept it.
 * @throws Refusal terms_revision_exists, publisher_not_found
 */
export async function publishTerms(tx: Tx, input: NewTerms, now: Date): Promise<queries.TermsDocument> {
  const publisherId = input.publisherId ?? null
  const planned = await planTerms(tx, publisherId, input.requiredFrom, now)
  const { requiredFrom } = planned
  const document = await queries.insertDocument(tx, { changes: {}, ...input, publisherId, requiredFrom }, now)
  if (document === null) {
    throw new Refusal<TermsRefusal>('terms_revision_exists', `Revision ${input.revision} has already been published.`, {
      field: 'revision',
    })
  }
  // Nobody is ACTIVE before the first document, so it makes nobody PENDING.
  if (!planned.isFirst) await queries.insertRollouts(tx, document, planned.boundIds)
  return document
}

/**
 * Determines when a document would be required, and which publishers' users it would bind.
 * @throws Refusal publisher_not_found
 */
export async function planTerms(
  reader: Reader,
  publisherId: PublisherId | null,
  requiredFrom: Date | undefined,
  now: Date,
) {
  if (publisherId !== null) await getPublisher(reader, publisherId)
  const isFirst = (await queries.listDocuments(reader, publisherId)).length === 0
  const from = requiredFrom ?? new Date(now.getTime() + (isFirst ? 0 : NOTICE_DAYS * DAY_MS))
  return { isFirst, requiredFrom: from, boundIds: await queries.listBound(reader, publisherId, from) }
}

export type CurrentTerms = {
  readonly current: queries.TermsDocument
  readonly announced: readonly queries.TermsDocument[]
}

/**
 * Returns the document that users must accept now, and those announced after it.
 * @throws Refusal terms_not_published
 */
export async function readCurrentTerms(reader: Reader, publisherId: PublisherId, now: Date): Promise<CurrentTerms> {
  const { current, announced } = selectTermsAt(await queries.listDocuments(reader, publisherId), now)
  if (current === null)
    throw new Refusal<TermsRefusal>('terms_not_published', 'No terms and conditions have been published yet.')
  return { current, announced }
}
