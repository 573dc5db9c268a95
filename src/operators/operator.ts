import { encodeId, type Id } from '../platform/ids.ts'

export type OperatorId = Id<'operator'>

/** What a person does; permissions.ts says what that allows. */
export const ROLES = ['admin', 'catalog', 'finance', 'support', 'read-only'] as const
export type Role = (typeof ROLES)[number]

export type Operator = {
  readonly id: OperatorId
  readonly name: string
  readonly role: Role
}

/** Who acts: an operator by key, or the account that ran a command on the machine. */
export type Actor = { readonly id: string; readonly name: string }

export function actorOf({ id, name }: Operator): Actor {
  return { id: encodeId('opr', id), name }
}

export function localActor(account: string): Actor {
  return { id: `local:${account}`, name: account }
}
