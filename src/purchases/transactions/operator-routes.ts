import { resource } from '../../platform/resource/resource.ts'
import {
  listOperation,
  type OperatorDeps,
  type OperatorOperation,
  PUBLISHER_FIELD,
} from '../../tenants/access/index.ts'
import { TRANSACTION_LIST } from './across-queries.ts'
import { toTransaction } from './rewards/queries.ts'
import { TRANSACTION } from './rewards/transaction.ts'

const OPERATOR_TRANSACTION = resource('OperatorTransaction', { publisher_id: PUBLISHER_FIELD, ...TRANSACTION.fields })

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
    present: async (rows) => rows.map((row) => OPERATOR_TRANSACTION.present({ ...row, ...toTransaction(row) })),
    refusals: ['publisher_not_found'],
  })
}
