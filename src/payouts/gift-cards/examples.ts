import type { Static } from 'typebox'
import type { PresentedOrder, QuoteSchema, RevealedSchema } from './schema.ts'

export const itemsExample = {
  publisher_user_id: 'user-1',
  offer_uid: 'off_3k1n',
  items: [{ denomination: 25, quantity: 2 }],
}

export const quoteExample: Static<typeof QuoteSchema> = {
  publisher_user_id: 'user-1',
  offer_uid: 'off_3k1n',
  total: 50,
  currency: 'USD',
  user_cashback: 2,
  cards: [
    { denomination: 25, user_cashback: 1, status_reason: null },
    { denomination: 25, user_cashback: 1, status_reason: null },
  ],
  valid_until: '2026-11-21T10:30:30.000Z',
}

const card: Omit<PresentedOrder['cards'][number], 'card_id' | 'transaction_uid'> = {
  denomination: 25,
  status: 'delivered',
  masked: '••••6417',
  expires_on: '2031-12-31',
  revealed_at: null,
}

export const orderExample: PresentedOrder = {
  order_id: 'gco_01kbjyt5v3f4nvj5yq5yfypr9v',
  publisher_user_id: 'user-1',
  svc_user_id: 'usr_6n8m1v3w9f8x2r5t7y0qzkc4ha',
  external_ref: 'basket-4711',
  redemption_id: null,
  offer_uid: 'off_3k1n',
  status: 'delivered',
  items: [{ denomination: 25, quantity: 2 }],
  total: 50,
  undelivered_total: 0,
  refunded_total: 0,
  currency: 'USD',
  reason_code: null,
  reason_text: null,
  cards: [
    { ...card, card_id: 'gcd_01kbjyt5v4e0q9s2k6t8y0a3bd', transaction_uid: 'txn_01kbjyt5v3f4nvj5yq5yfypr9v' },
    { ...card, card_id: 'gcd_01kbjyt5v5h7d1q8w3e6r9t2yc', transaction_uid: 'txn_01kbjyt5v6m2x4c7v0b3n6q9ws' },
  ],
  version: 2,
  created_at: '2026-11-21T10:15:30.000Z',
  updated_at: '2026-11-21T10:15:31.000Z',
}

export const revealedExample: Static<typeof RevealedSchema> = {
  card_id: 'gcd_01kbjyt5v4e0q9s2k6t8y0a3bd',
  number: '6310984427186417',
  code: '40817722',
  expires_on: '2031-12-31',
}
