import { createHmac, type Hmac, randomBytes } from 'node:crypto'
import { derive, KEY_BYTES, type Keyring, masterKeyOf, rewrap, WRAPPING_BYTES } from './vault.ts'

/**
 * Carries sealed records from one installation to another, under a key that both get for this alone. Only the data keys
 * are wrapped again: the secrets are not opened, and their contexts stay as they are.
 */
export type Carrier = {
  /** Tells keys apart and reveals nothing about them. */
  readonly keyId: string
  /** A record of this installation, for the journey. @throws when it is damaged or under a key that is not held. */
  pack(sealed: Uint8Array): Buffer
  /** A record that has arrived, sealed here. @throws when it is damaged or was packed under another key. */
  unpack(packed: Uint8Array): Buffer
  /** Computes what proves that something was written with this key, and is unchanged. */
  seal(): Hmac
}

/** @param base64 as from newCarrierKey. @throws when it is no such key */
export function createCarrier(ring: Keyring, base64: string): Carrier {
  const key = masterKeyOf(base64)
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

/** A record that was destroyed stays empty. */
function rewrapped(ring: Keyring, sealed: Uint8Array): Buffer {
  const bytes = Buffer.from(sealed)
  if (bytes.length === 0) return bytes
  return Buffer.concat([rewrap(ring, bytes.subarray(0, WRAPPING_BYTES)), bytes.subarray(WRAPPING_BYTES)])
}
