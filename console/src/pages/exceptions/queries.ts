import { rows } from '../../api/query.ts'
import { publisher } from '../../lists/filters.ts'
import { operatorList } from '../../lists/list.ts'

export const UNMATCHED_REFUNDS = operatorList('/operator/refunds/unmatched', { publisher_id: publisher() })

/** Queries the purchases to which a refund may be assigned. */
export const refundCandidates = (refund_id: string) =>
  rows('/operator/refunds/{refund_id}/candidates', { path: { refund_id } })

export const UNDECIDED_ORDERS = operatorList('/operator/gift-cards/undecided', { publisher_id: publisher() })
export const UNKNOWN_SALES = operatorList('/operator/postbacks/unknown', {})
export const contradictions = rows('/operator/contradictions')
