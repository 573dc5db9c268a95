import type { Command } from 'commander'
import { isDay, startOfDay } from '../../src/platform/calendar.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { publishTerms } from '../../src/terms/index.ts'
import { usage } from '../options.ts'
import { withStorage } from '../storage.ts'
import { answer, answerJson } from '../terminal.ts'

export function define(terms: Command): void {
  terms
    .command('publish')
    .description('publish a revision; from the required date on, users are PENDING until they accept it')
    .requiredOption('--url <url>', 'address of the document')
    .requiredOption('--revision <revision>', 'its version, such as 2026-11')
    .option('--required-from <date>', 'yyyy-MM-dd (UTC) or RFC 3339; default: now')
    .option('--json', 'print one JSON object')
    .action(publish)
}

type Publish = { readonly url: string; readonly revision: string; readonly requiredFrom?: string; readonly json?: true }

async function publish({ url, revision, requiredFrom, json }: Publish): Promise<void> {
  const now = systemClock.now()
  const input = {
    url: readUrl(url),
    revision: readRevision(revision),
    requiredFrom: requiredFrom === undefined ? now : readDate(requiredFrom),
  }
  const document = await withStorage(({ db }) => db.transaction((tx) => publishTerms(tx, input, now)))
  const required_from = document.requiredFrom.toISOString()
  if (json)
    return answerJson({ id: document.documentId, url: document.url, revision: document.revision, required_from })
  answer(
    `Revision ${document.revision} is published as document ${document.documentId}, required from ${required_from}.`,
  )
}

const TEXT_MAX = 255

function readUrl(text: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text
  throw usage(`--url must be an http or https address, not "${text}".`)
}

function readRevision(text: string): string {
  const revision = text.trim()
  if (revision.length >= 1 && revision.length <= TEXT_MAX) return revision
  throw usage(`--revision must have 1 to ${TEXT_MAX} characters.`)
}

function readDate(text: string): Date {
  if (isDay(text)) return startOfDay(text, 'UTC')
  const instant = new Date(text)
  if (/^\d{4}-\d{2}-\d{2}T.*(Z|[+-]\d{2}:\d{2})$/.test(text) && !Number.isNaN(instant.getTime())) return instant
  throw usage(`--required-from must be yyyy-MM-dd or RFC 3339, not "${text}".`)
}
