import { Gauge } from 'prom-client'
import type { Database, Reader, Tx } from './database.ts'
import type { PublisherId } from './ids.ts'
import { registry } from './metrics.ts'
import { countWaiting, type WaitingCount } from './waiting.ts'

/**
 * A lower room cannot call a higher one. Instead it records a fact in its own transaction, as in an outbox;
 * src/facts.ts is the one table that says which work each fact starts.
 */
export type Fact = {
  readonly ordinal: bigint
  readonly publisherId: PublisherId
  readonly name: string
  readonly payload: Readonly<Record<string, string>>
}

/** The work of a fact failed and is postponed. */
export class FactFailure extends Error {}

/** A fact whose work failed so often that it is retried only when an operator asks. */
export type FailedFact = Fact & {
  readonly recordedAt: Date
  readonly attempts: number
  readonly error: string
  readonly failedAt: Date
}

// The longest backoff of work that keeps failing.
const BACKOFF_MAX_SECONDS = 3_600
// Some nine hours: longer than most outages of others last, and shorter than a working day.
const ATTEMPTS_MAX = 20
// Enough to recognize the reason.
const ERROR_LENGTH_MAX = 500
// More than anyone looks through; the oldest come first.
const FAILED_SHOWN_MAX = 500

export async function recordFact(
  tx: Tx,
  publisherId: PublisherId,
  name: string,
  payload: Fact['payload'],
): Promise<void> {
  await tx`insert into facts (publisher_id, name, payload) values (${publisherId}, ${name}, ${tx.json(payload)})`
}

/** Whose fact was taken last; each process that takes facts of all publishers has its own. */
export type FactTurn = { after: PublisherId | null }

/**
 * Takes a due fact that no other process is taking, and does its work in the same commit, so that each fact is done
 * once. Publishers take turns, and of each the oldest fact comes first: a publisher with very many holds up nobody else.
 * Failing work backs off and lets others pass; after many attempts it is set aside until an operator retries it.
 * @param whose the turn of all publishers, or the one publisher whose facts are taken
 * @returns whether there was a fact
 */
export async function runFact(
  db: Database,
  whose: FactTurn | PublisherId,
  work: (tx: Tx, fact: Fact) => Promise<void>,
): Promise<boolean> {
  let taken: Fact | null = null
  try {
    await db.transaction(async (tx) => {
      taken = typeof whose === 'string' ? await takeFactOf(tx, whose) : await takeNextFact(tx, whose)
      if (taken !== null) await work(tx, taken)
    })
  } catch (error) {
    if (taken === null) throw error
    await postpone(db, taken, error)
    throw new FactFailure(error instanceof Error ? error.message : String(error), { cause: error })
  }
  return taken !== null
}

/** Waits for a fact that another process is taking. */
async function takeFactOf(tx: Tx, publisherId: PublisherId): Promise<Fact | null> {
  const [row] = await tx<Fact[]>`
    delete from facts
    where ordinal = (
      select ordinal from facts
      where publisher_id = ${publisherId} and due_at <= now()
      order by due_at, ordinal
      for update
      limit 1
    )
    returning ordinal, publisher_id, name, payload`
  return row ?? null
}

/** Of the next publisher after the one whose fact was taken last; after the last publisher, of the first. */
async function takeNextFact(tx: Tx, turn: FactTurn): Promise<Fact | null> {
  const fact = (turn.after === null ? null : await takeFactAfter(tx, turn.after)) ?? (await takeFactAfter(tx, null))
  turn.after = fact?.publisherId ?? null
  return fact
}

async function takeFactAfter(tx: Tx, after: PublisherId | null): Promise<Fact | null> {
  const [row] = await tx<Fact[]>`
    -- all publishers: the worker runs every fact
    delete from facts
    where ordinal = (
      select ordinal from facts
      where due_at <= now() ${after === null ? tx`` : tx`and publisher_id > ${after}`}
      order by publisher_id, due_at, ordinal
      for update skip locked
      limit 1
    )
    returning ordinal, publisher_id, name, payload`
  return row ?? null
}

async function postpone(db: Database, fact: Fact, error: unknown): Promise<void> {
  const reason = (error instanceof Error ? error.message : String(error)).slice(0, ERROR_LENGTH_MAX)
  await db.transaction(
    (tx) => tx`
    update facts set
      attempts = attempts + 1, error = ${reason}, failed_at = now(),
      due_at = case when attempts + 1 >= ${ATTEMPTS_MAX} then 'infinity' else
        now() + make_interval(secs => least(${BACKOFF_MAX_SECONDS}, 2 ^ least(attempts, 20))) end
    where publisher_id = ${fact.publisherId} and ordinal = ${fact.ordinal}`,
  )
}

/** Of these values of a payload's field, those that facts of a name still wait with: their work is not done. */
export async function listWaiting(
  reader: Reader,
  name: string,
  field: string,
  values: readonly string[],
): Promise<string[]> {
  const rows = await reader<{ value: string }[]>`
    -- all publishers: the operator's proof asks for those of all
    select distinct payload ->> ${field}::text as value from facts
    where name = ${name} and payload ->> ${field}::text = any(${values as string[]}::text[])`
  return rows.map(({ value }) => value)
}

/** The oldest first. */
export async function listFailedFacts(reader: Reader): Promise<FailedFact[]> {
  return reader<FailedFact[]>`
    -- all publishers: operators look after the facts of all
    select ordinal, publisher_id, name, payload, recorded_at, attempts, error, failed_at
    from facts
    where due_at = 'infinity'
    order by ordinal
    limit ${FAILED_SHOWN_MAX}`
}

/** How many there are, and since when the oldest has failed. */
export async function waitingFacts(reader: Reader): Promise<WaitingCount> {
  return countWaiting(
    reader,
    (limit) => reader`
      -- all publishers: operators look after the facts of all
      select failed_at as since from facts where due_at = 'infinity' order by failed_at limit ${limit}`,
  )
}

/** Makes all failed facts, or one of them, due at once, with all attempts ahead of them. Returns which. */
export async function retryFailedFacts(tx: Tx, ordinal: bigint | null): Promise<bigint[]> {
  const rows = await tx<{ ordinal: bigint }[]>`
    -- all publishers: operators look after the facts of all
    update facts set due_at = now(), attempts = 0
    where due_at = 'infinity' and (${ordinal}::bigint is null or ordinal = ${ordinal})
    returning ordinal`
  return rows.map((row) => row.ordinal)
}

const facts = new Gauge({
  name: 'laurel_facts',
  help: 'Recorded facts whose work is not done: waiting, retried after a failure, or failed for good.',
  labelNames: ['state'],
  registers: [registry],
})

/** Updates the gauge. */
export async function showFacts(reader: Reader): Promise<void> {
  const [row] = await reader<{ waiting: number; retried: number; failed: number }[]>`
    -- all publishers: totals for metrics
    select count(*) filter (where attempts = 0)::int as waiting,
      count(*) filter (where attempts > 0 and due_at < 'infinity')::int as retried,
      count(*) filter (where due_at = 'infinity')::int as failed
    from facts`
  for (const [state, count] of Object.entries({ ...row })) facts.set({ state }, count)
}
