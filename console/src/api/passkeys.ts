import { post, type Schemas } from './client.ts'

// A few kilobytes, loaded only when someone uses a passkey.
const load = () => import('@simplewebauthn/browser')

type Transport = Schemas['NewPasskey']['transports'][number]
const TRANSPORTS: readonly string[] = [
  'ble',
  'hybrid',
  'internal',
  'nfc',
  'smart-card',
  'usb',
] satisfies readonly Transport[]

/** Returns true if this browser supports passkeys and the host has a domain name to bind them to. */
export function hasPasskeys(): boolean {
  return 'PublicKeyCredential' in window && !/^[\d.]+$|^\[/.test(location.hostname)
}

/**
 * Lets a device create a passkey for the account.
 * @throws Refused; Error if the device or its owner declines
 */
export async function addPasskey(name: string): Promise<unknown> {
  const { options } = await post('/accounts/passkeys/options')
  const { startRegistration } = await load()
  const { id, response } = await declined(startRegistration({ optionsJSON: options as never }))
  const transports = (response.transports ?? []).filter((one): one is Transport => TRANSPORTS.includes(one))
  const made = {
    credential_id: id,
    client_data: response.clientDataJSON,
    attestation_object: response.attestationObject,
  }
  return post('/accounts/passkeys', { body: { name, ...made, transports } })
}

/**
 * Signs in with a passkey that the person chooses.
 * @throws Refused; Error if the device or its owner declines
 */
export async function signInByPasskey(): Promise<Schemas['SignInState']> {
  const { options } = await post('/accounts/passkeys/sign-in/options')
  const { startAuthentication } = await load()
  const { id, response } = await declined(startAuthentication({ optionsJSON: options as never }))
  const { clientDataJSON: client_data, authenticatorData: authenticator_data, signature } = response
  return post('/accounts/passkeys/sign-in', { body: { credential_id: id, client_data, authenticator_data, signature } })
}

/** Replaces the browser's error, which is the same whether someone cancels, waits too long, or has no passkey here. */
function declined<Answer>(asked: Promise<Answer>): Promise<Answer> {
  return asked.catch((error: unknown) => {
    if (!(error instanceof Error) || error.name !== 'NotAllowedError') throw error
    throw new Error('No passkey was chosen, or it took too long.', { cause: error })
  })
}
