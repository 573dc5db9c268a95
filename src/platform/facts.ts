import type { Database, Tx } from './database.ts'
import type { PublisherId } from './ids.ts'

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

// The longest backoff of work that keeps failing.
const BACKOFF_MAX_SECONDS = 3_600

export async function recordFact(
  tx: Tx,
  publisherId: PublisherId,
  name: string,
  payload: Fact['payload'],
): Promise<void> {
  await tx`insert into facts (publisher_id, name, payload) values (${publisherId}, ${name}, ${tx.json(payload)})`
}

/**
 * Takes the oldest due fact that no other process is taking, and does its work in the same commit, so that each fact is
 * done once. Failing work backs off and lets others pass. Returns whether there was a fact.
 */
export async function runFact(
  db: Database,
  publisherId: PublisherId | null,
  work: (tx: Tx, fact: Fact) => Promise<void>,
): Promise<boolean> {
  let taken: Fact | null = null
  try {
    await db.transaction(async (tx) => {
      taken = await takeFact(tx, publisherId)
      if (taken !== null) await work(tx, taken)
    })
  } catch (error) {
    if (taken !== null) await postpone(db, taken)
    throw error
  }
  return taken !== null
}

async function takeFact(tx: Tx, publisherId: PublisherId | null): Promise<Fact | null> {
  const [row] = await tx<Fact[]>`
    -- all publishers: the worker runs every fact, unless it is asked for one publisher
    delete from facts
    where ordinal = (
      select ordinal from facts
      where due_at <= now() ${publisherId === null ? tx`` : tx`and publisher_id = ${publisherId}`}
      order by due_at, ordinal
      for update ${publisherId === null ? tx`skip locked` : tx``}
      limit 1
    )
    returning ordinal, publisher_id, name, payload`
  return row ?? null
}

async function postpone(db: Database, fact: Fact): Promise<void> {
  await db.transaction(
    (tx) => tx`
    update facts set
      attempts = attempts + 1, due_at = now() + make_interval(secs => least(${BACKOFF_MAX_SECONDS}, 2 ^ least(attempts, 20)))
    where publisher_id = ${fact.publisherId} and ordinal = ${fact.ordinal}`,
  )
}
