import Type from 'typebox'
import { presentAccount } from '../accounts.ts'
import { ProviderError } from '../errors.ts'
import { getLastUpdate } from '../feed.ts'
import { getInstitution, presentInstitution } from '../institutions.ts'
import { getItemByToken, removeItem, replaceToken } from '../items.ts'
import { listSharedAccounts } from '../linking.ts'
import { refuseWhenBroken } from '../logins.ts'
import type { Item } from '../state.ts'
import type { World } from '../world.ts'
import { type App, call } from './door.ts'
import { checkWebhook } from './link-routes.ts'

const access_token = Type.String()

export function itemRoutes(app: App, world: World): void {
  app.post('/item/get', { schema: { body: call({ access_token }) } }, async (request) => {
    const item = getItemByToken(world, request.body.access_token)
    const transactions = {
      last_successful_update: getLastUpdate(world, item),
      last_failed_update: item.lastFailedUpdate,
    }
    return {
      item: { ...presentItem(item), created_at: item.createdAt },
      status: { transactions, investments: null, last_webhook: item.lastWebhook },
    }
  })

  const remove = call({
    access_token,
    reason_code: Type.Optional(Type.String()),
    reason_note: Type.Optional(Type.String({ maxLength: 512 })),
  })
  app.post('/item/remove', { schema: { body: remove } }, async (request) => {
    removeItem(world, getItemByToken(world, request.body.access_token))
    return {}
  })

  app.post('/item/access_token/invalidate', { schema: { body: call({ access_token }) } }, async (request) => {
    return { new_access_token: replaceToken(world, getItemByToken(world, request.body.access_token)) }
  })

  const update = call({ access_token, webhook: Type.Optional(Type.Union([Type.String(), Type.Null()])) })
  app.post('/item/webhook/update', { schema: { body: update } }, async (request) => {
    const item = getItemByToken(world, request.body.access_token)
    const webhook = request.body.webhook ?? null
    if (webhook !== null) checkWebhook(webhook)
    item.webhook = webhook
    world.changed()
    world.webhooks.send(item, 'ITEM', 'WEBHOOK_UPDATE_ACKNOWLEDGED', { new_webhook_url: webhook, error: null })
    return { item: presentItem(item) }
  })

  const accounts = call({
    access_token,
    options: Type.Optional(Type.Object({ account_ids: Type.Optional(Type.Array(Type.String())) })),
  })
  // The provider refreshes the balances before answering the second path. Here, they are always current.
  for (const path of ['/accounts/get', '/accounts/balance/get']) {
    app.post(path, { schema: { body: accounts } }, async (request) => {
      const item = getItemByToken(world, request.body.access_token)
      refuseWhenBroken(item)
      const chosen = chooseAccounts(item, request.body.options?.account_ids)
      return { accounts: chosen.map((account) => presentAccount(account, item)), item: presentItem(item) }
    })
  }

  const institution = call({
    institution_id: Type.String(),
    country_codes: Type.Array(Type.String(), { minItems: 1 }),
    options: Type.Optional(
      Type.Object({
        include_optional_metadata: Type.Optional(Type.Boolean()),
        include_status: Type.Optional(Type.Boolean()),
      }),
    ),
  })
  app.post('/institutions/get_by_id', { schema: { body: institution } }, async (request) => {
    const { institution_id, options } = request.body
    return {
      institution: presentInstitution(getInstitution(institution_id), options?.include_optional_metadata ?? false),
    }
  })
}

function presentItem(item: Item) {
  return {
    item_id: item.itemId,
    institution_id: item.institutionId,
    institution_name: getInstitution(item.institutionId).name,
    webhook: item.webhook,
    error: item.error,
    available_products: [],
    billed_products: item.products,
    products: item.products,
    consented_products: item.products,
    consent_expiration_time: item.consentExpiresAt ?? null,
    update_type: 'background',
    auth_method: null,
  }
}

function chooseAccounts(item: Item, accountIds: readonly string[] | undefined) {
  const shared = listSharedAccounts(item)
  if (accountIds === undefined) return shared
  const unknown = accountIds.find((id) => !shared.some(({ accountId }) => accountId === id))
  if (unknown !== undefined) throw new ProviderError('INVALID_ACCOUNT_ID', 'one of the account_ids is unknown or gone')
  return shared.filter(({ accountId }) => accountIds.includes(accountId))
}
