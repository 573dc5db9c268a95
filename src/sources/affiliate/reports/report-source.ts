import { type Egress, findUrlFault } from '../../../events/index.ts'
import { addDays, type Day } from '../../../platform/calendar.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { Vault } from '../../../platform/vault/index.ts'
import { findNetwork } from '../network-queries.ts'
import { networkInvalid, networkUnknown } from '../networks.ts'
import * as queries from './report-queries.ts'

type FetchedSource = Omit<queries.StoredSource, 'network' | 'header' | 'sealedHeader'> & {
  readonly headerName: string
  /** The value of the header, such as `Bearer …`; null to send no header. */
  readonly headerValue: string | null
}

const TEXT_MAX = 4096
const HEADER = /^[A-Za-z0-9-]{1,64}$/
const HEADER_VALUE = /^[\x20-\x7e]{1,2048}$/

/**
 * Starts fetching a network's reports. The header is encrypted.
 * @throws Refusal network_invalid for an unknown network, and for an address that webhooks could not use
 */
export async function setReportSource(
  tx: Tx,
  { vault, egress }: { readonly vault: Vault; readonly egress: Egress },
  network: string,
  source: FetchedSource,
  now: Date,
): Promise<void> {
  if ((await findNetwork(tx, network)) === null) throw networkUnknown()
  const fault = findFault(source, egress)
  if (fault !== null) throw networkInvalid(...fault)
  const { headerName, headerValue, ...rest } = source
  const sealedHeader = headerValue === null ? null : vault.seal(headerValue, sealContext(network))
  await queries.upsertSource(tx, { ...rest, network, header: headerName, sealedHeader }, now)
}

/**
 * Stops fetching a network's reports.
 * @throws Refusal network_invalid if the network has no source of reports
 */
export async function stopReports(tx: Tx, network: string): Promise<void> {
  if (!(await queries.deleteSource(tx, network)))
    throw networkInvalid('network', 'No reports are fetched from this network.')
}

/** Binds the encrypted header to its network. */
export function sealContext(network: string): string {
  return `network_reports:${network}:header`
}

function findFault(source: FetchedSource, egress: Egress): [field: string, message: string] | null {
  const { url, body, headerName, headerValue } = source
  if (url.length > TEXT_MAX || (body?.length ?? 0) > TEXT_MAX)
    return ['url', `It must have at most ${TEXT_MAX} characters.`]
  if (!/\{(from|to)\}/.test(url + (body ?? '')))
    return ['url', 'It must contain {from} and {to}, the first and last day of a report.']
  const fault = findAddressFault(url, egress)
  if (fault !== null) return ['url', `The URL ${fault}.`]
  if (!HEADER.test(headerName)) return ['header', 'The name of a header must contain only letters, digits and hyphens.']
  if (headerValue !== null && !HEADER_VALUE.test(headerValue)) return ['header', 'A header must be printable ASCII.']
  return null
}

/**
 * Returns the reason an address may not be called; null if it may. Loopback is allowed only if the service runs on a
 * developer's machine.
 */
export function findAddressFault(url: string, egress: Egress): string | null {
  return findUrlFault(fillTemplate(url, { from: '2000-01-01', to: '2000-01-01' }), 'sandbox', egress)
}

type Page = { readonly from: Day; readonly to: Day }

export function fillTemplate(template: string, { from, to }: Page): string {
  return template.replaceAll('{from}', from).replaceAll('{to}', to)
}

/**
 * Splits the last `days` days into pages, oldest first. Each page begins on the last day of the previous page, so
 * nothing is missed if a network excludes the last day. Duplicates change nothing.
 */
export function splitIntoPages(today: Day, days: number, pageDays: number): Page[] {
  const pages: Page[] = []
  let from = addDays(today, -days)
  while (from < today) {
    const end = addDays(from, pageDays)
    const to = end < today ? end : today
    pages.push({ from, to })
    from = to
  }
  return pages
}
