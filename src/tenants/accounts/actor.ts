import { encodeId } from '../../platform/ids.ts'
import type { AccountId } from './account.ts'

/** Who performed an action: a person (by account), an operator (by key), or the OS account that ran a CLI command. */
export type Actor = { readonly id: string; readonly name: string }

export function toAccountActor({ accountId, name }: { readonly accountId: AccountId; readonly name: string }): Actor {
  return { id: encodeId('acc', accountId), name }
}

export function toLocalActor(account: string): Actor {
  return { id: `local:${account}`, name: account }
}
