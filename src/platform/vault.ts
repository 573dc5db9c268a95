import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { chmod, link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Envelope encryption: each secret has a random data key of its own (AES-256-GCM), and that key is wrapped by the
 * master key. A data key is used once, so nonces cannot repeat under one key; replacing the master key means
 * wrapping the data keys again, not reading the secrets. The context (table, owner, purpose) is authenticated, so a
 * sealed value that is copied to another row does not open.
 *
 * Layout: 1 version | 4 master key id | 12+32+16 wrapped data key | 12 nonce | ciphertext | 16 tag.
 */
export type Vault = {
  seal(secret: string, context: string): Buffer
  /** @throws when the bytes were altered, moved to another context, or sealed under another master key. */
  open(sealed: Uint8Array, context: string): string
  /** A keyed fingerprint: finds an equal secret without storing it. */
  fingerprint(value: string, context: string): Buffer
  /** A key derived for one purpose, e.g. for signing tracking links. */
  derivedKey(purpose: string): Buffer
}

const VERSION = 1
const NONCE_BYTES = 12
const KEY_BYTES = 32
const TAG_BYTES = 16
const WRAPPED_BYTES = NONCE_BYTES + KEY_BYTES + TAG_BYTES
const HEADER_BYTES = 1 + 4

export function createVault(masterKeyBase64: string): Vault {
  const master = Buffer.from(masterKeyBase64, 'base64')
  if (master.length !== KEY_BYTES) throw new Error('the master key must be 32 bytes')
  const keyId = createHash('sha256').update(master).digest().subarray(0, 4)
  const derivedKey = (purpose: string): Buffer =>
    Buffer.from(hkdfSync('sha256', master, '', `laurel:${purpose}`, KEY_BYTES))
  return {
    seal: (secret, context) => {
      const dataKey = randomBytes(KEY_BYTES)
      const header = Buffer.concat([Buffer.from([VERSION]), keyId])
      const wrapped = encrypt(master, dataKey, header)
      return Buffer.concat([
        header,
        wrapped,
        encrypt(dataKey, Buffer.from(secret, 'utf8'), Buffer.from(context, 'utf8')),
      ])
    },
    open: (sealed, context) => {
      const bytes = Buffer.from(sealed)
      const header = bytes.subarray(0, HEADER_BYTES)
      if (bytes[0] !== VERSION || !header.subarray(1).equals(keyId)) throw new Error('sealed under another master key')
      const dataKey = decrypt(master, bytes.subarray(HEADER_BYTES, HEADER_BYTES + WRAPPED_BYTES), header)
      return decrypt(dataKey, bytes.subarray(HEADER_BYTES + WRAPPED_BYTES), Buffer.from(context, 'utf8')).toString(
        'utf8',
      )
    },
    fingerprint: (value, context) =>
      createHmac('sha256', derivedKey(`fingerprint:${context}`))
        .update(value)
        .digest(),
    derivedKey,
  }
}

/**
 * The master key of this installation: the setting, or, with the embedded database, a key generated once into the
 * data folder (mode 600).
 */
export async function masterKeyOf(given: string | null, dataDir: string): Promise<string> {
  if (given !== null) return given
  const file = join(dataDir, 'master.key')
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  // Written whole under another name first: two processes that start at once agree on whichever key got the name, and
  // neither reads half of one.
  const draft = `${file}.${randomBytes(6).toString('hex')}`
  await writeFile(draft, `${randomBytes(KEY_BYTES).toString('base64')}\n`, { flag: 'wx', mode: 0o600 })
  try {
    await link(draft, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    await rm(draft)
  }
  await chmod(file, 0o600)
  return (await readFile(file, 'utf8')).trim()
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
