import { createHmac, type Hmac, randomBytes } from 'node:crypto'
import { derive, KEY_BYTES, type Keyring, parseMasterKey, rewrap, WRAPPING_BYTES } from './vault.ts'

/**
 * Transfers sealed records between two installations under a key that is shared only for this purpose. Only the data
 * keys are rewrapped. The secrets are not opened, and their contexts stay the same.
 */
export type Carrier = {
  /** Distinguishes keys without revealing anything about them. */
  readonly keyId: string
  /** Rewraps a record of this installation for transport. @throws if it is damaged or its key is missing */
  pack(sealed: Uint8Array): Buffer
  /** Rewraps an incoming record for this installation. @throws if it is damaged or was packed under another key */
  unpack(packed: Uint8Array): Buffer
  /** Returns an HMAC that proves that data was written with this key and is unchanged. */
  seal(): Hmac
}

/** @param base64 a key from newCarrierKey. @throws if it is not a valid key */
export function createCarrier(ring: Keyring, base64: string): Carrier {
  const key = parseMasterKey(base64)
  const packing: Keyring = { sealing: () => key, find: (id) => ring.find(id) }
  const unpacking: Keyring = { sealing: () => ring.sealing(), find: (id) => (id === key.id ? key : null) }
  const sealing = derive(key.bytes, 'seal of a takeout')
  return {
    keyId: key.id,
    pack: (sealed) => rewrapped(packing, sealed),
    unpack: (packed) => rewrapped(unpacking, packed),
    seal: () => createHmac('sha256', sealing),
  }
}

export function newCarrierKey(): string {
  return randomBytes(KEY_BYTES).toString('base64')
}

/** Rewraps a record. A destroyed record stays empty. */
function rewrapped(ring: Keyring, sealed: Uint8Array): Buffer {
  const bytes = Buffer.from(sealed)
  if (bytes.length === 0) return bytes
  return Buffer.concat([rewrap(ring, bytes.subarray(0, WRAPPING_BYTES)), bytes.subarray(WRAPPING_BYTES)])
}
