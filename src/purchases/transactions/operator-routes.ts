import Type, { type Static } from 'typebox'
import { addDays, startOfDay } from '../../platform/calendar.ts'
import {
  currencyField,
  dayField,
  enumOf,
  idField,
  invalidInput,
  namedObject,
  sortQuery,
  strictObject,
  walkExample,
  walkedPage,
  walkOf,
  walkQuery,
  walkSchema,
} from '../../platform/http/index.ts'
import { encodeId } from '../../platform/ids.ts'
import { AMOUNT_MAX, toMinor } from '../../platform/money.ts'
import { type OperatorDeps, type OperatorOperation, publisherIdIn, userIdIn } from '../../tenants/access/index.ts'
import { presentTransaction, TransactionSchema, transactionExample } from '../rewards/index.ts'
import {
  ACROSS_SORTS,
  type AcrossSort,
  type TransactionOfPublisher,
  type TransactionsAsked,
  walkTransactions,
} from './across-queries.ts'
import { SOURCES } from './event.ts'

const SORTS = Object.keys(ACROSS_SORTS) as AcrossSort[]
const amountField = (description: string) =>
  Type.Optional(
    Type.Number({ minimum: -AMOUNT_MAX, maximum: AMOUNT_MAX, description: `${description} Requires a currency.` }),
  )

const OperatorTransactionQuery = strictObject({
  publisher_id: Type.Optional(idField('Only transactions of this publisher.')),
  svc_user_id: Type.Optional(idField('Only transactions of this user (usr_…).')),
  brand_uid: Type.Optional(idField('Only purchases at this brand.')),
  offer_uid: Type.Optional(idField('Only purchases rewarded by this offer.')),
  status: Type.Optional(enumOf(['PENDING', 'EARNED', 'CANCELLED'], 'Only purchases with this status.')),
  source: Type.Optional(enumOf(SOURCES, 'Only purchases from this source.')),
  start_date: Type.Optional(dayField('Purchased on this day or later, in UTC.')),
  end_date: Type.Optional(dayField('Purchased on this day or earlier, in UTC.')),
  currency: Type.Optional(currencyField('Only purchases in this currency.')),
  amount_min: amountField('Minimum amount.'),
  amount_max: amountField('Maximum amount.'),
  ...sortQuery(SORTS),
  ...walkQuery,
})

const OperatorTransactionSchema = namedObject('OperatorTransaction', {
  publisher_id: Type.String(),
  ...TransactionSchema.properties,
})

/** Registers the routes for the transactions of all publishers. */
export function operatorTransactionRoutes(operation: OperatorOperation, { db: { reader } }: OperatorDeps): void {
  operation('GET /operator/transactions', {
    config: { permission: 'transactions:read' },
    id: 'listAllTransactions',
    summary: 'List transactions of all publishers, newest first',
    description:
      'Sortable by time, or by amount if a currency is given. Filters may have to search many rows: follow `next_cursor` until it is null.',
    query: OperatorTransactionQuery,
    answer: walkSchema(OperatorTransactionSchema),
    example: walkExample([{ publisher_id: 'pub_01kbjyt5v3f4nvj5yq5yfypr9v', ...transactionExample }]),
    refusals: ['publisher_not_found'],
    handler: async ({ query }) => {
      const sort = query.sort ?? '-transaction_date_time'
      if (ACROSS_SORTS[sort] === 'integer' && query.currency === undefined)
        throw invalidInput([{ field: 'currency', code: 'required', message: 'is required to sort by amount' }])
      const found = await walkTransactions(reader, filterOf(query), sort, walkOf(query, sort, ACROSS_SORTS[sort]))
      return walkedPage(found, sort, presentOperatorTransaction)
    },
  })
}

function filterOf(query: Static<typeof OperatorTransactionQuery>): TransactionsAsked {
  const { publisher_id, svc_user_id, start_date, end_date, amount_min, amount_max, currency = null } = query
  return {
    publisherId: publisher_id === undefined ? null : publisherIdIn(publisher_id),
    userId: svc_user_id === undefined ? null : userIdIn(svc_user_id),
    brandUid: query.brand_uid ?? null,
    offerUid: query.offer_uid ?? null,
    status: query.status ?? null,
    source: query.source ?? null,
    from: start_date === undefined ? null : startOfDay(start_date, 'UTC'),
    until: end_date === undefined ? null : startOfDay(addDays(end_date, 1), 'UTC'),
    currency,
    amountMin: amount_min === undefined ? null : minorOf('amount_min', amount_min, currency),
    amountMax: amount_max === undefined ? null : minorOf('amount_max', amount_max, currency),
  }
}

function minorOf(field: string, amount: number, currency: string | null): bigint {
  if (currency === null)
    throw invalidInput([{ field: 'currency', code: 'required', message: `is required with ${field}` }])
  const minor = toMinor(amount, currency)
  if (minor === null) throw invalidInput([{ field, code: 'invalid', message: `must be an amount in ${currency}` }])
  return minor
}

function presentOperatorTransaction(row: TransactionOfPublisher): Static<typeof OperatorTransactionSchema> {
  return { publisher_id: encodeId('pub', row.publisherId), ...presentTransaction(row, row.publisherUserId) }
}
