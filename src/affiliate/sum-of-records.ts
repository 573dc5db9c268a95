import type { ReportedStatus, SaleStatus } from './rules.ts'

/** A record of an item, of which the network corrects the amount by further records. */
export type SaleRecord = {
  readonly reportId: string | null
  /** Minor units, negative for a correction downwards. */
  readonly amount: bigint
  readonly status: ReportedStatus
}

/**
 * What the records of an item come to, in any order of arrival. Of reports of one record the last one counts, unless it
 * is pending and the record was decided before. Once a part is approved, only what was approved counts: a correction
 * downwards immediately, one upwards once it is approved, too. An amendment keeps the state of its record; if the
 * record has none, it counts with the rest of the item.
 */
export function sumOfRecords(records: readonly SaleRecord[]): { readonly status: SaleStatus; readonly amount: bigint } {
  const latest = new Map<string, SaleRecord>()
  for (const record of records) {
    const key = `${record.amount < 0n} ${record.reportId}`
    const before = latest.get(key)
    if (before === undefined || record.status === before.status) latest.set(key, record)
    else if (record.status === 'amended') latest.set(key, { ...record, status: before.status })
    // It comes late: whatever amended or decided the record came after it.
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
