import { given, type Reader, type Tx } from '../../../platform/db/database.ts'
import type { Paging } from '../../../platform/http/index.ts'
import { pageClauses } from '../../../platform/http/lists/page-clauses.ts'
import type { PublisherId } from '../../../platform/ids.ts'
import type { Payment, PaymentId, PaymentParty } from './payment.ts'

export const PAYMENT_SORTS = ['created_at', 'value_date', 'amount'] as const
type PaymentSort = (typeof PAYMENT_SORTS)[number]

type PaymentFilter = {
  readonly publisherId: PublisherId | null
  readonly party: PaymentParty | null
  readonly owner: string | null
  readonly externalRef: string | null
}

const columns = (reader: Reader) => reader`
  p.payment_id, p.publisher_id, p.external_ref, p.direction, p.party, p.owner, p.currency, p.amount, p.value_date, p.note, p.reverses,
  (select r.payment_id from payments r where r.reverses = p.payment_id) as reversed_by, p.created_at, p.created_by`

/** Stores a payment. Returns false if its reference is taken. */
export async function insertPayment(tx: Tx, payment: Payment): Promise<boolean> {
  const { count } = await tx`
    insert into payments (payment_id, publisher_id, external_ref, direction, party, owner, currency, amount, value_date, note, reverses,
      created_at, created_by)
    select payment_id, publisher_id, external_ref, direction, party, owner, currency, amount, value_date, note, reverses, created_at,
      created_by
    from ${given(tx, [payment], {
      paymentId: 'uuid',
      publisherId: 'uuid',
      externalRef: 'text',
      direction: 'plain',
      party: 'plain',
      owner: 'text',
      currency: 'plain',
      amount: 'int8',
      valueDate: 'date',
      note: 'text',
      reverses: 'uuid',
      createdAt: 'timestamptz',
      createdBy: 'text',
    })}
    on conflict on constraint payments_once_per_reference do nothing`
  return count === 1
}

export async function findByReference(
  reader: Reader,
  publisherId: PublisherId,
  externalRef: string,
): Promise<Payment | null> {
  const [row] = await reader<Payment[]>`
    select ${columns(reader)} from payments p where p.publisher_id = ${publisherId} and p.external_ref = ${externalRef}`
  return row ?? null
}

export async function findPayment(
  reader: Reader,
  publisherId: PublisherId,
  paymentId: PaymentId,
): Promise<Payment | null> {
  const [row] = await reader<Payment[]>`
    select ${columns(reader)} from payments p where p.publisher_id = ${publisherId} and p.payment_id = ${paymentId}`
  return row ?? null
}

export async function listPayments(
  reader: Reader,
  filter: PaymentFilter,
  paging: Paging<PaymentSort>,
): Promise<Payment[]> {
  const sorts = { created_at: reader`p.created_at`, value_date: reader`p.value_date`, amount: reader`p.amount` }
  const byDefault = { field: 'created_at', descending: true } as const
  return reader<Payment[]>`
    -- all publishers: an operator may ask for those of all
    select ${columns(reader)} from payments p
    where ${matching(reader, filter)}
    ${pageClauses(reader, sorts, paging, byDefault, reader`p.payment_id`)}`
}

export async function countPayments(reader: Reader, filter: PaymentFilter): Promise<number> {
  const [row] = await reader<{ count: number }[]>`
    -- all publishers: an operator may ask for those of all
    select count(*)::int as count from payments p where ${matching(reader, filter)}`
  return row?.count ?? 0
}

const matching = (reader: Reader, { publisherId, party, owner, externalRef }: PaymentFilter) => reader`
  (${publisherId}::uuid is null or p.publisher_id = ${publisherId}) and (${party}::text is null or p.party = ${party})
  and (${owner}::text is null or p.owner = ${owner}) and (${externalRef}::text is null or p.external_ref = ${externalRef})`

/** Returns true if the brand exists, in the current catalog or an earlier one. */
export async function isKnownBrand(reader: Reader, brandUid: string): Promise<boolean> {
  const [row] = await reader`select from brands where brand_uid = ${brandUid}`
  return row !== undefined
}
