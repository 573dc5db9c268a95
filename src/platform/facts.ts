import type { Database, Tx } from './database.ts'
import type { PublisherId } from './ids.ts'

/**
 * A lower room cannot call a higher one. It records a fact in its own transaction instead; src/facts.ts is the one
 * table that says which work each fact starts.
 */
export type Fact = {
  readonly ordinal: bigint
  readonly publisherId: PublisherId
  readonly name: string
  readonly payload: Readonly<Record<string, string>>
}

// The longest rest between two tries of work that keeps failing.
const REST_MAX_SECONDS = 3_600

export async function recordFact(
  tx: Tx,
  publisherId: PublisherId,
  name: string,
  payload: Fact['payload'],
): Promise<void> {
  await tx`insert into facts (publisher_id, name, payload) values (${publisherId}, ${name}, ${tx.json(payload)})`
}

/**
 * Takes the oldest fact that is due and that nobody else is taking, and does its work in the same commit: each fact is worked off
 * once. Work that fails rests longer each time and lets the others pass. Answers whether there was one.
 */
export async function workOffFact(
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
    -- all publishers: the worker empties the whole queue, unless it is asked about one
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
      attempts = attempts + 1, due_at = now() + make_interval(secs => least(${REST_MAX_SECONDS}, 2 ^ least(attempts, 20)))
    where publisher_id = ${fact.publisherId} and ordinal = ${fact.ordinal}`,
  )
}
