import type { Static } from 'typebox'
import { bringBackPurchase, changePurchase, removePurchase } from '../corrections.ts'
import { findItems, type Payer } from '../payers.ts'
import type { App } from '../provider/door.ts'
import {
  listTransactions,
  makeOrphanRefund,
  makePurchase,
  postPurchase,
  refundPurchase,
  voidPurchase,
} from '../purchases.ts'
import type { World } from '../world.ts'
import {
  CorrectionBody,
  ItemQuery,
  OrphanRefundBody,
  PostingBody,
  PurchaseBody,
  RefundBody,
  TransactionPath,
} from './schema.ts'

export function purchaseControls(app: App, world: World): void {
  app.get('/_sim/purchases', { schema: { querystring: ItemQuery } }, async ({ query }) => {
    return { purchases: findItems(world, query).flatMap(listTransactions) }
  })
  app.post('/_sim/purchases', { schema: { body: PurchaseBody } }, async ({ body }) => {
    const { payer, rest } = splitPayer(body)
    return makePurchase(world, payer, rest)
  })
  app.post('/_sim/refunds', { schema: { body: OrphanRefundBody } }, async ({ body }) => {
    const { payer, rest } = splitPayer(body)
    return makeOrphanRefund(world, payer, rest)
  })
  const path = '/_sim/purchases/:transaction_id'
  app.post(`${path}/post`, { schema: { params: TransactionPath, body: PostingBody } }, async ({ params, body }) =>
    postPurchase(world, params.transaction_id, body),
  )
  app.post(`${path}/refund`, { schema: { params: TransactionPath, body: RefundBody } }, async ({ params, body }) =>
    refundPurchase(world, params.transaction_id, body),
  )
  app.post(`${path}/change`, { schema: { params: TransactionPath, body: CorrectionBody } }, async ({ params, body }) =>
    changePurchase(world, params.transaction_id, body),
  )
  app.post(`${path}/void`, { schema: { params: TransactionPath } }, async ({ params }) =>
    voidPurchase(world, params.transaction_id),
  )
  app.post(`${path}/remove`, { schema: { params: TransactionPath } }, async ({ params }) =>
    removePurchase(world, params.transaction_id),
  )
  app.post(`${path}/bring-back`, { schema: { params: TransactionPath } }, async ({ params }) =>
    bringBackPurchase(world, params.transaction_id),
  )
}

type Paid = Static<typeof PurchaseBody>

function splitPayer({ client_user_id, item_id, account_id, ...rest }: Paid) {
  const payer: Payer = { client_user_id, item_id, account_id }
  return { payer, rest }
}
