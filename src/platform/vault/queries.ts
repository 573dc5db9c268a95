import type { Reader, Tx } from '../db/database.ts'
import type { MasterKey } from './vault.ts'

type KeyState = 'announced' | 'sealing' | 'opening' | 'closing' | 'retired'
export type KeyRow = {
  readonly keyId: string
  readonly state: KeyState
  readonly fingerprint: Buffer
  readonly changedAt: Date
}
export type KeyHolder = {
  readonly holderId: string
  readonly name: string
  readonly held: string[]
  readonly sealing: string
}
type Installation = { readonly oldFingerprint: Buffer | null; readonly sealedDerivationSecret: Buffer | null }

// The trigger refuse_closed_key takes the same lock in shared mode for each record it admits.
const RECORDS_LOCK = 7_265_004
const ROTATION_LOCK = 7_265_005

/** Locks the installation, which serializes process starts and changes to the sealing key. */
export async function lockInstallation(tx: Tx): Promise<Installation> {
  await tx`insert into installation default values on conflict do nothing`
  const [row] = await tx<[Installation]>`
    select master_key_fingerprint as old_fingerprint, sealed_derivation_secret
    from installation
    for update`
  return row
}

export async function storeDerivationSecret(tx: Tx, sealed: Buffer): Promise<void> {
  await tx`update installation set sealed_derivation_secret = ${sealed}, master_key_fingerprint = null`
}

export async function listMasterKeys(reader: Reader): Promise<KeyRow[]> {
  return reader<KeyRow[]>`
    select key_id, state, fingerprint, changed_at
    from master_keys
    order by changed_at, key_id`
}

export async function insertMasterKey(tx: Tx, key: MasterKey, state: 'announced' | 'sealing'): Promise<void> {
  await tx`insert into master_keys (key_id, state, fingerprint) values (${key.id}, ${state}, ${key.fingerprint})`
}

/** Withdraws an announced key, under which nothing has been sealed yet. */
export async function deleteAnnouncedKey(tx: Tx): Promise<void> {
  await tx`delete from master_keys where state = 'announced'`
}

export async function moveMasterKeys(tx: Tx, from: KeyState, to: KeyState): Promise<void> {
  await tx`update master_keys set state = ${to}, changed_at = now() where state = ${from}`
}

export async function closeMasterKey(tx: Tx, keyId: string): Promise<void> {
  await tx`update master_keys set state = 'closing', changed_at = now() where key_id = ${keyId} and state = 'opening'`
}

/** @param aliveSeconds how long after its last report a process counts as running */
export async function listHolders(reader: Reader, aliveSeconds: number): Promise<KeyHolder[]> {
  return reader<KeyHolder[]>`
    select holder_id, name, held, sealing
    from key_holders
    where seen_at > clock_timestamp() - make_interval(secs => ${aliveSeconds})
    order by name, holder_id`
}

export async function upsertHolder(reader: Reader, { holderId, name, held, sealing }: KeyHolder): Promise<void> {
  await reader`
    insert into key_holders (holder_id, name, held, sealing, seen_at)
    values (${holderId}, ${name}, ${held}::text[], ${sealing}, clock_timestamp())
    on conflict (holder_id) do update set held = excluded.held, sealing = excluded.sealing, seen_at = excluded.seen_at`
}

/** Removes this process, and any that has not reported for a day. */
export async function deleteHolder(reader: Reader, holderId: string): Promise<void> {
  await reader`
    delete from key_holders where holder_id = ${holderId} or seen_at < clock_timestamp() - interval '1 day'`
}

/** Blocks other rotations until the end of the transaction. Returns false if one is already in progress. */
export async function lockRotation(tx: Tx): Promise<boolean> {
  // This transaction is idle during the entire rotation, so the server must not time it out.
  await tx`select set_config('idle_in_transaction_session_timeout', '0', true)`
  const [row] = await tx<[{ locked: boolean }]>`select pg_try_advisory_xact_lock(${ROTATION_LOCK}) as locked`
  return row.locked
}

/** Waits for open transactions that wrote records under this key, and blocks new ones until this transaction ends. */
export async function lockRecordsByKey(tx: Tx, keyId: string, limitMs: number): Promise<void> {
  await tx`select set_config('lock_timeout', ${String(limitMs)}, true)`
  await tx`select pg_advisory_xact_lock(${RECORDS_LOCK}, ('x' || ${keyId}::text)::bit(32)::int)`
}
