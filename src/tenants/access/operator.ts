import { encodeId, type Id } from '../../platform/ids.ts'
import { type AccountId, type Actor, type Role, toAccountActor } from '../accounts/index.ts'

export type OperatorId = Id<'operator'>

/** A person or tool of the operating company, identified by a key or by the account of a session. */
export type Operator = {
  readonly id: OperatorId | AccountId
  readonly actor: Actor
  readonly role: Role
}

/**
 * Returns the actor behind a key. A personal key acts as its owner, so that a person with a session and a key cannot
 * count as two people where two must agree. Every other key is a separate actor.
 */
export function toKeyActor(key: {
  readonly id: OperatorId
  readonly name: string
  readonly accountId: AccountId | null
  readonly accountName: string | null
}): Actor {
  const { id, name, accountId, accountName } = key
  if (accountId === null) return { id: encodeId('opr', id), name }
  return toAccountActor({ accountId, name: `${accountName}, by key ${name}` })
}
