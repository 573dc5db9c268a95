import type { Reader, Tx } from '../../platform/db/database.ts'
import type { FormatName, Overrides } from './formats/index.ts'

export async function upsertNetwork(tx: Tx, network: string, fingerprint: Buffer, now: Date): Promise<void> {
  await tx`
    insert into networks (network, secret_fingerprint, updated_at) values (${network}, ${fingerprint}, ${now})
    on conflict (network) do update set secret_fingerprint = excluded.secret_fingerprint, updated_at = excluded.updated_at`
}

export type Network = {
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
export async function updateNetwork(
  tx: Tx,
  network: string,
  { fields, ...changes }: Partial<Pick<Network, 'format' | 'fields' | 'lockDays' | 'windowDays'>>,
  now: Date,
): Promise<boolean> {
  const row = { ...changes, ...(fields === undefined ? {} : { fields: tx.json(fields as never) }), updatedAt: now }
  const { count } = await tx`update networks set ${tx(row)} where network = ${network}`
  return count === 1
}
