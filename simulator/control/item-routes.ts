import { changeIds, closeAccount, openNewAccount } from '../bank-accounts.ts'
import { buildStoredError, ControlError } from '../errors.ts'
import { forgetCursors, getLastUpdate, getUpdateStatus } from '../feed.ts'
import { getInstitution } from '../institutions.ts'
import { listSharedAccounts } from '../linking.ts'
import { applyExpiry, breakLogin, expireConsent, freezeFeed, repairLogin, revokePermission } from '../logins.ts'
import { collectHistory } from '../past.ts'
import { findItems } from '../payers.ts'
import type { App } from '../provider/door.ts'
import { type Account, type Item, lookUp } from '../state.ts'
import type { World } from '../world.ts'
import {
  BreakBody,
  ChangeBody,
  CloseAccountBody,
  ExpiryBody,
  FreezeBody,
  ItemPath,
  ItemQuery,
  OpenAccountBody,
} from './schema.ts'

const PATH = '/_sim/items/:item_id'

export function itemControls(app: App, world: World): void {
  app.get('/_sim/items', { schema: { querystring: ItemQuery } }, async ({ query }) => {
    return { items: findItems(world, query).map((item) => presentControlItem(world, item)) }
  })
  loginControls(app, world)
  accountControls(app, world)
  feedControls(app, world)
}

function loginControls(app: App, world: World): void {
  app.post(`${PATH}/break`, { schema: { params: ItemPath, body: BreakBody } }, async ({ params, body }) => {
    const { error_code, ...options } = body
    const item = findItem(world, params.item_id)
    breakLogin(world, item, {
      ...options,
      ...(error_code === undefined ? {} : { error: buildStoredError(error_code) }),
    })
    return presentControlItem(world, item)
  })
  app.post(`${PATH}/repair`, { schema: { params: ItemPath, body: ChangeBody } }, async ({ params, body }) => {
    const item = findItem(world, params.item_id)
    repairLogin(world, item, 'elsewhere', body)
    return presentControlItem(world, item)
  })
  app.post(`${PATH}/revoke`, { schema: { params: ItemPath, body: ChangeBody } }, async ({ params, body }) => {
    const item = findItem(world, params.item_id)
    revokePermission(world, item, body)
    return presentControlItem(world, item)
  })
  app.post(`${PATH}/expire-consent`, { schema: { params: ItemPath, body: ExpiryBody } }, async ({ params, body }) => {
    const item = findItem(world, params.item_id)
    expireConsent(world, item, body)
    return presentControlItem(world, item)
  })
}

function accountControls(app: App, world: World): void {
  const close = { params: ItemPath, body: CloseAccountBody }
  app.post(`${PATH}/close-account`, { schema: close }, async ({ params, body: { account_id, ...options } }) => {
    const item = findItem(world, params.item_id)
    closeAccount(world, item, account_id, options)
    return presentControlItem(world, item)
  })
  app.post(
    `${PATH}/open-account`,
    { schema: { params: ItemPath, body: OpenAccountBody } },
    async ({ params, body }) => {
      const item = findItem(world, params.item_id)
      const account = openNewAccount(world, item, body.subtype ?? 'credit card')
      return { ...presentControlItem(world, item), opened: presentControlAccount(account) }
    },
  )
  app.post(`${PATH}/change-ids`, { schema: { params: ItemPath } }, async ({ params }) => {
    const item = findItem(world, params.item_id)
    changeIds(world, item)
    return presentControlItem(world, item)
  })
}

function feedControls(app: App, world: World): void {
  app.post(`${PATH}/forget-cursors`, { schema: { params: ItemPath } }, async ({ params }) => {
    const item = findItem(world, params.item_id)
    forgetCursors(world, item)
    return presentControlItem(world, item)
  })
  app.post(`${PATH}/freeze`, { schema: { params: ItemPath, body: FreezeBody } }, async ({ params, body }) => {
    const item = findItem(world, params.item_id)
    freezeFeed(world, item, body.frozen)
    return presentControlItem(world, item)
  })
  app.post(`${PATH}/collect`, { schema: { params: ItemPath } }, async ({ params }) => {
    const item = findItem(world, params.item_id)
    collectHistory(world, item)
    return presentControlItem(world, item)
  })
}

/** Formats an item without its secrets: the token and the webhook address. */
function presentControlItem(world: World, item: Item) {
  const { id, name } = getInstitution(item.institutionId)
  return {
    item_id: item.itemId,
    client_user_id: item.clientUserId,
    institution: { institution_id: id, name },
    accounts: listSharedAccounts(item).map(presentControlAccount),
    error: item.error?.error_code ?? null,
    consent_expires_at: item.consentExpiresAt ?? null,
    update_status: getUpdateStatus(item),
    last_successful_update: getLastUpdate(world, item),
    frozen: item.frozen ?? false,
    created_at: item.createdAt,
    clock_offset_seconds: item.clockOffsetSeconds ?? 0,
  }
}

function presentControlAccount({ accountId, name, mask, type, subtype }: Account) {
  return { account_id: accountId, name, mask, type, subtype }
}

function findItem(world: World, itemId: string): Item {
  const item = lookUp(world.state.items, itemId)
  if (item === undefined) throw new ControlError(404, 'ITEM_NOT_FOUND', 'There is no such item; see GET /_sim/items.')
  return applyExpiry(world, item)
}
