import { type PresentedTransaction, TRANSACTION } from '../../purchases/transactions/index.ts'

/** A matured reward as an example for the API reference. */
export const reportedExample: PresentedTransaction = {
  ...TRANSACTION.example,
  status: 'EARNED',
  version: 2,
  updated_at: '2026-12-22T00:00:00.412Z',
}
