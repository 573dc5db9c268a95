/** Everything that a payment changes. */
export const CHANGED_BY_PAYMENT = ['payments', 'ledger', 'receivables', 'overview'] as const
