import { timingSafeEqual } from 'node:crypto'
import type { Reader, Tx } from '../../platform/db/database.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { Vault } from '../../platform/vault/index.ts'
import type { AffiliateRefusal } from './errors.ts'
import type { Format } from './formats/format.ts'
import { buildFormat, type FormatName, type Overrides, overrideFault } from './formats/index.ts'
import * as networks from './network-queries.ts'

const NETWORK = /^[a-z0-9][a-z0-9_-]{0,63}$/
// Sixteen generated characters cannot be guessed over a network.
const SECRET = /^[\x21-\x7e]{16,255}$/

/**
 * Sets or replaces the secret that a network's reports must contain.
 * @throws Refusal network_invalid
 */
export async function setNetworkSecret(
  tx: Tx,
  vault: Vault,
  network: string,
  secret: string,
  now: Date,
): Promise<void> {
  if (!NETWORK.test(network)) {
    throw networkInvalid(
      'network',
      'The name of a network must contain only lowercase letters, digits, hyphens and underscores.',
    )
  }
  if (!SECRET.test(secret)) {
    throw networkInvalid('secret', 'A secret must be 16 to 255 printable characters without spaces.')
  }
  await networks.upsertNetwork(tx, network, computeFingerprint(vault, network, secret), now)
}

export function networkInvalid(field: string, message: string): Refusal<AffiliateRefusal> {
  return new Refusal<AffiliateRefusal>('network_invalid', message, { field })
}

export function networkUnknown(): Refusal<AffiliateRefusal> {
  return networkInvalid('network', 'There is no such network. Set its secret first.')
}

const LOCK_DAYS_MAX = 365

/**
 * Sets the number of days after a sale within which a network approves or rejects it. Applies to future reports.
 * @throws Refusal network_invalid for an unknown network, and for less than a day or more than a year
 */
export async function setLockDays(tx: Tx, network: string, lockDays: number, now: Date): Promise<void> {
  if (!Number.isInteger(lockDays) || lockDays < 1 || lockDays > LOCK_DAYS_MAX)
    throw networkInvalid('lock_days', `A lock period must be 1 to ${LOCK_DAYS_MAX} days.`)
  await change(tx, network, { lockDays }, now)
}

const WINDOW_DAYS_MAX = 90

/**
 * Sets the number of days before a sale within which a click can be credited. Applies to sales first reported from now
 * on.
 * @throws Refusal network_invalid for an unknown network, and for less than a day or more than the 90 days for which
 * advertisers attribute sales
 */
export async function setWindowDays(tx: Tx, network: string, windowDays: number, now: Date): Promise<void> {
  if (!Number.isInteger(windowDays) || windowDays < 1 || windowDays > WINDOW_DAYS_MAX)
    throw networkInvalid('window_days', `A window must be 1 to ${WINDOW_DAYS_MAX} days.`)
  await change(tx, network, { windowDays }, now)
}

/**
 * Sets a network's report format: one of the known formats, with overrides for any field names that differ.
 * @throws Refusal network_invalid for an unknown network or field
 */
export async function setFormat(
  tx: Tx,
  network: string,
  { format, fields }: { readonly format: FormatName; readonly fields: Overrides },
  now: Date,
): Promise<void> {
  const fault = overrideFault(fields)
  if (fault !== null) throw networkInvalid('fields', `The field names are invalid: ${fault}.`)
  await change(tx, network, { format, fields }, now)
}

async function change(...args: Parameters<typeof networks.updateNetwork>): Promise<void> {
  if (!(await networks.updateNetwork(...args))) throw networkUnknown()
}

/** @throws Refusal network_invalid for an unknown network */
export async function getFormat(reader: Reader, network: string): Promise<Format> {
  const found = await networks.findNetwork(reader, network)
  if (found === null) throw networkUnknown()
  return buildFormat(found.format, found.fields)
}

/** @throws Refusal postback_unauthorized, the same for a wrong secret and an unknown network */
export async function authenticateNetwork(
  reader: Reader,
  vault: Vault,
  network: string,
  secret: string | null,
): Promise<void> {
  const kept = NETWORK.test(network) ? await networks.findFingerprint(reader, network) : null
  const given = computeFingerprint(vault, network, secret ?? '')
  if (kept === null || secret === null || !timingSafeEqual(kept, given)) {
    throw new Refusal<AffiliateRefusal>(
      'postback_unauthorized',
      "Send the network's secret in the X-Postback-Secret header or the secret parameter.",
    )
  }
}

function computeFingerprint(vault: Vault, network: string, secret: string): Buffer {
  return vault.fingerprint(secret, `networks:${network}`)
}
