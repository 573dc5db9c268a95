import type { SourceEventBody } from './schema.ts'
import type { Trace } from './trace-schema.ts'

/** Shown in the API reference. */
export const eventExample: SourceEventBody = {
  external_id: 'pos-2026-000123',
  publisher_user_id: 'user-1',
  source: 'CARD',
  kind: 'CLEARING',
  merchant_descriptor: 'WALMART #1700 AUSTIN TX',
  amount: 50,
  currency: 'USD',
  transaction_date_time: '2026-11-21T10:15:30Z',
  channel: 'IN_STORE',
  items: [{ sku: '0088512', product_group: 'GROCERY', amount: 42.5, quantity: 3 }],
}

export const decisionExample: Trace = {
  matching: {
    brand_uid: 'brd_7h2k',
    band: 'automatic',
    score: 0.95,
    method: 'name',
    reason: null,
    proposed_brand_uid: null,
    evidence: [{ field: 'merchant_descriptor', value: 'WALMART', matched: 'Walmart' }],
    runner_up: null,
  },
  candidates: [
    {
      offer_uid: 'off_3k1n',
      offer_name: '5% back',
      offer_version: 3,
      eligible: true,
      status_reason: null,
      user_cashback: 2.5,
      would_earn: 2.5,
      would_share: 0,
      rules: [{ rule: 'min_spend', value: '50.00', bound: '20.00', passed: true }],
    },
  ],
  more_candidates: 0,
  chosen: 'off_3k1n',
  chosen_by: 'only_eligible',
  chosen_over: null,
  offer_version: 3,
  status_reason: null,
  user_reward: 2.5,
  arithmetic: {
    amount: '50.00',
    refunded: '0.00',
    eligible_amount: '50.00',
    min_spend: '20.00',
    max_spend: null,
    parts: [
      {
        commission_group: null,
        items: ['0088512'],
        amount: '50.00',
        eligible_amount: '50.00',
        rate_percent: 5,
        fixed_amount: null,
        unrounded: '2.50',
      },
    ],
    commission_group: null,
    rate_percent: 5,
    fixed_amount: null,
    unrounded: '2.50',
    gross: '2.50',
    fee_percent: 0,
    fee_unrounded: '0.00',
    fee: '0.00',
    share_percent: 0,
    publisher_share_unrounded: '0.00',
    publisher_share: '0.00',
    user_reward: '2.50',
  },
}
