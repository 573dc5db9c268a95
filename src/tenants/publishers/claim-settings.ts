import type { Publisher } from './publisher.ts'
import { CLAIM_DAYS_MAX, CLAIM_DEFAULTS } from './settings.ts'

/** Returns the first invalid setting and its allowed values; null if all are valid. */
export function claimSettingFault({
  claimDays,
  claimDefault,
}: Pick<Publisher, 'claimDays' | 'claimDefault'>): { readonly field: string; readonly text: string } | null {
  if (!Number.isInteger(claimDays) || claimDays < 1 || claimDays > CLAIM_DAYS_MAX)
    return { field: 'claim_days', text: `The claim period must be 1 to ${CLAIM_DAYS_MAX} days.` }
  if (!CLAIM_DEFAULTS.includes(claimDefault))
    return { field: 'claim_default', text: `The default for claims must be ${CLAIM_DEFAULTS.join(' or ')}.` }
  return null
}
