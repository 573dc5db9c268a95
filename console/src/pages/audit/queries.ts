import { from, search, until } from '../../lists/filters.ts'
import { operatorList } from '../../lists/list.ts'

export const AUDIT = operatorList('/operator/audit', {
  subject: search('Id of what was changed'),
  actor: search('Person'),
  action: search('Action, such as key.created'),
  from: from('From'),
  to: until('Until'),
})
