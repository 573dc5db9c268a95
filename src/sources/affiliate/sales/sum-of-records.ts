import type { ReportedStatus, SaleStatus } from '../rules.ts'

/** A record of an item. The network corrects the item's amount with further records. */
export type SaleRecord = {
  readonly reportId: string | null
  /** Minor units, negative for a downward correction. */
  readonly amount: bigint
  readonly status: ReportedStatus
}

/**
 * Sums the records of an item, regardless of the order in which they arrived. If a record is reported several times,
 * uses the last report, unless that is pending and the record was already decided. Once any part is approved, only
 * approved amounts count. A downward correction applies immediately, but an upward one only once it is approved. An
 * amendment keeps the state of its record. If the record has no state yet, the amendment is added up with the rest of
 * the item.
 */
export function sumRecords(records: readonly SaleRecord[]): { readonly status: SaleStatus; readonly amount: bigint } {
  const latest = new Map<string, SaleRecord>()
  for (const record of records) {
    const key = `${record.amount < 0n} ${record.reportId}`
    const before = latest.get(key)
    if (before === undefined || record.status === before.status) latest.set(key, record)
    else if (record.status === 'amended') latest.set(key, { ...record, status: before.status })
    // This report is late: whatever amended or decided the record was sent after it.
    else if (record.status === 'pending')
      latest.set(key, before.status === 'amended' ? { ...before, status: 'pending' } : before)
    else latest.set(key, record)
  }
  const standing = [...latest.values()].filter(({ status }) => status !== 'rejected')
  if (standing.length < latest.size && standing.every(({ status }) => status === 'amended'))
    return { status: 'rejected', amount: 0n }
  const isApproved = standing.some(({ status, amount }) => status === 'approved' && amount > 0n)
  const counted = isApproved ? standing.filter(({ status, amount }) => status !== 'pending' || amount < 0n) : standing
  const amount = counted.reduce((sum, record) => sum + record.amount, 0n)
  return amount <= 0n ? { status: 'rejected', amount: 0n } : { status: isApproved ? 'approved' : 'pending', amount }
}
