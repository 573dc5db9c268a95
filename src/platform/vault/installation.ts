import { randomBytes } from 'node:crypto'
import { ConfigError } from '../config/config.ts'
import type { Tx } from '../db/database.ts'
import type { KeySource } from './key-source.ts'
import * as queries from './queries.ts'
import { KEY_BYTES, type MasterKey, openWith, sealUnder } from './vault.ts'

const CONTEXT = 'installation:derivation secret'

type Installed = { readonly keys: readonly queries.KeyRow[]; readonly derivationSecret: Buffer }

/**
 * Initializes an empty database with the first key of this process. Otherwise checks that the process holds every key
 * that records are sealed under. With a different key, it would seal secrets that no other process can open.
 * @throws ConfigError
 */
export async function enterInstallation(tx: Tx, source: KeySource): Promise<Installed> {
  const kept = await queries.lockInstallation(tx)
  const present = await queries.listMasterKeys(tx)
  const held = source.read()
  if (present.length === 0) return setUp(tx, held, kept.oldFingerprint)
  const fault = findKeyFault(present, held)
  if (fault !== null) throw new ConfigError(fault)
  const find = (id: string): MasterKey | null => held.find((key) => key.id === id) ?? null
  const secret = openWith({ sealing: neverSeals, find }, kept.sealedDerivationSecret ?? Buffer.alloc(0), CONTEXT)
  return { keys: present, derivationSecret: Buffer.from(secret, 'base64') }
}

/**
 * Describes the problem with a process's keys; null if there is none. A key that has only been announced may still be
 * missing.
 */
export function findKeyFault(present: readonly queries.KeyRow[], held: readonly MasterKey[]): string | null {
  const missing = present.filter(
    (row) => row.state !== 'announced' && row.state !== 'retired' && !held.some((key) => isKey(key, row)),
  )
  if (missing.some((row) => row.state === 'sealing')) return LOST
  const old = missing[0]
  if (old === undefined) return null
  return (
    `The master key is being replaced, and records are still sealed under ${old.keyId}, which is missing. Add it ` +
    'to LAUREL_MASTER_KEY after the new key until `laurel secrets status` reports it as retired.'
  )
}

/**
 * Describes the progress of an unfinished rotation; null if there is none. A rotation killed early might have left only
 * a new key in the data folder.
 * @param isFile true if the keys are in the data folder; if they are in the settings, a retired one remains until a
 * restart
 */
export function describeRotation(
  present: readonly queries.KeyRow[],
  held: readonly MasterKey[],
  { isFile }: { readonly isFile: boolean },
): string | null {
  const findState = (key: MasterKey) => present.find((row) => row.keyId === key.id)?.state
  if (present.some((row) => row.state === 'opening' || row.state === 'closing'))
    return 'the master key is being replaced'
  const isAnnounced = present.some((row) => row.state === 'announced')
  if (isAnnounced || (present.length > 0 && held.some((key) => findState(key) === undefined)))
    return 'a new master key is available, but nothing is sealed under it yet'
  const isLeft = isFile && held.some((key) => findState(key) === 'retired')
  return isLeft ? 'a retired master key is still in the data folder' : null
}

export function isKey(key: MasterKey, row: queries.KeyRow): boolean {
  return key.id === row.keyId && key.fingerprint.equals(row.fingerprint)
}

/** The error message for a missing key, with the remedy. */
export const LOST =
  'The master key is not the one that this database was set up with. Set LAUREL_MASTER_KEY to the original key, ' +
  'or restore the data folder that contains it (master.key).'

async function setUp(tx: Tx, held: readonly MasterKey[], oldFingerprint: Buffer | null): Promise<Installed> {
  // Older versions derived fingerprints from the master key itself, so that key remains their secret.
  const key = oldFingerprint === null ? held[0] : held.find((candidate) => candidate.fingerprint.equals(oldFingerprint))
  if (key === undefined) throw new ConfigError(LOST)
  const derivationSecret = oldFingerprint === null ? randomBytes(KEY_BYTES) : key.bytes
  await queries.insertMasterKey(tx, key, 'sealing')
  await queries.storeDerivationSecret(tx, sealUnder(key, derivationSecret.toString('base64'), CONTEXT))
  return { keys: await queries.listMasterKeys(tx), derivationSecret }
}

function neverSeals(): never {
  throw new Error('this keyring can only open secrets')
}
