import { basename } from 'node:path'
import { configureEgress } from '../../src/events/index.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { readConfig } from '../../src/platform/config/config.ts'
import { checkReport, importReport, setReportSource, stopReports } from '../../src/sources/affiliate/index.ts'
import type { By } from '../actor.ts'
import { type Encoded, readText } from '../files.ts'
import { readSecretFile } from '../secret.ts'
import { shell } from '../shell.ts'
import { change, withChanges, withStorage } from '../storage.ts'
import { answer, answerJson, formatCount } from '../terminal.ts'

type Import = By & Encoded & { readonly dryRun?: true; readonly json?: true }

export async function importFile(network: string, file: string, { by, dryRun, encoding, json }: Import): Promise<void> {
  const text = await readText(file, encoding)
  if (dryRun) {
    const { rows } = await withStorage(({ db }) => checkReport(db.reader, network, text))
    if (json) return answerJson({ network, rows, dry_run: true })
    return answer(`All ${formatCount(rows, 'row')} can be parsed. Nothing was imported.`)
  }
  const entry = { action: 'network.report_imported', subject: network, after: { file: basename(file) } }
  const imported = await withChanges(by, entry, ({ db }) => importReport(db, network, text, systemClock.now()))
  if (json) return answerJson({ network, ...imported })
  const { rows, taken, unmatched } = imported
  answer(`${formatCount(rows, 'row')}: ${taken} new, ${rows - taken} known.`)
  if (unmatched > 0) answer(`${unmatched} of them match no click. List them with \`laurel networks unknown\`.`)
}

type Fetch = By & {
  readonly json?: true
  readonly body?: string
  readonly header: string
  readonly secretFile?: string
  readonly every?: number
  readonly days?: number
  readonly pageDays?: number
}
const DEFAULTS = { every: 360, days: 90, pageDays: 30 }

export async function fetchReports(network: string, url: string, options: Fetch): Promise<void> {
  const { by, json, body: bodyFile, header: headerName, secretFile, ...given } = options
  const { every: everyMinutes, days, pageDays } = { ...DEFAULTS, ...given }
  const body = bodyFile === undefined ? null : await readText(bodyFile)
  const headerValue = secretFile === undefined ? null : await readSecretFile(secretFile)
  const source = { url, body, headerName, headerValue, everyMinutes, days, pageDays }
  const { webhooks, baseUrl, host, port } = readConfig(shell().env)
  const egress = configureEgress(webhooks, baseUrl ?? `http://${host}:${port}`)
  await change(by, async (tx, { vault }, now) => {
    await setReportSource(tx, { vault, egress }, network, source, now)
    const after = { host: new URL(url).host, every_minutes: everyMinutes, days, page_days: pageDays }
    return { action: 'network.reports_fetched', subject: network, after, result: null }
  })
  if (json) return answerJson({ network, every_minutes: everyMinutes })
  answer(`The reports of ${network} will be fetched every ${everyMinutes} minutes.`)
}

export async function stopFetching(network: string, { by, json }: By & { readonly json?: true }): Promise<void> {
  await change(by, async (tx) => {
    await stopReports(tx, network)
    return { action: 'network.reports_stopped', subject: network, result: null }
  })
  if (json) return answerJson({ network, fetched: false })
  answer(`The reports of ${network} will no longer be fetched.`)
}
