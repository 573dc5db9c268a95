import { namedObject } from '../../platform/http/index.ts'
import { encodeId } from '../../platform/ids.ts'
import {
  listOperation,
  type OperatorDeps,
  type OperatorOperation,
  PUBLISHER_FIELD,
} from '../../tenants/access/index.ts'
import { presentTransaction, TRANSACTION, toTransaction } from '../rewards/index.ts'
import { TRANSACTION_LIST } from './across-queries.ts'

const OPERATOR_TRANSACTION = {
  schema: namedObject('OperatorTransaction', {
    publisher_id: PUBLISHER_FIELD.schema,
    ...TRANSACTION.schema.properties,
  }),
  example: { publisher_id: PUBLISHER_FIELD.example, ...TRANSACTION.example },
}

/** Registers the routes for the transactions of all publishers. */
export function operatorTransactionRoutes(operation: OperatorOperation, { db }: OperatorDeps): void {
  listOperation(operation, db, {
    route: 'GET /operator/transactions',
    permission: 'transactions:read',
    id: 'listAllTransactions',
    summary: 'List transactions of all publishers, newest first',
    description: 'Sortable by time, or by amount if a currency is given. Follow `next_cursor` until it is null.',
    list: TRANSACTION_LIST,
    resource: OPERATOR_TRANSACTION,
    present: async (rows) =>
      rows.map((row) => ({
        publisher_id: encodeId('pub', row.publisherId),
        ...presentTransaction(toTransaction(row), row.publisherUserId),
      })),
    refusals: ['publisher_not_found'],
  })
}
