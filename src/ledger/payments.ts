import type { Tx } from '../platform/db/database.ts'
import { newUuid } from '../platform/ids.ts'
import type { Publisher } from '../tenants/publishers/index.ts'
import { insertPaymentJournals } from './payment-queries.ts'
import { buildPayment, type Cause, type PaidAccount } from './rules.ts'

/** A payment to book: money received from an account's counterparty, or paid to it if the amount is negative. */
type PaymentEntry = {
  readonly cause: Cause
  readonly account: PaidAccount
  readonly owner: string
  readonly amount: bigint
}

/** Books payments. They touch no user balance, so nothing is locked. */
export async function bookPayments(tx: Tx, publisher: Publisher, payments: readonly PaymentEntry[]): Promise<void> {
  await insertPaymentJournals(
    tx,
    publisher,
    payments.map(({ cause, account, owner, amount }) => ({
      journalId: newUuid(),
      cause,
      postings: buildPayment(account, owner, amount),
    })),
  )
}
