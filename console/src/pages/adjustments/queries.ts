import { choice, publisher } from '../../lists/filters.ts'
import { operatorList } from '../../lists/list.ts'

export const ADJUSTMENTS = operatorList('/operator/adjustments', {
  publisher_id: publisher(),
  status: choice('Status', { proposed: 'To book', booked: 'Booked', declined: 'Declined' }),
})
