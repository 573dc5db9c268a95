import { Gauge } from 'prom-client'
import type { Database, Reader, Tx } from '../db/database.ts'
import type { PublisherId } from '../ids.ts'
import { registry } from '../telemetry/metrics.ts'
import { countWaiting, type WaitingCount } from './waiting.ts'

/**
 * An outbox entry. A lower room cannot call a higher one, so it records a fact in its own transaction instead.
 * src/facts.ts maps each kind of fact to the work it triggers.
 */
export type Fact = {
  readonly ordinal: bigint
  readonly publisherId: PublisherId
  readonly name: string
  readonly payload: Readonly<Record<string, string>>
}

/** Thrown when a fact's work has failed and been postponed. */
export class FactFailure extends Error {}

/** A fact that has failed so often that it is retried only when an operator requests it. */
type FailedFact = Fact & {
  readonly recordedAt: Date
  readonly attempts: number
  readonly error: string
  readonly failedAt: Date
}

// Caps the backoff of a fact that keeps failing.
const BACKOFF_MAX_SECONDS = 3_600
// About nine hours: longer than most third-party outages, but less than a day.
const ATTEMPTS_MAX = 20
// Enough to recognize the cause.
const ERROR_LENGTH_MAX = 500
// More than anyone would look through. The oldest are listed first.
const FAILED_SHOWN_MAX = 500

export async function recordFact(
  tx: Tx,
  publisherId: PublisherId,
  name: string,
  payload: Fact['payload'],
): Promise<void> {
  await tx`insert into facts (publisher_id, name, payload) values (${publisherId}, ${name}, ${tx.json(payload)})`
}

/**
 * The publisher whose fact ran last. Each process that runs the facts of all publishers rotates through them
 * independently.
 */
export type FactTurn = { after: PublisherId | null }

/**
 * Takes a due fact that no other process is running and does its work in the same commit, so each fact takes effect
 * exactly once. Publishers take turns, oldest fact first, so that a publisher with many facts does not hold up the
 * others. Failing work backs off and lets other facts run first. After many attempts, the fact is set aside until an
 * operator retries it.
 * @param whose the turn across all publishers, or the one publisher whose facts to run
 * @returns true if there was a fact
 */
export async function runFact(
  db: Database,
  whose: FactTurn | PublisherId,
  work: (tx: Tx, fact: Fact) => Promise<void>,
): Promise<boolean> {
  let taken: Fact | null = null
  try {
    await db.transaction(async (tx) => {
      taken = typeof whose === 'string' ? await takeFact(tx, whose) : await takeNextFact(tx, whose)
      if (taken !== null) await work(tx, taken)
    })
  } catch (error) {
    if (taken === null) throw error
    await postpone(db, taken, error)
    throw new FactFailure(error instanceof Error ? error.message : String(error), { cause: error })
  }
  return taken !== null
}

/** Takes the next due fact of a publisher. Waits if another process has locked the fact. */
async function takeFact(tx: Tx, publisherId: PublisherId): Promise<Fact | null> {
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

/** Takes a fact of the next publisher that has one due, wrapping around to the first. */
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

/** Returns the values that still occur in the given payload field of pending facts. */
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

/** Lists failed facts, oldest first. */
export async function listFailedFacts(reader: Reader): Promise<FailedFact[]> {
  return reader<FailedFact[]>`
    -- all publishers: operators look after the facts of all
    select ordinal, publisher_id, name, payload, recorded_at, attempts, error, failed_at
    from facts
    where due_at = 'infinity'
    order by ordinal
    limit ${FAILED_SHOWN_MAX}`
}

/** Returns the number of failed facts and the time of the oldest failure. */
export async function countWaitingFacts(reader: Reader): Promise<WaitingCount> {
  return countWaiting(
    reader,
    (limit) => reader`
      -- all publishers: operators look after the facts of all
      select failed_at as since from facts where due_at = 'infinity' order by failed_at limit ${limit}`,
  )
}

/**
 * Makes one failed fact, or all of them, due immediately with a fresh set of attempts. Returns the affected ordinals.
 */
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
  help: 'Unprocessed facts: pending, waiting for a retry, or failed for good.',
  labelNames: ['state'],
  registers: [registry],
})

export async function showFacts(reader: Reader): Promise<void> {
  const [row] = await reader<{ waiting: number; retried: number; failed: number }[]>`
    -- all publishers: totals for metrics
    select count(*) filter (where attempts = 0)::int as waiting,
      count(*) filter (where attempts > 0 and due_at < 'infinity')::int as retried,
      count(*) filter (where due_at = 'infinity')::int as failed
    from facts`
  for (const [state, count] of Object.entries({ ...row })) facts.set({ state }, count)
}
