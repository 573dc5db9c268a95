import { publisher } from '../../lists/filters.ts'
import { operatorList } from '../../lists/list.ts'

/** The amounts that advertisers owe, by age, either to one publisher or across all production publishers. */
export const RECEIVABLES = operatorList('/operator/receivables', { publisher_id: publisher('All of production') })
