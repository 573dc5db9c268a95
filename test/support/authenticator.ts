import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

// Authenticator data flags: user present, user verified, and credential included.
const PRESENT_AND_VERIFIED = 0b0000_0101
const WITH_CREDENTIAL = 0b0100_0000

type Options = { readonly challenge: string }

/** Creates a device with one passkey (ES256). Its responses are base64url throughout, as a browser returns them. */
export function createAuthenticator(origin: string, { verifies = true } = {}) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const id = randomBytes(16)
  let count = 0
  const clientData = (type: string, { challenge }: Options): Buffer =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  const dataWith = (flags: number, ...parts: readonly Uint8Array[]): Buffer => {
    const host = createHash('sha256').update(new URL(origin).hostname).digest()
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(++count)
    return Buffer.concat([host, Buffer.from([verifies ? flags : flags & ~0b100]), counter, ...parts])
  }
  const text = (bytes: Buffer) => bytes.toString('base64url')
  return {
    make: (options: Options) => {
      // A COSE key: {1: 2, 3: -7, -1: 1, -2: x, -3: y}.
      const key = [hex('a5010203262001215820'), Buffer.from(x, 'base64url'), hex('225820'), Buffer.from(y, 'base64url')]
      const length = Buffer.from([0, id.length])
      const data = dataWith(PRESENT_AND_VERIFIED | WITH_CREDENTIAL, Buffer.alloc(16), length, id, ...key)
      // {"fmt": "none", "attStmt": {}, "authData": …}
      const start = Buffer.concat([
        hex('a363'),
        ascii('fmt'),
        hex('64'),
        ascii('none'),
        hex('67'),
        ascii('attStmt'),
        hex('a068'),
        ascii('authData'),
      ])
      return {
        credential_id: text(id),
        client_data: text(clientData('webauthn.create', options)),
        attestation_object: text(Buffer.concat([start, Buffer.from([0x58, data.length]), data])),
        transports: ['internal'],
      }
    },
    sign: (options: Options) => {
      const client = clientData('webauthn.get', options)
      const data = dataWith(PRESENT_AND_VERIFIED)
      const signed = Buffer.concat([data, createHash('sha256').update(client).digest()])
      return {
        credential_id: text(id),
        client_data: text(client),
        authenticator_data: text(data),
        signature: text(sign('sha256', signed, privateKey)),
      }
    },
  }
}

const hex = (digits: string) => Buffer.from(digits, 'hex')
const ascii = (word: string) => Buffer.from(word, 'ascii')
