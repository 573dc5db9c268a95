import { choice, publisher } from '../../lists/filters.ts'
import { operatorList } from '../../lists/list.ts'

export const BROKEN_LOGINS = operatorList('/operator/logins/broken', { publisher_id: publisher() })

export const ENDPOINTS = operatorList('/operator/endpoints', {
  publisher_id: publisher(),
  failing: choice('Which', { true: 'Failing', false: 'All' }, 'true'),
})
