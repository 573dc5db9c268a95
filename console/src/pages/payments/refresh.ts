/** The queries whose results a payment changes. */
export const CHANGED_BY_PAYMENT = [
  '/operator/payments',
  '/operator/trial-balance',
  '/operator/receivables',
  '/operator/overview',
] as const
