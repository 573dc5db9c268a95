import { DONE, SIGN_IN } from '../schema.ts'
import {
  answerSignedIn,
  type OpenOperation,
  type OwnOperation,
  type PeopleDeps,
  type SignedInPerson,
} from '../shared-routes.ts'
import { toRelyingParty } from './ceremony.ts'
import { PASSKEY } from './passkey.ts'
import * as verbs from './passkeys.ts'
import { listPasskeys } from './queries.ts'
import * as schema from './schema.ts'

const optionsExample = {
  options: { challenge: 'pn1aV1tW9Jp0', rpId: 'laurel.example.com', userVerification: 'required' },
}

/** Registers the operations for signing in with a passkey. */
export function passkeySignInRoutes(operation: OpenOperation, deps: PeopleDeps): void {
  operation('POST /accounts/passkeys/sign-in/options', {
    id: 'beginPasskeySignIn',
    open: true,
    summary: 'Get a challenge for signing in with a passkey',
    description: "Send the device's response to signInByPasskey within five minutes.",
    answer: schema.OptionsSchema,
    example: optionsExample,
    refusals: ['origin_refused'],
    handler: async () => ({ options: await verbs.beginPasskeySignIn(deps) }),
  })
  operation('POST /accounts/passkeys/sign-in', {
    id: 'signInByPasskey',
    ...SIGN_IN,
    summary: 'Sign in with a passkey',
    description:
      'Sets a session cookie. The device has verified its owner by fingerprint, face or PIN, so a passkey counts as both factors.',
    body: schema.PasskeySignInSchema,
    bodyExample: schema.signedExample,
    refusals: ['sign_in_failed', 'origin_refused', 'passkey_refused', 'attempts_exhausted'],
    handler: async ({ body, caller, reply }) =>
      answerSignedIn(reply, deps, await verbs.signInByPasskey(deps, body, caller)),
  })
}

/** Registers the operations on a person's own passkeys. */
export function passkeyRoutes(operation: OwnOperation, deps: PeopleDeps): void {
  const { db, clock } = deps
  operation('GET /accounts/passkeys', {
    id: 'listPasskeys',
    summary: 'List the passkeys of the account',
    description: 'Also returns the origin where passkeys are created and used.',
    answer: schema.PasskeysSchema,
    example: { origin: 'https://laurel.example.com', content: [PASSKEY.example] },
    handler: async ({ person }) => ({
      origin: toRelyingParty(deps.baseUrl).origin,
      content: (await listPasskeys(db.reader, person.accountId)).map(PASSKEY.present),
    }),
  })
  operation('POST /accounts/passkeys/options', {
    id: 'beginPasskey',
    summary: 'Get the options for creating a passkey',
    description: "Send the device's response to addPasskey within five minutes.",
    answer: schema.OptionsSchema,
    example: optionsExample,
    refusals: ['passkey_not_found', 'sign_in_again', 'passkeys_exhausted'],
    handler: async ({ person }) => ({ options: await verbs.beginPasskey(deps, atConsole(person)) }),
  })
  operation('POST /accounts/passkeys', {
    id: 'addPasskey',
    summary: 'Add a passkey that a device has created',
    description:
      'Requires a sign-in within the last ten minutes. The passkey can then be used to sign in without a password or code.',
    body: schema.NewPasskeySchema,
    bodyExample: schema.newPasskeyExample,
    answer: PASSKEY.schema,
    example: PASSKEY.example,
    refusals: ['passkey_not_found', 'sign_in_again', 'passkey_known', 'passkeys_exhausted', 'passkey_refused'],
    handler: async ({ person, body }) => PASSKEY.present(await verbs.addPasskey(deps, atConsole(person), body)),
  })
  operation('PATCH /accounts/passkeys/:passkey_id', {
    id: 'renamePasskey',
    summary: 'Rename a passkey',
    description: 'Requires a sign-in within the last ten minutes. Only the owner of the passkey sees its name.',
    params: schema.PasskeyParams,
    body: schema.PasskeyNameSchema,
    bodyExample: { name: 'Phone' },
    ...DONE,
    refusals: ['passkey_not_found', 'sign_in_again'],
    handler: async ({ person, params, body }) => {
      const renamed = { passkeyId: schema.parsePasskeyId(params.passkey_id), name: body.name }
      await db.transaction((tx) => verbs.renamePasskey(tx, atConsole(person), renamed, clock.now()))
      return { done: true as const }
    },
  })
  operation('DELETE /accounts/passkeys/:passkey_id', {
    id: 'removePasskey',
    summary: 'Remove a passkey',
    description:
      'Requires a sign-in within the last ten minutes. The passkey can no longer be used to sign in, but sessions it opened continue.',
    params: schema.PasskeyParams,
    ...DONE,
    refusals: ['passkey_not_found', 'sign_in_again'],
    handler: async ({ person, params }) => {
      await db.transaction((tx) =>
        verbs.removePasskey(tx, atConsole(person), schema.parsePasskeyId(params.passkey_id), clock.now()),
      )
      return { done: true as const }
    },
  })
}

const atConsole = ({ accountId, sessionId }: SignedInPerson) => ({ realm: 'console' as const, accountId, sessionId })
