import type { Reader, Tx } from '../../platform/db/database.ts'
import type { FormatName, Overrides } from './formats/index.ts'

export async function upsertNetwork(tx: Tx, network: string, fingerprint: Buffer, now: Date): Promise<void> {
  await tx`
    insert into networks (network, secret_fingerprint, updated_at) values (${network}, ${fingerprint}, ${now})
    on conflict (network) do update set secret_fingerprint = excluded.secret_fingerprint, updated_at = excluded.updated_at`
}

/** @returns false if there is no such network */
export async function updateLockDays(tx: Tx, network: string, lockDays: number, now: Date): Promise<boolean> {
  const rows = await tx`
    update networks set lock_days = ${lockDays}, updated_at = ${now} where network = ${network}
    returning 1`
  return rows.length === 1
}

type Network = {
  readonly network: string
  readonly format: FormatName
  /** The network's own field names. */
  readonly fields: Overrides
  readonly lockDays: number
  readonly windowDays: number
  readonly updatedAt: Date
}

export async function findNetwork(reader: Reader, network: string): Promise<Network | null> {
  const [row] = await reader<Network[]>`
    select network, format, fields, lock_days, window_days, updated_at from networks where network = ${network}`
  return row ?? null
}

export async function findFingerprint(reader: Reader, network: string): Promise<Buffer | null> {
  const [row] = await reader<{ fingerprint: Buffer }[]>`
    select secret_fingerprint as fingerprint from networks where network = ${network}`
  return row?.fingerprint ?? null
}

/** @returns false if there is no such network */
export async function updateFormat(
  tx: Tx,
  network: string,
  { format, fields }: Pick<Network, 'format' | 'fields'>,
  now: Date,
): Promise<boolean> {
  const rows = await tx`
    update networks set format = ${format}, fields = ${tx.json(fields as never)}, updated_at = ${now}
    where network = ${network}
    returning 1`
  return rows.length === 1
}

/** @returns false if there is no such network */
export async function updateWindowDays(tx: Tx, network: string, windowDays: number, now: Date): Promise<boolean> {
  const rows = await tx`
    update networks set window_days = ${windowDays}, updated_at = ${now} where network = ${network}
    returning 1`
  return rows.length === 1
}
