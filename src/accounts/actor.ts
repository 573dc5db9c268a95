import { encodeId } from '../platform/ids.ts'
import type { AccountId } from './account.ts'

/** Who acts: a person by account, an operator by key, or the account that ran a command on the machine. */
export type Actor = { readonly id: string; readonly name: string }

export function accountActor({ accountId, name }: { readonly accountId: AccountId; readonly name: string }): Actor {
  return { id: encodeId('acc', accountId), name }
}

export function localActor(account: string): Actor {
  return { id: `local:${account}`, name: account }
}
