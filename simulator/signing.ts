import { createHash, createPrivateKey, generateKeyPairSync, randomUUID, sign } from 'node:crypto'
import type { SigningKey, State } from './state.ts'

/**
 * Returns the current signing key. It is generated on first use and stored, so that keys cached by clients survive a
 * restart.
 */
export function getCurrentKey(state: State, changed: () => void): SigningKey {
  const known = state.signingKeys.at(-1)
  if (known !== undefined) return known
  const key = newKey()
  state.signingKeys.push(key)
  changed()
  return key
}

/**
 * Creates the compact JWT of the Plaid-Verification header: ES256 over the key id, the time and the hash of the exact
 * body. Uses the real time, not the simulated time, because clients check it against their own clocks.
 */
export function signBody(key: SigningKey, body: string, wallClock: Date): string {
  const header = encode({ alg: 'ES256', kid: key.kid, typ: 'JWT' })
  const claims = encode({
    iat: Math.floor(wallClock.getTime() / 1000),
    request_body_sha256: createHash('sha256').update(body).digest('hex'),
  })
  const privateKey = createPrivateKey(key.privatePem)
  // A JWT needs the raw pair of numbers, not OpenSSL's DER encoding.
  const signature = sign('sha256', Buffer.from(`${header}.${claims}`), { key: privateKey, dsaEncoding: 'ieee-p1363' })
  return `${header}.${claims}.${signature.toString('base64url')}`
}

/** The kinds of invalid signatures that a receiver must reject. */
export const FORGERIES = ['other_key', 'unknown_key', 'other_body', 'stale', 'unsigned'] as const
export type Forgery = (typeof FORGERIES)[number]

/** Well past the five minutes for which a signature is valid. */
const STALE_MS = 3_600_000

export function forgeSignature(way: Forgery, key: SigningKey, body: string): string {
  const now = new Date()
  if (way === 'other_key') return signBody({ ...newKey(), kid: key.kid }, body, now)
  if (way === 'unknown_key') return signBody(newKey(), body, now)
  if (way === 'other_body') return signBody(key, `${body} `, now)
  if (way === 'stale') return signBody(key, body, new Date(now.getTime() - STALE_MS))
  const [, claims] = signBody(key, body, now).split('.')
  return `${encode({ alg: 'none', kid: key.kid, typ: 'JWT' })}.${claims}.`
}

function newKey(): SigningKey {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  return {
    kid: randomUUID(),
    createdAt: new Date().toISOString(),
    publicJwk: { kty: 'EC', crv: 'P-256', x, y },
    privatePem: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
  }
}

function encode(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url')
}
