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
 * Who acts when a key is used: the person whose key it is, so that they count once where two people must agree. A key
 * without a person counts by itself.
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
