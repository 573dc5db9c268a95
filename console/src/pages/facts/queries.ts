import { rows } from '../../api/query.ts'

export const failedFacts = rows('/operator/facts/failed')
