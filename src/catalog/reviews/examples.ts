import type { PresentedReview } from './schema.ts'

export const reviewExample: PresentedReview = {
  review_uid: 'rev_01kbjyt5v3f4nvj5yq5yfypr9v',
  template: 'corner market kiosk',
  status: 'OPEN',
  proposed_brand_uid: 'brand-market',
  proposed_brand_name: 'Corner Market',
  score: 0.72,
  method: 'name',
  evidence: [{ field: 'merchant_descriptor', value: 'CORNER MARKET KIOSK 12', matched: 'Corner Market' }],
  runner_up: { brand_uid: 'brand-kiosk', brand_name: 'The Kiosk', score: 0.41 },
  purchases: 3,
  sample_transaction_uids: ['txn_01kbjyt5v3f4nvj5yq5yfypr9v'],
  first_seen_at: '2026-01-02T03:04:05.000Z',
  last_seen_at: '2026-01-05T10:00:00.000Z',
  decided_at: null,
  decided_by: null,
  brand_uid: null,
  brand_name: null,
}

export const decidedExample = {
  review: {
    ...reviewExample,
    status: 'DECIDED' as const,
    decided_at: '2026-01-06T09:00:00.000Z',
    decided_by: 'Ana',
    brand_uid: 'brand-market',
    brand_name: 'Corner Market',
  },
  closed: 1,
  rematch: { template: 'corner market kiosk', since: '2026-01-01', until: '2026-01-06' },
}
