import { type Reader, selectColumns, type Tx } from '../../../platform/db/database.ts'
import { enumField, idField } from '../../../platform/http/index.ts'
import type { PublisherId } from '../../../platform/ids.ts'
import { equals, exceptSortedBy, type OperatorList, publisherFilter } from '../../../tenants/access/index.ts'
import { PAYMENT, PAYMENT_PARTIES, type Payment, type PaymentId } from './payment.ts'

const columns = (reader: Reader) => reader`
  ${selectColumns(reader, 'payments', PAYMENT.columns)},
  (
    select r.payment_id from payments r
    where r.publisher_id = payments.publisher_id and r.reverses = payments.payment_id
  ) as reversed_by,
  (select name from brands where brand_uid = payments.owner and payments.party = 'advertiser') as brand_name`

/** Stores a payment. Returns false if its reference is taken. */
export async function insertPayment(tx: Tx, payment: Payment): Promise<boolean> {
  const { count } = await tx`
    insert into payments ${tx(payment, ...PAYMENT.columns)} on conflict on constraint payments_once_per_reference do nothing`
  return count === 1
}

export async function findByReference(
  reader: Reader,
  publisherId: PublisherId,
  externalRef: string,
): Promise<Payment | null> {
  const [row] = await reader<Payment[]>`
    select ${columns(reader)} from payments where publisher_id = ${publisherId} and external_ref = ${externalRef}`
  return row ?? null
}

/** `brandName` is null unless the party is an advertiser. */
type PaymentWithBrand = Payment & { readonly brandName: string | null }

export async function findPayment(
  reader: Reader,
  publisherId: PublisherId,
  paymentId: PaymentId,
): Promise<PaymentWithBrand | null> {
  const [row] = await reader<PaymentWithBrand[]>`
    select ${columns(reader)} from payments where publisher_id = ${publisherId} and payment_id = ${paymentId}`
  return row ?? null
}

/** All publishers' payments, newest first. */
export const PAYMENT_LIST: OperatorList<PaymentWithBrand> = {
  table: 'payments',
  id: 'paymentId',
  columns,
  sorts: {
    '-created_at': 'instant',
    created_at: 'instant',
    '-value_date': 'day',
    value_date: 'day',
    '-amount': 'integer',
    amount: 'integer',
  },
  filters: {
    publisher_id: { ...publisherFilter.publisher_id, unindexed: exceptSortedBy('created_at') },
    party: { ...equals('party', enumField(PAYMENT_PARTIES, 'Only payments with this party.')), unindexed: true },
    brand_uid: {
      parameter: idField('Only payments with this advertiser.'),
      unindexed: true,
      where: (reader: Reader, _table: string, value: string) => reader`party = 'advertiser' and owner = ${value}`,
    },
    external_ref: equals('external_ref', idField('Only the payment with this reference.')),
  },
}

/** Returns true if the brand exists, in the current catalog or an earlier one. */
export async function isKnownBrand(reader: Reader, brandUid: string): Promise<boolean> {
  const [row] = await reader`select from brands where brand_uid = ${brandUid}`
  return row !== undefined
}
