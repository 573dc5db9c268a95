import { Gauge } from 'prom-client'
import { asTable, type Reader, selectColumns, type Tx } from '../../platform/db/database.ts'
import { newUuid, type PublisherId } from '../../platform/ids.ts'
import { countWaiting, type WaitingCount } from '../../platform/queue/waiting.ts'
import { registry } from '../../platform/telemetry/metrics.ts'
import { CONTRADICTION, type Contradiction } from './contradiction.ts'

const columns = (reader: Reader) => selectColumns(reader, 'contradictions', CONTRADICTION.columns)

// More than anyone would look through. The oldest are listed first.
const SHOWN_MAX = 500

/** Records contradictions. Ignores repeats, even of acknowledged contradictions. */
export async function recordContradictions(
  tx: Tx,
  publisherId: PublisherId,
  contradictions: readonly Omit<Contradiction, 'contradictionId' | 'publisherId' | 'recordedAt'>[],
): Promise<void> {
  if (contradictions.length === 0) return
  const rows = contradictions.map((one) => ({ ...one, contradictionId: newUuid<'contradiction'>() }))
  await tx`
    insert into contradictions (user_id, contradiction_id, publisher_id, subject, known, reported, reported_by, code,
      text, reference)
    select user_id, contradiction_id, ${publisherId}, subject, known, reported, reported_by, code, text, reference
    from ${asTable(tx, rows, {
      userId: 'uuid',
      contradictionId: 'uuid',
      subject: 'text',
      known: 'plain',
      reported: 'plain',
      reportedBy: 'text',
      code: 'text',
      text: 'text',
      reference: 'text',
    })}
    on conflict (user_id, subject, known, reported) do nothing`
}

/** Lists unacknowledged contradictions, oldest first. */
export async function listContradictions(reader: Reader): Promise<Contradiction[]> {
  return reader<Contradiction[]>`
    -- all publishers: all users: operators look after the contradictions of all
    select ${columns(reader)} from contradictions
    where acknowledged_at is null
    order by recorded_at, contradiction_id
    limit ${SHOWN_MAX}`
}

export async function countWaitingContradictions(reader: Reader): Promise<WaitingCount> {
  return countWaiting(
    reader,
    (limit) => reader`
      -- all publishers: all users: operators look after the contradictions of all
      select recorded_at as since from contradictions where acknowledged_at is null
      order by recorded_at limit ${limit}`,
  )
}

/** Acknowledges a contradiction. Returns null if it is unknown or already acknowledged. */
export async function acknowledgeContradiction(
  tx: Tx,
  {
    contradictionId,
    by,
    note,
  }: Pick<Contradiction, 'contradictionId'> & { readonly by: string; readonly note: string },
  now: Date,
): Promise<Contradiction | null> {
  const [row] = await tx<Contradiction[]>`
    -- all publishers: all users: an operator names a contradiction by its id
    update contradictions set acknowledged_at = ${now}, acknowledged_by = ${by}, note = ${note}
    where contradiction_id = ${contradictionId} and acknowledged_at is null
    returning ${columns(tx)}`
  return row ?? null
}

const unacknowledged = new Gauge({
  name: 'laurel_contradictions',
  help: 'Unacknowledged reports from banks, suppliers and publishers that contradict what is recorded.',
  registers: [registry],
})

export async function showContradictions(reader: Reader): Promise<void> {
  unacknowledged.set((await countWaitingContradictions(reader)).count)
}
