import type { AccountId, Actor, Role } from '../accounts/index.ts'
import { encodeId, type Id } from '../platform/ids.ts'

export type OperatorId = Id<'operator'>

/** Someone of the operating company, by a key or by the account whose session it is. */
export type Operator = {
  readonly id: OperatorId | AccountId
  readonly actor: Actor
  readonly role: Role
}

export function keyActor({ id, name }: { readonly id: OperatorId; readonly name: string }): Actor {
  return { id: encodeId('opr', id), name }
}
