import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto'

/**
 * Envelope encryption: each secret has its own random data key (AES-256-GCM), which is wrapped by a master key. A data
 * key is used once, so nonces cannot repeat under it. Replacing the master key rewraps the data keys without reading
 * the secrets. The context (table, owner, purpose) is authenticated, so a sealed value copied to another row does not
 * open.
 *
 * Layout: 1 version | 4 master key id | 12+32+16 wrapped data key | 12 nonce | ciphertext | 16 tag.
 */
export type Vault = {
  seal(secret: string, context: string): Buffer
  /** @throws if the bytes were altered, moved to another context, or sealed under a master key that is missing */
  open(sealed: Uint8Array, context: string): string
  /** Returns a keyed fingerprint, which identifies equal secrets without storing them. */
  fingerprint(value: string, context: string): Buffer
  /** Derives a key for one purpose, such as signing tracking links. */
  derivedKey(purpose: string): Buffer
}

export type MasterKey = {
  /** The four bytes in a record's header, in hexadecimal. */
  readonly id: string
  readonly bytes: Buffer
  /** Identifies the key without revealing anything about it. */
  readonly fingerprint: Buffer
}

/** The master keys of a process: one seals, all open. */
export type Keyring = { sealing(): MasterKey; find(id: string): MasterKey | null }

const VERSION = 1
const NONCE_BYTES = 12
export const KEY_BYTES = 32
const TAG_BYTES = 16
const WRAPPED_BYTES = NONCE_BYTES + KEY_BYTES + TAG_BYTES
const HEADER_BYTES = 1 + 4
/** The size of a record's prefix, the only part that a rotation replaces. */
export const WRAPPING_BYTES = HEADER_BYTES + WRAPPED_BYTES

export function parseMasterKey(base64: string): MasterKey {
  const bytes = Buffer.from(base64, 'base64')
  if (bytes.length !== KEY_BYTES) throw new Error('the master key must be 32 bytes')
  const id = createHash('sha256').update(bytes).digest().subarray(0, 4).toString('hex')
  return { id, bytes, fingerprint: computeFingerprint(bytes, 'master key', 'installation') }
}

/** Creates a vault with a single master key, for tests. */
export function createVault(masterKeyBase64: string): Vault {
  const key = parseMasterKey(masterKeyBase64)
  return openVault({ sealing: () => key, find: (id) => (id === key.id ? key : null) }, key.bytes)
}

/** @param derivationSecret the source of fingerprints and derived keys, which outlives the master keys */
export function openVault(ring: Keyring, derivationSecret: Buffer): Vault {
  return {
    seal: (secret, context) => sealUnder(ring.sealing(), secret, context),
    open: (sealed, context) => openWith(ring, sealed, context),
    fingerprint: (value, context) => computeFingerprint(derivationSecret, value, context),
    derivedKey: (purpose) => derive(derivationSecret, purpose),
  }
}

export function sealUnder(master: MasterKey, secret: string, context: string): Buffer {
  const dataKey = randomBytes(KEY_BYTES)
  const content = encrypt(dataKey, Buffer.from(secret, 'utf8'), Buffer.from(context, 'utf8'))
  return Buffer.concat([wrap(master, dataKey), content])
}

export function openWith(ring: Keyring, sealed: Uint8Array, context: string): string {
  const bytes = Buffer.from(sealed)
  const dataKey = unwrap(ring, bytes.subarray(0, WRAPPING_BYTES))
  return decrypt(dataKey, bytes.subarray(WRAPPING_BYTES), Buffer.from(context, 'utf8')).toString('utf8')
}

/**
 * Rewraps a data key under the sealing key.
 * @param wrapping the first WRAPPING_BYTES of a record. @throws like open
 */
export function rewrap(ring: Keyring, wrapping: Uint8Array): Buffer {
  return wrap(ring.sealing(), unwrap(ring, Buffer.from(wrapping)))
}

function wrap(master: MasterKey, dataKey: Buffer): Buffer {
  const header = Buffer.concat([Buffer.from([VERSION]), Buffer.from(master.id, 'hex')])
  return Buffer.concat([header, encrypt(master.bytes, dataKey, header)])
}

function unwrap(ring: Keyring, wrapping: Buffer): Buffer {
  const header = wrapping.subarray(0, HEADER_BYTES)
  const master = header[0] === VERSION ? ring.find(header.subarray(1).toString('hex')) : null
  if (master === null) throw new Error('sealed under another master key')
  return decrypt(master.bytes, wrapping.subarray(HEADER_BYTES), header)
}

function computeFingerprint(secret: Buffer, value: string, context: string): Buffer {
  return createHmac('sha256', derive(secret, `fingerprint:${context}`))
    .update(value)
    .digest()
}

export function derive(secret: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', `laurel:${purpose}`, KEY_BYTES))
}

function encrypt(key: Buffer, plain: Buffer, context: Buffer): Buffer {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(context)
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
}

function decrypt(key: Buffer, sealed: Buffer, context: Buffer): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
  decipher.setAAD(context).setAuthTag(sealed.subarray(sealed.length - TAG_BYTES))
  return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, sealed.length - TAG_BYTES)), decipher.final()])
}
