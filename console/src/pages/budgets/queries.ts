import { choice } from '../../lists/filters.ts'
import { operatorList } from '../../lists/list.ts'

export const BUDGETS = operatorList('/operator/budgets', {
  nearly_spent: choice('Which', { false: 'All', true: 'Nearly spent' }, 'false'),
})
