import type { Egress } from '../../../events/index.ts'
import { addDays, MINUTE_MS, toDay } from '../../../platform/calendar.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/db/database.ts'
import { Refusal } from '../../../platform/refusal.ts'
import type { Log } from '../../../platform/telemetry/log.ts'
import type { Vault } from '../../../platform/vault/index.ts'
import { importReport } from './import-report.ts'
import { createReportClient, type ReportClient } from './report-client.ts'
import * as queries from './report-queries.ts'
import { fillTemplate, findAddressFault, sealContext, splitIntoPages } from './report-source.ts'

type FetchDeps = {
  readonly db: Database
  readonly clock: Clock
  readonly vault: Vault
  readonly egress: Egress
  readonly log: Log
}

// Longer than it takes to fetch and import a page. If a process dies, another process takes over after this time.
const CLAIM_MS = 10 * MINUTE_MS
const FIRST_RETRY_MS = MINUTE_MS
const RETRY_MAX_MS = 6 * 60 * MINUTE_MS
// Enough to see what is wrong. Importing the file manually lists the invalid lines.
const ERROR_LENGTH = 500

/**
 * Fetches the reports of one network that is due, page by page, and imports each page. A failure is stored for
 * operators and retried with exponential backoff, up to six hours.
 * @returns true if a network was due
 */
export async function fetchNextReport(deps: FetchDeps): Promise<boolean> {
  const { db, clock } = deps
  const source = await queries.claimSource(db.reader, clock.now(), after(clock.now(), CLAIM_MS))
  if (source === null) return false
  const client = createReportClient(deps.egress)
  try {
    await fetchPages(deps, client, source)
    const now = clock.now()
    await queries.markFetched(db.reader, source.network, now, after(now, source.everyMinutes * MINUTE_MS))
  } catch (error) {
    await noteFailure(deps, source, error)
  } finally {
    await client.close()
  }
  return true
}

async function fetchPages(
  { db, clock, vault, egress, log }: FetchDeps,
  client: ReportClient,
  source: queries.DueSource,
) {
  const { network, url, body, header: name, sealedHeader, days, pageDays } = source
  const fault = findAddressFault(url, egress)
  if (fault !== null) throw new Refusal('network_invalid', `The URL ${fault}.`)
  const value = sealedHeader === null ? null : vault.open(sealedHeader, sealContext(network))
  const header = value === null ? null : { name, value }
  // Tomorrow in UTC, because that day has already begun somewhere, and some networks exclude the last day.
  const until = addDays(toDay(clock.now(), 'UTC'), 1)
  for (const page of splitIntoPages(until, days, pageDays)) {
    await queries.extendClaim(db.reader, network, after(clock.now(), CLAIM_MS))
    const text = await client.read({
      url: fillTemplate(url, page),
      body: body === null ? null : fillTemplate(body, page),
      header,
    })
    const imported = await importReport(db, network, text, clock.now())
    log.info({ network, ...page, ...imported }, "imported a network's report")
  }
}

async function noteFailure({ db, clock, log }: FetchDeps, source: queries.DueSource, error: unknown): Promise<void> {
  const now = clock.now()
  const waitMs = Math.min(FIRST_RETRY_MS * 2 ** Math.min(source.failures, 16), RETRY_MAX_MS)
  const reason = error instanceof Error ? error.message : 'unknown'
  log.warn({ err: error, network: source.network }, "a network's report could not be imported")
  await queries.markFailed(db.reader, source.network, {
    error: reason.slice(0, ERROR_LENGTH),
    at: now,
    next: after(now, waitMs),
  })
}

function after(instant: Date, ms: number): Date {
  return new Date(instant.getTime() + ms)
}
