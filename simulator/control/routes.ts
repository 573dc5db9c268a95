import type { Static } from '@fastify/type-provider-typebox'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { ControlError, ProviderError } from '../errors.ts'
import { getInstitution } from '../institutions.ts'
import { breakLogin, itemOfToken, moveItemClock, repairLogin } from '../items.ts'
import { sharedAccounts } from '../linking.ts'
import type { App } from '../provider/door.ts'
import { listTransactions, makePurchase, postPurchase, refundPurchase, voidPurchase } from '../purchases.ts'
import { type Item, lookUp } from '../state.ts'
import type { World } from '../world.ts'
import {
  ClockSetting,
  ItemClockSetting,
  ItemPath,
  ItemQuery,
  PostingBody,
  PurchaseBody,
  RefundBody,
  TransactionPath,
} from './schema.ts'

/** What the provider has no call for: making things happen. Under /_sim/, so that no provider path is ever taken. */
export async function control(app: App, world: World): Promise<void> {
  app.setErrorHandler(sendError)
  readEmptyBodies(app)
  itemControls(app, world)
  purchaseControls(app, world)
  clockControls(app, world)
}

function itemControls(app: App, world: World): void {
  app.get('/_sim/items', { schema: { querystring: ItemQuery } }, async ({ query }) => {
    const items = Object.values(world.state.items).filter((item) => fits(item, query))
    return { items: items.map(presentControlItem) }
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

function purchaseControls(app: App, world: World): void {
  app.get('/_sim/purchases', { schema: { querystring: ItemQuery } }, async ({ query }) => {
    const items = Object.values(world.state.items).filter((item) => fits(item, query))
    return { purchases: items.flatMap(listTransactions) }
  })
  app.post('/_sim/purchases', { schema: { body: PurchaseBody } }, async ({ body }) => {
    const { client_user_id, item_id, account_id, ...purchase } = body
    const payer = {
      ...(client_user_id === undefined ? {} : { client_user_id }),
      ...(item_id === undefined ? {} : { item_id }),
      ...(account_id === undefined ? {} : { account_id }),
    }
    return makePurchase(world, payer, purchase)
  })
  const path = '/_sim/purchases/:transaction_id'
  app.post(`${path}/post`, { schema: { params: TransactionPath, body: PostingBody } }, async ({ params, body }) =>
    postPurchase(world, params.transaction_id, body),
  )
  app.post(`${path}/refund`, { schema: { params: TransactionPath, body: RefundBody } }, async ({ params, body }) =>
    refundPurchase(world, params.transaction_id, body),
  )
  app.post(`${path}/void`, { schema: { params: TransactionPath } }, async ({ params }) =>
    voidPurchase(world, params.transaction_id),
  )
}

function clockControls(app: App, world: World): void {
  const present = () => ({ offset_seconds: world.state.clockOffsetSeconds, now: world.now().toISOString() })
  app.get('/_sim/clock', async () => present())
  app.post('/_sim/clock', { schema: { body: ClockSetting } }, async ({ body }) => {
    world.state.clockOffsetSeconds = body.offset_seconds
    world.changed()
    return present()
  })
  // Named by its token, not its id: this is for the client, which knows its items by their tokens.
  app.post('/_sim/item-clock', { schema: { body: ItemClockSetting } }, async ({ body }) => {
    const item = itemOfToken(world, body.access_token)
    moveItemClock(world, item, body.offset_seconds)
    return { item_id: item.itemId, offset_seconds: body.offset_seconds, now: world.nowOf(item).toISOString() }
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

function fits(item: Item, query: Static<typeof ItemQuery>): boolean {
  const { client_user_id = item.clientUserId, item_id = item.itemId, account_id } = query
  const hasAccount = account_id === undefined || sharedAccounts(item).some(({ accountId }) => accountId === account_id)
  return item.clientUserId === client_user_id && item.itemId === item_id && hasAccount
}

function findItem(world: World, itemId: string): Item {
  const item = lookUp(world.state.items, itemId)
  if (item === undefined) throw new ControlError(404, 'ITEM_NOT_FOUND', 'There is no such item; see GET /_sim/items.')
  return item
}

/** Most controls need no body, and people leave it out with or without saying that it would be JSON. */
function readEmptyBodies(app: App): void {
  app.addContentTypeParser('application/json', { parseAs: 'string' }, async (_request: FastifyRequest, text: string) =>
    text === '' ? {} : parseJson(text),
  )
  app.addHook('preValidation', async (request) => {
    if (request.method === 'POST') request.body ??= {}
  })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new ControlError(400, 'INVALID_BODY', 'The body is not JSON.')
  }
}

function sendError(error: FastifyError | ControlError | ProviderError, _request: FastifyRequest, reply: FastifyReply) {
  const ours = error instanceof ControlError || error instanceof ProviderError
  const status = ours ? error.status : (error.statusCode ?? 500)
  const code = ours ? error.code : status < 500 ? 'INVALID_FIELD' : 'INTERNAL_ERROR'
  if (status >= 500) console.error(error)
  return reply.status(status).send({ error_code: code, error_message: error.message })
}
