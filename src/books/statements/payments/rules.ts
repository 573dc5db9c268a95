import type { PaidAccount } from '../../../ledger/index.ts'
import { type Day, startOfDay } from '../../../platform/calendar.ts'
import { listDifferingFields } from '../../../platform/conflict.ts'
import type { Payment, PaymentParty, PaymentTerms } from './payment.ts'

/** The account that a payment settles, by party. */
export const ACCOUNT_OF: Readonly<Record<PaymentParty, PaidAccount>> = {
  advertiser: 'advertiser_receivable',
  publisher: 'publisher_payable',
  payouts: 'payout_clearing',
  service: 'fee_earned',
}

/** Returns the signed amount, which is positive for incoming money. */
export function signAmount({ direction, amount }: Pick<Payment, 'direction' | 'amount'>): bigint {
  return direction === 'received' ? amount : -amount
}

/** Returns the terms that reverse a payment: the same amount in the opposite direction. */
export function toReversal({ direction, party, owner, currency, amount }: Payment): PaymentTerms {
  return { direction: direction === 'received' ? 'paid' : 'received', party, owner, currency, amount }
}

/**
 * Returns when a payment takes effect: the first instant that falls on its value date both in UTC, which advertisers'
 * months use, and in the publisher's time zone. Such an instant always exists, because time zones are less than a day
 * from UTC.
 */
export function computeEffectiveAt(valueDate: Day, timeZone: string): Date {
  const [inUtc, inZone] = [startOfDay(valueDate, 'UTC'), startOfDay(valueDate, timeZone)]
  return inUtc > inZone ? inUtc : inZone
}

type Request = PaymentTerms & Pick<Payment, 'valueDate' | 'note' | 'reverses'>

/** Returns the fields in which a repeated request differs from the stored payment. */
export function findDifferences(known: Request, asked: Request): string[] {
  return listDifferingFields(pickContent(known), pickContent(asked))
}

function pickContent({ direction, party, owner, currency, amount, valueDate, note, reverses }: Request): object {
  return { direction, party, brandUid: owner, currency, amount, valueDate, note, reverses }
}
