import { choice, publisher } from '../../lists/filters.ts'
import { operatorList } from '../../lists/list.ts'

export const PAYMENTS = operatorList('/operator/payments', {
  publisher_id: publisher(),
  party: choice('Party', {
    advertiser: 'Advertisers',
    publisher: 'Publishers',
    payouts: 'Payouts',
    service: 'Service',
  }),
})

/** The queries whose results a payment changes. */
export const CHANGED_BY_PAYMENT = [
  '/operator/payments',
  '/operator/trial-balance',
  '/operator/receivables',
  '/operator/overview',
] as const
