import type { Reader, Tx } from '../../../platform/db/database.ts'
import type { Network } from '../network-queries.ts'

/** The source of a network's reports. `{from}` and `{to}` stand for the first and last day of a page. */
export type StoredSource = {
  readonly network: string
  readonly url: string
  /** The body of a POST; null to send a GET. */
  readonly body: string | null
  readonly header: string
  readonly sealedHeader: Buffer | null
  readonly everyMinutes: number
  /** The number of days that each fetch looks back, because networks change sales until they lock them. */
  readonly days: number
  /** The number of days requested at a time. */
  readonly pageDays: number
}

export async function upsertSource(tx: Tx, source: StoredSource, now: Date): Promise<void> {
  const { network, url, body, header, sealedHeader, everyMinutes, days, pageDays } = source
  await tx`
    insert into network_reports as r (network, url, body, header, sealed_header, every_minutes, days, page_days, next_at)
    values (${network}, ${url}, ${body}, ${header}, ${sealedHeader}, ${everyMinutes}, ${days}, ${pageDays}, ${now})
    on conflict (network) do update set
      url = excluded.url, body = excluded.body, header = excluded.header, sealed_header = excluded.sealed_header,
      every_minutes = excluded.every_minutes, days = excluded.days, page_days = excluded.page_days,
      next_at = excluded.next_at, failures = 0`
}

/** @returns false if the network had no source of reports */
export async function deleteSource(tx: Tx, network: string): Promise<boolean> {
  const rows = await tx`delete from network_reports where network = ${network} returning 1`
  return rows.length === 1
}

export type DueSource = StoredSource & { readonly failures: number }

/** Leases a due source until the given time. */
export async function claimSource(reader: Reader, now: Date, until: Date): Promise<DueSource | null> {
  const [row] = await reader<DueSource[]>`
    update network_reports set next_at = ${until}
    where network = (
      select network from network_reports where next_at <= ${now} order by next_at limit 1 for update skip locked
    )
    returning network, url, body, header, sealed_header, every_minutes, days, page_days, failures`
  return row ?? null
}

/** Extends a lease, so that a long fetch is not started twice. */
export async function extendClaim(reader: Reader, network: string, until: Date): Promise<void> {
  await reader`update network_reports set next_at = ${until} where network = ${network}`
}

export async function markFetched(reader: Reader, network: string, now: Date, next: Date): Promise<void> {
  await reader`
    update network_reports set failures = 0, last_success_at = ${now}, next_at = ${next} where network = ${network}`
}

type Failure = { readonly error: string; readonly at: Date; readonly next: Date }

export async function markFailed(reader: Reader, network: string, { error, at, next }: Failure): Promise<void> {
  await reader`
    update network_reports
    set failures = failures + 1, last_error = ${error}, last_error_at = ${at}, next_at = ${next}
    where network = ${network}`
}

/** A network with its source of reports; null if none are fetched from it. */
export type NetworkState = Omit<Network, 'updatedAt'> & {
  readonly url: string | null
  readonly everyMinutes: number | null
  readonly nextAt: Date | null
  readonly lastSuccessAt: Date | null
  readonly lastError: string | null
  readonly lastErrorAt: Date | null
  /** The number of unread rows in unfinished imports. */
  readonly unreadRows: number
}

export async function listNetworks(reader: Reader): Promise<NetworkState[]> {
  return reader<NetworkState[]>`
    select n.network, n.format, n.fields, n.lock_days, n.window_days, r.url, r.every_minutes, r.next_at,
      r.last_success_at, r.last_error, r.last_error_at,
      (select coalesce(sum(i.rows - i.read_rows), 0)::int from report_imports i where i.network = n.network)
        as unread_rows
    from networks n
    left join network_reports r using (network)
    order by n.network`
}
