import { query } from '../../api/query.ts'
import { choice } from '../../lists/filters.ts'
import { operatorList } from '../../lists/list.ts'

export const CLAIMS = operatorList('/operator/claims', {
  status: choice('Status', { open: 'Open', granted: 'Granted', declined: 'Declined', withdrawn: 'Withdrawn' }, 'open'),
})

export const claim = (claim_id: string) => query('/operator/claims/{claim_id}', { path: { claim_id } })
