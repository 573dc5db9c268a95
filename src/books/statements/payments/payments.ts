import type { CatalogRefusal } from '../../../catalog/catalog/index.ts'
import { bookPayments } from '../../../ledger/index.ts'
import { buildConflictRefusal } from '../../../platform/conflict.ts'
import { findConstraint, type Tx } from '../../../platform/db/database.ts'
import { decodeId, encodeId, newUuid } from '../../../platform/ids.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { type Actor, audit } from '../../../tenants/accounts/index.ts'
import type { Publisher } from '../../../tenants/publishers/index.ts'
import type { SettlementRefusal } from '../errors.ts'
import { PAYMENT, type Payment, type PaymentTerms } from './payment.ts'
import { findByReference, findPayment, insertPayment, isKnownBrand } from './queries.ts'
import { ACCOUNT_OF, computeEffectiveAt, findDifferences, signAmount, toReversal } from './rules.ts'

/** A payment to record, either with its own terms or with those that reverse another payment (pay_…). */
export type PaymentRequest = Pick<Payment, 'externalRef' | 'valueDate' | 'note'> & {
  readonly terms: PaymentTerms | { readonly reverses: string }
}

/**
 * Records money received or paid, with its postings and an audit log entry. Idempotent by reference, so a repeated
 * request returns the recorded payment. Overpayment is allowed and leaves a credit balance.
 * @throws Refusal payment_conflict, payment_not_found, payment_not_reversible, brand_not_found
 */
export async function recordPayment(
  tx: Tx,
  publisher: Publisher,
  { terms: asked, ...request }: PaymentRequest,
  by: Actor,
  now: Date,
): Promise<Payment> {
  const reversed = 'reverses' in asked ? await reversedPayment(tx, publisher, asked.reverses) : null
  const terms = reversed === null ? (asked as PaymentTerms) : toReversal(reversed)
  const payment: Payment = {
    paymentId: newUuid<'payment'>(),
    publisherId: publisher.id,
    ...terms,
    ...request,
    reverses: reversed?.paymentId ?? null,
    reversedBy: null,
    createdAt: now,
    createdBy: by.id,
  }
  const known = await findByReference(tx, publisher.id, request.externalRef)
  if (known !== null) return sameOrRefused(known, payment)
  if (reversed !== null && (reversed.reversedBy !== null || reversed.reverses !== null)) throw notReversible()
  if (terms.party === 'advertiser' && !(await isKnownBrand(tx, terms.owner)))
    throw new Refusal<CatalogRefusal>('brand_not_found', 'There is no such brand.', { field: 'brand_uid' })
  const isInserted = await insertPayment(tx, payment).catch((error: unknown) => {
    throw findConstraint(error) === 'payments_reversed_once' ? notReversible() : error
  })
  if (!isInserted) {
    // A concurrent request recorded this reference first.
    const other = await findByReference(tx, publisher.id, request.externalRef)
    if (other === null) throw new Error('a payment was neither inserted nor found by its reference')
    return sameOrRefused(other, payment)
  }
  const cause = {
    id: payment.paymentId,
    version: 1,
    currency: terms.currency,
    effectiveAt: computeEffectiveAt(payment.valueDate, publisher.timeZone),
  }
  const entry = { cause, account: ACCOUNT_OF[terms.party], owner: terms.owner, amount: signAmount(terms) }
  await bookPayments(tx, publisher, [entry])
  const subject = encodeId('pay', payment.paymentId)
  await audit(tx, { actor: by, action: 'payment.recorded', subject, after: PAYMENT.present(payment) }, now)
  return payment
}

async function reversedPayment(tx: Tx, publisher: Publisher, id: string): Promise<Payment> {
  const paymentId = decodeId<'payment'>('pay', id)
  const payment = paymentId === null ? null : await findPayment(tx, publisher.id, paymentId)
  if (payment === null)
    throw new Refusal<SettlementRefusal>('payment_not_found', 'This publisher has no such payment.', {
      field: 'reverses',
    })
  return payment
}

function sameOrRefused(known: Payment, asked: Payment): Payment {
  const fields = findDifferences(known, asked)
  if (fields.length === 0) return known
  throw buildConflictRefusal<SettlementRefusal>('payment_conflict', {
    what: `The payment ${known.externalRef} was recorded`,
    key: 'external_ref',
    fields,
  })
}

function notReversible(): Refusal<SettlementRefusal> {
  return new Refusal(
    'payment_not_reversible',
    'The payment has already been reversed, or is itself a reversal. Record the money as a new payment.',
    { field: 'reverses' },
  )
}
