import type { Reader } from '../../platform/database.ts'

export type Booking = {
  readonly account: string
  readonly operation: string
  /** How many calls. */
  readonly count: number
  /** The time that each call takes up. */
  readonly stepMs: number
  /** How much unused time may be made up for. */
  readonly burstMs: number
  /** Nothing is booked when the first turn would be later than this. */
  readonly waitMaxMs: number
}

/**
 * Books turns for calls and answers in how many milliseconds the first may be made, or null when that is too long. The
 * database's clock alone counts, so that processes whose clocks differ keep one pace.
 */
export async function bookTurns(reader: Reader, booking: Booking): Promise<number | null> {
  // all publishers: an account's pace is shared by whoever calls under it
  const { account, operation, count, stepMs, burstMs, waitMaxMs } = booking
  const [row] = await reader<{ waitMs: number }[]>`
    insert into provider_turns as t (account, operation, next_at)
    values (${account}, ${operation}, clock_timestamp() + ${count * stepMs}::float8 * interval '1 ms')
    on conflict (account, operation) do update set
      next_at = greatest(t.next_at, clock_timestamp() - ${burstMs}::float8 * interval '1 ms')
        + ${count * stepMs}::float8 * interval '1 ms'
    where t.next_at <= clock_timestamp() + ${waitMaxMs}::float8 * interval '1 ms'
    returning (extract(epoch from next_at - clock_timestamp()) * 1000)::float8 - ${count * stepMs}::float8 as "waitMs"`
  return row === undefined ? null : Math.max(0, row.waitMs)
}

/** In how many milliseconds the next turn is. */
export async function nextTurnIn(reader: Reader, account: string, operation: string): Promise<number> {
  // all publishers: an account's pace is shared by whoever calls under it
  const [row] = await reader<{ waitMs: number }[]>`
    select (extract(epoch from next_at - clock_timestamp()) * 1000)::float8 as "waitMs"
    from provider_turns where account = ${account} and operation = ${operation}`
  return Math.max(0, row?.waitMs ?? 0)
}

/** No turn before so many milliseconds from now. */
export async function postponeTurns(
  reader: Reader,
  account: string,
  operation: string,
  pauseMs: number,
): Promise<void> {
  // all publishers: an account's pace is shared by whoever calls under it
  await reader`
    insert into provider_turns as t (account, operation, next_at)
    values (${account}, ${operation}, clock_timestamp() + ${pauseMs}::float8 * interval '1 ms')
    on conflict (account, operation) do update set next_at = greatest(t.next_at, excluded.next_at)`
}
