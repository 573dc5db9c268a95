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
