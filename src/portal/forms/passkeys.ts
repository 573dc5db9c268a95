import type { Clock } from '../../platform/clock.ts'
import type { Database, Reader } from '../../platform/db/database.ts'
import {
  addPasskey,
  findUserAccount,
  parsePasskeyId,
  removePasskey,
  renamePasskey,
  TRANSPORTS,
} from '../../tenants/accounts/index.ts'
import { FieldFault } from '../errors.ts'
import { renderOwnSignInPage } from '../pages/account.ts'
import { renderPasskeyPage } from '../pages/passkeys.ts'
import type { PortalFields, PortalForms, UserVisit } from '../visit.ts'
import { notAllowed, requireAllowed } from './account.ts'

type Deps = { readonly db: Database; readonly clock: Clock; readonly baseUrl: string }

const NAME_LENGTH_MAX = 100

/** Returns the forms for the passkeys of the user's account. */
export function passkeyForms(deps: Deps): PortalForms {
  const { db, clock } = deps
  return {
    '/you/sign-in/passkeys': {
      page: renderOwnSignInPage,
      act: async (visit, body) => {
        const owner = await getPasskeyOwner(db.reader, visit)
        await addPasskey(deps, owner, { name: nameIn(body), ...attestationIn(body) })
        return '/you/sign-in?done=passkeyAdded'
      },
    },
    '/you/sign-in/passkeys/:passkey_id': {
      page: renderPasskeyPage,
      act: async (visit, body, params) => {
        const owner = await getPasskeyOwner(db.reader, visit)
        const renamed = { passkeyId: parsePasskeyId(params['passkey_id'] ?? ''), name: nameIn(body) }
        await db.transaction((tx) => renamePasskey(tx, owner, renamed, clock.now()))
        return '/you/sign-in?done=passkeyRenamed'
      },
    },
    '/you/sign-in/passkeys/:passkey_id/remove': {
      act: async (visit, _body, params) => {
        const owner = await getPasskeyOwner(db.reader, visit)
        const passkeyId = parsePasskeyId(params['passkey_id'] ?? '')
        await db.transaction((tx) => removePasskey(tx, owner, passkeyId, clock.now()))
        return '/you/sign-in?done=passkeyRemoved'
      },
    },
  }
}

/**
 * Returns the owner of the user's passkeys.
 * @throws FieldFault if the user has no account or the publisher does not allow accounts
 */
export async function getPasskeyOwner(reader: Reader, visit: UserVisit) {
  requireAllowed(visit)
  const { publisher, user, sessionId, browser } = visit
  const known = await findUserAccount(reader, { publisherId: publisher.id, userId: user.userId })
  if (known === null) throw notAllowed()
  return { realm: browser.realm, accountId: known.accountId, sessionId }
}

function nameIn(body: PortalFields): string {
  const name = (body['passkey_name'] ?? '').replaceAll(/\s+/g, ' ').trim()
  if (name === '' || name.length > NAME_LENGTH_MAX) throw new FieldFault('passkey_name', 'passkey_name')
  return name
}

/** Parses the device's response, which the page's script has put into the form. */
function attestationIn(body: PortalFields): Omit<Parameters<typeof addPasskey>[2], 'name'> {
  const { credential_id = '', client_data = '', attestation_object = '', transports = '' } = body
  const reached = transports.split(' ')
  const known = TRANSPORTS.filter((one) => reached.includes(one))
  return { credential_id, client_data, attestation_object, transports: known }
}
