import Type from 'typebox'
import type { Reader } from '../../platform/db/database.ts'
import { currencyField, enumField, idField, invalidInput } from '../../platform/http/index.ts'
import type { PublisherId } from '../../platform/ids.ts'
import { AMOUNT_MAX, toMinor } from '../../platform/money.ts'
import {
  dayFilters,
  equals,
  type OperatorList,
  parseUserId,
  publisherFilter,
  requiredIn,
} from '../../tenants/access/index.ts'
import { selectPublisherUserId } from '../../users/users/index.ts'
import { SOURCES } from './event.ts'
import { listTransactionColumns, type toTransaction } from './rewards/queries.ts'

type Row = Parameters<typeof toTransaction>[0] & {
  readonly publisherId: PublisherId
  readonly publisherUserId: string
}
type Query = Readonly<Record<string, unknown>>

const amountFilter = (name: string, operator: '>=' | '<=', description: string) => ({
  parameter: Type.Number({
    minimum: -AMOUNT_MAX,
    maximum: AMOUNT_MAX,
    description: `${description} Requires a currency.`,
  }),
  where: (reader: Reader, table: string, amount: number, query: Query) => {
    const currency = requiredIn(query, 'currency', `is required with ${name}`)
    const minor = toMinor(amount, currency)
    if (minor === null)
      throw invalidInput([{ field: name, code: 'invalid', message: `must be an amount in ${currency}` }])
    return reader`${reader(`${table}.amount`)} ${reader.unsafe(operator)} ${minor}`
  },
})

const FILTERS = {
  ...publisherFilter,
  svc_user_id: {
    parameter: idField('Only transactions of this user (usr_…).'),
    where: (reader: Reader, table: string, userId: string) => reader`${reader(table)}.user_id = ${parseUserId(userId)}`,
  },
  brand_uid: equals('brand_uid', idField('Only purchases at this brand.')),
  offer_uid: equals('offer_uid', idField('Only purchases rewarded by this offer.')),
  status: equals('status', enumField(['PENDING', 'EARNED', 'CANCELLED'], 'Only purchases with this status.')),
  source: equals('source', enumField(SOURCES, 'Only purchases from this source.')),
  ...dayFilters('authorized_at', 'First day of purchase'),
  currency: equals('currency', currencyField('Only purchases in this currency.')),
  amount_min: amountFilter('amount_min', '>=', 'Minimum amount.'),
  amount_max: amountFilter('amount_max', '<=', 'Maximum amount.'),
}

/** The filters that each index covers. */
const INDEXED = {
  amount: ['currency', 'amount_min', 'amount_max'],
  brand: ['brand_uid', 'start_date', 'end_date'],
  time: ['publisher_id', 'start_date', 'end_date'],
}

/** A user has few transactions, so their index covers every filter. */
function isIndexed(name: string, { svc_user_id, brand_uid, sort }: Query): boolean {
  const index = String(sort).endsWith('amount') ? 'amount' : brand_uid !== undefined ? 'brand' : 'time'
  return svc_user_id !== undefined || INDEXED[index].includes(name)
}

const byTime = { type: 'instant', column: 'authorized_at' } as const
/** Amounts in different currencies are not comparable. */
const byAmount = { type: 'integer', column: 'amount', requires: 'currency' } as const

/** The transactions of all publishers, newest first. */
export const TRANSACTION_LIST: OperatorList<Row> = {
  table: 't',
  from: (reader) => reader`transactions`,
  id: 'transactionId',
  columns: (reader) => reader`
    ${listTransactionColumns(reader)}, t.publisher_id, ${selectPublisherUserId(reader, 't')}`,
  sorts: { '-transaction_date_time': byTime, transaction_date_time: byTime, '-amount': byAmount, amount: byAmount },
  filters: Object.fromEntries(
    Object.entries(FILTERS).map(([name, filter]) => [
      name,
      { ...filter, unindexed: (query: Query) => !isIndexed(name, query) },
    ]),
  ),
}
