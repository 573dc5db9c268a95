import { DAY_MS } from '../platform/calendar.ts'
import type { Reader, Tx } from '../platform/database.ts'
import type { PublisherId } from '../platform/ids.ts'
import { Refusal } from '../platform/refusal.ts'
import { createPublisher, getPublisher, type Publisher } from '../publishers/index.ts'
import type { TermsRefusal } from './errors.ts'
import * as queries from './queries.ts'
import { termsAt } from './rules.ts'

// Users who must accept again get a month to do so.
const NOTICE_DAYS = 30

/** A new tenant, whose users are bound by what is announced already. @throws Refusal setting_invalid */
export async function openPublisher(
  tx: Tx,
  input: Parameters<typeof createPublisher>[1],
  now: Date,
): Promise<Publisher> {
  const publisher = await createPublisher(tx, input, now)
  const { announced } = termsAt(await queries.listDocuments(tx, publisher.id), now)
  for (const document of announced) await queries.insertRollouts(tx, document, [publisher.id])
  return publisher
}

type NewTerms = {
  readonly url: string
  readonly revision: string
  /** Default: in a month, or at once if nothing was published before, because then nobody can be ACTIVE. */
  readonly requiredFrom?: Date
  /** Whose users it binds. Default: those of every publisher without terms of its own. */
  readonly publisherId?: PublisherId | null
  /** If it is missing, users compare the documents themselves. */
  readonly changes?: queries.TermsChanges
}

/**
 * Publishes a document. From the day on which it is required, the users it binds are PENDING until they accept it.
 * @throws Refusal terms_revision_exists, publisher_not_found
 */
export async function publishTerms(tx: Tx, input: NewTerms, now: Date): Promise<queries.TermsDocument> {
  const publisherId = input.publisherId ?? null
  const planned = await planTerms(tx, publisherId, input.requiredFrom, now)
  const { requiredFrom } = planned
  const document = await queries.insertDocument(tx, { changes: {}, ...input, publisherId, requiredFrom }, now)
  if (document === null) {
    throw new Refusal<TermsRefusal>('terms_revision_exists', `Revision ${input.revision} is published already.`, {
      field: 'revision',
    })
  }
  // Nobody was ACTIVE before the first document.
  if (!planned.isFirst) await queries.insertRollouts(tx, document, planned.boundIds)
  return document
}

/** When a document would be required, and which publishers' users it would bind. @throws Refusal publisher_not_found */
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

/** What users must accept now and what is announced. @throws Refusal terms_not_published */
export async function currentTerms(reader: Reader, publisherId: PublisherId, now: Date): Promise<CurrentTerms> {
  const { current, announced } = termsAt(await queries.listDocuments(reader, publisherId), now)
  if (current === null)
    throw new Refusal<TermsRefusal>('terms_not_published', 'No terms and conditions are published yet.')
  return { current, announced }
}
