import { choice } from '../../lists/filters.ts'
import { operatorList } from '../../lists/list.ts'

export const REDEMPTIONS = operatorList('/operator/redemptions', {
  status: choice('Status', { requested: 'To approve', approved: 'Approved', sent: 'Sent' }, 'requested'),
})

export const PAYOUT_FILES = operatorList('/operator/payout-files', {})
