import type { LinkerDeps } from './deps.ts'
import type { Item } from './item-queries.ts'
import type { Provider } from './provider.ts'

/** The provider under the account in which an item was made: a token works only under that one. */
export async function providerOf(deps: LinkerDeps, _item: Pick<Item, 'publisherId' | 'owner'>): Promise<Provider> {
  return deps.provider
}
