import type { Reader } from '../../platform/database.ts'

export type Slot = { readonly isReserved: boolean; readonly inMs: number }

type Reservation = {
  readonly account: string
  readonly operation: string
  /** The time that a call takes of the account's limit. */
  readonly stepMs: number
  /** How much unused time may be made up for. */
  readonly burstMs: number
  /** No slot is reserved when the next one is further ahead. */
  readonly waitMaxMs: number
}

/** Uses the database's clock alone, so that processes whose clocks differ keep one pace. */
export async function reserveSlot(reader: Reader, reservation: Reservation): Promise<Slot> {
  // all publishers: everyone who calls under an account shares its pace
  const { account, operation, stepMs, burstMs, waitMaxMs } = reservation
  const step = reader`${stepMs}::float8 * interval '1 ms'`
  const [slot] = await reader<Slot[]>`
    with reserved as (
      insert into provider_pacing as p (account, operation, next_at)
      values (${account}, ${operation}, clock_timestamp() + ${step})
      on conflict (account, operation) do update set
        next_at = greatest(p.next_at, clock_timestamp() - ${burstMs}::float8 * interval '1 ms') + ${step}
      where p.next_at <= clock_timestamp() + ${waitMaxMs}::float8 * interval '1 ms'
      returning next_at - ${step} as at
    ),
    slot as (
      select true as is_reserved, at from reserved
      union all
      select false, next_at from provider_pacing
      where account = ${account} and operation = ${operation} and not exists (select from reserved)
    )
    select is_reserved, greatest(0, extract(epoch from at - clock_timestamp()) * 1000)::float8 as in_ms from slot`
  return slot ?? { isReserved: false, inMs: waitMaxMs }
}

/** No call before so many milliseconds from now. */
export async function postponeCalls(
  reader: Reader,
  account: string,
  operation: string,
  pauseMs: number,
): Promise<void> {
  // all publishers: everyone who calls under an account shares its pace
  await reader`
    insert into provider_pacing as p (account, operation, next_at)
    values (${account}, ${operation}, clock_timestamp() + ${pauseMs}::float8 * interval '1 ms')
    on conflict (account, operation) do update set next_at = greatest(p.next_at, excluded.next_at)`
}
