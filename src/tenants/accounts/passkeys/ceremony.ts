import { randomBytes } from 'node:crypto'
import { Refusal } from '../../../platform/refusal.ts'
import type { AccountId } from '../account.ts'
import type { AccountRefusal } from '../errors.ts'
import type { Passkey } from './passkey.ts'

// The WebAuthn exchange with devices (W3C, level 3). The library is loaded on first use.
const load = () => import('@simplewebauthn/server')

const CHALLENGE_BYTES = 32
// The algorithms that devices support, by their COSE numbers: EdDSA, ES256 and RS256.
const ALGORITHMS = [-8, -7, -257]
// The name that devices display for the passkey.
const SERVICE_NAME = 'Laurel'

/** The relying party that passkeys belong to: the host (its ID) and the full origin. */
type RelyingParty = { readonly host: string; readonly origin: string }

/**
 * Returns the relying party for a base URL. Passkeys cannot belong to an IP address, so loopback addresses become
 * localhost.
 */
export function toRelyingParty(baseUrl: string): RelyingParty {
  const url = new URL(baseUrl)
  if (/^(127\.|\[::1\]$)/.test(url.hostname)) url.hostname = 'localhost'
  return { host: url.hostname, origin: url.origin }
}

export const newChallenge = (): string => randomBytes(CHALLENGE_BYTES).toString('base64url')

type Shown = {
  readonly accountId: AccountId
  readonly email: string
  readonly name: string
  /** Devices list all of a host's passkeys together, so the portal's name distinguishes a user's passkeys. */
  readonly portalName: string | undefined
}

/**
 * Returns the options a device needs to create a passkey, in the form of
 * `PublicKeyCredential.parseCreationOptionsFromJSON`.
 */
export async function buildCreationOptions(
  { host }: RelyingParty,
  { portalName, ...person }: Shown,
  known: readonly Passkey[],
  challenge: string,
): Promise<object> {
  const { generateRegistrationOptions } = await load()
  const portalUser = `${person.email} (${portalName})`
  const userNames =
    portalName === undefined
      ? { userName: person.email, userDisplayName: person.name }
      : { userName: portalUser, userDisplayName: portalUser }
  return generateRegistrationOptions({
    rpName: portalName ?? SERVICE_NAME,
    rpID: host,
    ...userNames,
    userID: new Uint8Array(Buffer.from(person.accountId.replaceAll('-', ''), 'hex')),
    challenge: new Uint8Array(Buffer.from(challenge, 'base64url')),
    // The passkey identifies its account and the device verifies its owner, so it counts as both factors.
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    excludeCredentials: known.map(({ credentialId: id, transports }) => ({ id, transports: [...transports] })),
    attestationType: 'none',
    supportedAlgorithmIDs: ALGORITHMS,
  })
}

export async function buildRequestOptions({ host }: RelyingParty, challenge: string): Promise<object> {
  const { generateAuthenticationOptions } = await load()
  return generateAuthenticationOptions({
    rpID: host,
    challenge: new Uint8Array(Buffer.from(challenge, 'base64url')),
    userVerification: 'required',
  })
}

/** A device's response. All members are in base64url. */
export type CreatedPasskey = {
  readonly credential_id: string
  readonly client_data: string
  readonly attestation_object: string
  readonly transports: readonly string[]
}
export type SignedChallenge = {
  readonly credential_id: string
  readonly client_data: string
  readonly authenticator_data: string
  readonly signature: string
}

/**
 * Verifies a new passkey and returns it with the challenge that was signed.
 * @throws Refusal passkey_refused
 */
export async function checkMade({ host, origin }: RelyingParty, made: CreatedPasskey) {
  const { verifyRegistrationResponse } = await load()
  const { credential_id: id, client_data, attestation_object, transports } = made
  return checked(async (expectedChallenge, challenge) => {
    await checkUnattested(attestation_object)
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: {
        id,
        rawId: id,
        type: 'public-key',
        clientExtensionResults: {},
        response: { clientDataJSON: client_data, attestationObject: attestation_object, transports: [...transports] },
      },
      expectedChallenge,
      expectedOrigin: origin,
      expectedRPID: host,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    })
    if (!verified) return null
    const { id: credentialId, publicKey, counter: signCount } = registrationInfo.credential
    return { credentialId, publicKey: Buffer.from(publicKey).toString('base64url'), signCount, challenge: challenge() }
  })
}

/**
 * Verifies a signature and returns the device's signature counter and the challenge that was signed.
 * @throws Refusal passkey_refused
 */
export async function checkSigned({ host, origin }: RelyingParty, signed: SignedChallenge, passkey: Passkey) {
  const { verifyAuthenticationResponse } = await load()
  const { credential_id: id, client_data, authenticator_data, signature } = signed
  const { publicKey, signCount, transports } = passkey
  return checked(async (expectedChallenge, challenge) => {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        id,
        rawId: id,
        type: 'public-key',
        clientExtensionResults: {},
        response: { clientDataJSON: client_data, authenticatorData: authenticator_data, signature },
      },
      credential: {
        id,
        counter: signCount,
        transports: [...transports],
        publicKey: new Uint8Array(Buffer.from(publicKey, 'base64url')),
      },
      expectedChallenge,
      expectedOrigin: origin,
      expectedRPID: host,
      requireUserVerification: true,
    })
    return verified ? { signCount: authenticationInfo.newCounter, challenge: challenge() } : null
  })
}

/** Turns the library's various errors for malformed or forged responses into one refusal. */
async function checked<Result>(
  check: (expected: (challenge: string) => boolean, challenge: () => string) => Promise<Result | null>,
): Promise<Result> {
  let seen = ''
  const expected = (challenge: string) => {
    // Any challenge is accepted here. Consuming it later verifies that we issued it.
    seen = challenge
    return true
  }
  const result = await check(expected, () => seen).catch(() => null)
  if (result === null)
    throw new Refusal<AccountRefusal>('passkey_refused', "The device's response could not be verified.")
  return result
}

/**
 * Rejects attestations with certificates. We never request attestation, so browsers omit the device's manufacturer. A
 * response with certificates does not come from a browser, and checking it would contact addresses of the sender's
 * choosing.
 */
async function checkUnattested(attestationObject: string): Promise<void> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers')
  const attestation = decodeAttestationObject(new Uint8Array(Buffer.from(attestationObject, 'base64url')))
  const isSelfSigned = attestation.get('fmt') === 'packed' && attestation.get('attStmt').get('x5c') === undefined
  if (attestation.get('fmt') !== 'none' && !isSelfSigned) throw new Error('the attestation contains certificates')
}
