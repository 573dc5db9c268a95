import { type Egress, urlFault } from '../events/index.ts'
import { addDays, type Day } from '../platform/calendar.ts'
import type { Tx } from '../platform/database.ts'
import type { Vault } from '../secrets/index.ts'
import { findNetwork } from './network-queries.ts'
import { networkInvalid, networkUnknown } from './networks.ts'
import * as queries from './report-queries.ts'

/** Where and how the reports of a network are fetched. `{from}` and `{to}` are the first and the last day of a page. */
type FetchedSource = {
  readonly url: string
  /** Sent by POST if there is one. */
  readonly body: string | null
  readonly headerName: string
  /** The value of the header, such as `Bearer …`; null: none is sent. */
  readonly headerValue: string | null
  readonly everyMinutes: number
  /** How far back each fetch looks, because networks change sales until they lock them. */
  readonly days: number
  /** How many days are asked for at a time. */
  readonly pageDays: number
}

const TEXT_MAX = 4096
const HEADER = /^[A-Za-z0-9-]{1,64}$/
const HEADER_VALUE = /^[\x20-\x7e]{1,2048}$/

/**
 * Has the reports of a network fetched from now on; the header is sealed.
 * @throws Refusal network_invalid for an unknown network, and for an address that webhooks could not have
 */
export async function setReportSource(
  tx: Tx,
  { vault, egress }: { readonly vault: Vault; readonly egress: Egress },
  network: string,
  source: FetchedSource,
  now: Date,
): Promise<void> {
  if ((await findNetwork(tx, network)) === null) throw networkUnknown()
  const fault = faultOf(source, egress)
  if (fault !== null) throw networkInvalid(...fault)
  const { headerName, headerValue, ...rest } = source
  const sealedHeader = headerValue === null ? null : vault.seal(headerValue, sealContext(network))
  await queries.upsertSource(tx, { ...rest, network, header: headerName, sealedHeader }, now)
}

/** Fetches no more reports of a network. @throws Refusal network_invalid when none were fetched */
export async function stopReports(tx: Tx, network: string): Promise<void> {
  if (!(await queries.deleteSource(tx, network))) throw networkInvalid('network', 'No reports of it are fetched.')
}

/** Binds the sealed header to its network. */
export function sealContext(network: string): string {
  return `network_reports:${network}:header`
}

function faultOf(source: FetchedSource, egress: Egress): [field: string, message: string] | null {
  const { url, body, headerName, headerValue } = source
  if (url.length > TEXT_MAX || (body?.length ?? 0) > TEXT_MAX) return ['url', `It has at most ${TEXT_MAX} characters.`]
  if (!/\{(from|to)\}/.test(url + (body ?? ''))) return ['url', 'It needs {from} and {to}, the days of a report.']
  const fault = addressFault(url, egress)
  if (fault !== null) return ['url', `The address ${fault}.`]
  if (!HEADER.test(headerName)) return ['header', 'The name of a header has letters, digits and hyphens.']
  if (headerValue !== null && !HEADER_VALUE.test(headerValue)) return ['header', 'A header is printable ASCII.']
  return null
}

/** Why an address may not be called, or null. Loopback only where the service runs on a developer's machine. */
export function addressFault(url: string, egress: Egress): string | null {
  return urlFault(filled(url, { from: '2000-01-01', to: '2000-01-01' }), 'sandbox', egress)
}

type Page = { readonly from: Day; readonly to: Day }

export function filled(template: string, { from, to }: Page): string {
  return template.replaceAll('{from}', from).replaceAll('{to}', to)
}

/**
 * The pages of the last days, the oldest first. Each begins on the last day of the one before: where a network takes the
 * last day as excluded nothing is missed, and what comes twice changes nothing.
 */
export function pagesOf(today: Day, days: number, pageDays: number): Page[] {
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
