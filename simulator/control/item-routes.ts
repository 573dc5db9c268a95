import { ControlError } from '../errors.ts'
import { getInstitution } from '../institutions.ts'
import { breakLogin, repairLogin } from '../items.ts'
import { sharedAccounts } from '../linking.ts'
import { findItems } from '../payers.ts'
import type { App } from '../provider/door.ts'
import { type Item, lookUp } from '../state.ts'
import type { World } from '../world.ts'
import { ItemPath, ItemQuery } from './schema.ts'

export function itemControls(app: App, world: World): void {
  app.get('/_sim/items', { schema: { querystring: ItemQuery } }, async ({ query }) => {
    return { items: findItems(world, query).map(presentControlItem) }
  })
  app.post('/_sim/items/:item_id/break', { schema: { params: ItemPath } }, async ({ params }) => {
    const item = findItem(world, params.item_id)
    breakLogin(world, item)
    return presentControlItem(item)
  })
  app.post('/_sim/items/:item_id/repair', { schema: { params: ItemPath } }, async ({ params }) => {
    const item = findItem(world, params.item_id)
    repairLogin(world, item, 'elsewhere')
    return presentControlItem(item)
  })
}

/** An item without anything secret: no token, no webhook address. */
export function presentControlItem(item: Item) {
  const { id, name } = getInstitution(item.institutionId)
  return {
    item_id: item.itemId,
    client_user_id: item.clientUserId,
    institution: { institution_id: id, name },
    accounts: sharedAccounts(item).map(({ accountId, name, mask, type, subtype }) => {
      return { account_id: accountId, name, mask, type, subtype }
    }),
    error: item.error?.error_code ?? null,
    created_at: item.createdAt,
    clock_offset_seconds: item.clockOffsetSeconds ?? 0,
  }
}

function findItem(world: World, itemId: string): Item {
  const item = lookUp(world.state.items, itemId)
  if (item === undefined) throw new ControlError(404, 'ITEM_NOT_FOUND', 'There is no such item; see GET /_sim/items.')
  return item
}
