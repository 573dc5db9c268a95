import type { Command } from 'commander'
import { isDay, startOfDay, toDay } from '../../src/platform/calendar.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { encodeId, type PublisherId } from '../../src/platform/ids.ts'
import { isLanguage, LANGUAGES, type Language } from '../../src/platform/text/languages.ts'
import { getPublisher, listPublishers, publisherNow } from '../../src/tenants/publishers/index.ts'
import {
  listAllDocuments,
  planTerms,
  presentDocument,
  publishTerms,
  type TermsChanges,
  type TermsDocument,
} from '../../src/users/terms/index.ts'
import { countActive } from '../../src/users/users/index.ts'
import type { By } from '../actor.ts'
import { defineChange, defineCommand } from '../define.ts'
import { readPublisherId, usage } from '../options.ts'
import { change, type Storage, withStorage } from '../storage.ts'
import { answer, answerJson, answerTable, formatCount, note } from '../terminal.ts'

export function define(terms: Command): void {
  defineChange(
    terms,
    'publish',
    'publish a revision; from the required date on, users are PENDING until they accept it',
  )
    .requiredOption('--url <url>', 'URL of the document')
    .requiredOption('--revision <revision>', 'its version, such as 2026-11')
    .option(
      '--publisher <id>',
      'applies to users of this publisher (pub_…); default: users of all publishers without their own terms',
      readPublisherId,
    )
    .option(
      '--required-from <date>',
      'yyyy-MM-dd (UTC) or RFC 3339; default: in 30 days, or immediately for the first revision',
    )
    .option(
      '--changes <language=text...>',
      'the changes, described for users in en, es or de: en="Gift cards are new."',
    )
    .option('--preview', 'publish nothing, only show how many users would become PENDING')
    .action(publish)
  defineCommand(terms, 'list', 'list the revisions, oldest first')
    .option('--publisher <id>', 'only for the users of this publisher (pub_…)', readPublisherId)
    .action(list)
}

type Publish = {
  readonly url: string
  readonly revision: string
  readonly publisher?: PublisherId
  readonly requiredFrom?: string
  readonly changes?: readonly string[]
  readonly preview?: true
  readonly json?: true
}

async function publish(options: Publish & By): Promise<void> {
  const { url, revision, publisher: publisherId = null, requiredFrom, changes, preview, by, json } = options
  const from = requiredFrom === undefined ? {} : { requiredFrom: readDate(requiredFrom) }
  const named = { url: readUrl(url), revision: readRevision(revision), changes: readChanges(changes ?? []) }
  const input = { ...named, publisherId, ...from }
  const planned = await withStorage(async (storage) => {
    const now = await readNow(storage, publisherId)
    if (input.requiredFrom !== undefined) refusePast(input.requiredFrom, now)
    const plan = await planTerms(storage.db.reader, publisherId, input.requiredFrom, now)
    const users = await countActive(storage.db.reader, plan.boundIds, systemClock)
    return { users, publishers: plan.boundIds.length, now, requiredFrom: plan.requiredFrom }
  })
  const { users, publishers, now, requiredFrom: requiredAt } = planned
  const document = preview
    ? { ...input, documentId: 0, requiredFrom: requiredAt }
    : await change(by, async (tx) => {
        const result = await publishTerms(tx, { ...input, requiredFrom: requiredAt }, now)
        const after = { ...presentDocument(result), publisher_id: formatPublisher(result), pending_users: users }
        return { action: 'terms.published', subject: `terms ${result.documentId}`, after, result }
      })
  const { id, ...shown } = { ...presentDocument(document), publisher_id: formatPublisher(document) }
  const effect = { pending_users: users, publishers }
  if (json) return answerJson(preview ? { preview, ...shown, ...effect } : { id, ...shown, ...effect })
  const whom = `${formatCount(users, 'user')} of ${formatCount(publishers, 'publisher')}`
  if (preview) return answer(`From ${shown.required_from} on, ${whom} would be PENDING until they accept ${revision}.`)
  answer(`Revision ${revision} was published as document ${id}, required from ${shown.required_from}.`)
  note(`Until they accept it, ${whom} ${requiredAt > now ? 'will be PENDING from then on' : 'are PENDING'}.`)
}

async function list({ publisher, json }: { readonly publisher?: PublisherId; readonly json?: true }): Promise<void> {
  const { documents, names } = await withStorage(async ({ db }) => {
    const all = await listAllDocuments(db.reader)
    const publishers = await listPublishers(db.reader)
    return {
      documents: all.filter((one) => publisher === undefined || one.publisherId === publisher),
      names: new Map(publishers.map(({ id, name }) => [id, name])),
    }
  })
  if (json)
    return answerJson({
      terms: documents.map((one) => ({ ...presentDocument(one), publisher_id: formatPublisher(one) })),
    })
  if (documents.length === 0) return note('No terms have been published. Publish them with `laurel terms publish`.')
  const rows = documents.map((one) => [
    ...[String(one.documentId), one.revision, one.requiredFrom.toISOString().slice(0, 10)],
    ...[one.publisherId === null ? 'all without their own' : (names.get(one.publisherId) ?? ''), one.url],
  ])
  answerTable(['id', 'revision', 'required from', 'applies to', 'url'], rows)
}

function formatPublisher({ publisherId }: Pick<TermsDocument, 'publisherId'>): string | null {
  return publisherId === null ? null : encodeId('pub', publisherId)
}

/** Returns the current time, taken from the sandbox clock for a sandbox publisher. */
async function readNow({ db }: Storage, publisherId: PublisherId | null): Promise<Date> {
  return publisherId === null
    ? systemClock.now()
    : publisherNow(await getPublisher(db.reader, publisherId), systemClock)
}

const TEXT_MAX = 255

function readUrl(text: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text
  throw usage(`--url must be an http or https URL, not "${text}".`)
}

function readRevision(text: string): string {
  const revision = text.trim()
  if (revision.length >= 1 && revision.length <= TEXT_MAX) return revision
  throw usage(`--revision must be 1 to ${TEXT_MAX} characters.`)
}

const CHANGE_MAX = 500

function readChanges(texts: readonly string[]): TermsChanges {
  const pairs = texts.map((text): readonly [Language, string] => {
    const [, language, change = ''] = /^(\w+)=(.*)$/.exec(text) ?? []
    if (isLanguage(language) && change.trim() !== '' && change.length <= CHANGE_MAX) return [language, change.trim()]
    const shape = `a language (${LANGUAGES.join(', ')}), = and up to ${CHANGE_MAX} characters`
    throw usage(`--changes must be ${shape}, such as en="Gift cards are new.", not "${text}".`)
  })
  return Object.fromEntries(pairs)
}

function readDate(text: string): Date {
  if (isDay(text)) return startOfDay(text, 'UTC')
  const instant = new Date(text)
  if (/^\d{4}-\d{2}-\d{2}T.*(Z|[+-]\d{2}:\d{2})$/.test(text) && !Number.isNaN(instant.getTime())) return instant
  throw usage(`--required-from must be yyyy-MM-dd or RFC 3339, not "${text}".`)
}

/** Rejects dates before today. Today itself is allowed and makes the terms required immediately. */
function refusePast(requiredFrom: Date, now: Date): void {
  const today = toDay(now, 'UTC')
  if (requiredFrom < startOfDay(today, 'UTC')) throw usage(`--required-from must not be before today, ${today}.`)
}
