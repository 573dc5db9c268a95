import { type AccountId, type Actor, accountActor, type Role } from '../accounts/index.ts'
import { encodeId, type Id } from '../platform/ids.ts'

export type OperatorId = Id<'operator'>

/** Someone of the operating company, by a key or by the account whose session it is. */
export type Operator = {
  readonly id: OperatorId | AccountId
  readonly actor: Actor
  readonly role: Role
}

/**
 * Whoever acts by a key: the person whose key it is, so that nobody counts as two where two must agree. A key of nobody
 * counts by itself, since whose it is was not said.
 */
export function keyActor(key: {
  readonly id: OperatorId
  readonly name: string
  readonly accountId: AccountId | null
  readonly accountName: string | null
}): Actor {
  const { id, name, accountId, accountName } = key
  if (accountId === null) return { id: encodeId('opr', id), name }
  return accountActor({ accountId, name: `${accountName}, by key ${name}` })
}
