import Type from 'typebox'
import { readWallets } from '../../ledger/index.ts'
import { addDays, type Day, startOfDay, toDay } from '../../platform/calendar.ts'
import type { Database } from '../../platform/db/database.ts'
import {
  type App,
  buildPage,
  dayField,
  enumField,
  idField,
  invalidInput,
  namedObject,
  type Problem,
  pageExample,
  pageQuery,
  pageSchema,
  readPaging,
  strictObject,
  textField,
} from '../../platform/http/index.ts'
import { toUserId } from '../../platform/ids.ts'
import { type PublisherOperation, publisherOperations } from '../../tenants/access/index.ts'
import type { Publisher } from '../../tenants/publishers/index.ts'
import { ACCOUNT, AccountsSchema, getUser, listUserNames, presentAccounts } from '../../users/users/index.ts'
import { transactionEventRoutes } from './event-routes.ts'
import { decisionExample } from './examples.ts'
import { type ReportDeps, reportRoutes } from './intake/report-routes.ts'
import { presentTransaction, TRANSACTION, type Transaction } from './rewards/transaction.ts'
import { COMPARED_MAX, findTransactions, needsManyRows, TRANSACTION_SORTS } from './search.ts'
import { getTransaction } from './service.ts'
import { getDecision } from './trace/decision.ts'
import { addOfferNames } from './trace/trace.ts'
import { buildUserView } from './trace/user-view.ts'
import { DecisionSchema, ViewQuery } from './trace-schema.ts'
import { voucherCodeRoutes } from './vouchers/routes.ts'

const Params = Type.Object({ transaction_uid: idField('The transaction.') })

type TransactionDeps = ReportDeps & {
  /** Connections for queries that read many rows. */
  readonly searches: Database
}

export function transactionRoutes(app: App, deps: TransactionDeps): void {
  const operation = publisherOperations(app, deps, 'Transactions')
  reportRoutes(app, operation, deps)
  searchRoutes(operation, deps)
  decisionRoutes(operation, deps)
  transactionEventRoutes(operation, deps)
  voucherCodeRoutes(operation, deps)

  operation('GET /transactions/:transaction_uid', {
    config: { scope: 'transactions:read' },
    id: 'getTransaction',
    summary: 'Get a transaction',
    description: 'The current state of the purchase, derived from all its events.',
    params: Params,
    answer: TRANSACTION.schema,
    example: TRANSACTION.example,
    refusals: ['transaction_not_found'],
    handler: async ({ params, publisher }) => {
      const transaction = await getTransaction(deps.db.reader, publisher, params.transaction_uid)
      const [shown] = await presentAll(deps, publisher, [transaction])
      return shown as NonNullable<typeof shown>
    },
  })

  publisherOperations(
    app,
    deps,
    'Rewards',
  )('GET /rewards/summary/:publisher_user_id', {
    config: { scope: 'rewards:read' },
    id: 'getRewardsSummary',
    summary: "Get a user's reward totals",
    description:
      'Pending, available and redeemed rewards, and the debt, in your default currency and in each of your currencies.',
    refusals: ['user_not_found'],
    params: Type.Object({ publisher_user_id: idField("The publisher's ID for the user.") }),
    answer: namedObject('RewardsSummary', {
      publisher_user_id: Type.String(),
      ...ACCOUNT.schema.properties,
      accounts: AccountsSchema,
    }),
    example: { publisher_user_id: 'user-1', ...ACCOUNT.example, accounts: [ACCOUNT.example] },
    handler: async ({ params, publisher, now }) => {
      const { user } = await getUser(deps.db.reader, publisher, params.publisher_user_id, now)
      const wallets = await readWallets(deps.db.reader, publisher, [user.userId])
      const accounts = presentAccounts(publisher, wallets.get(user.userId))
      return { publisher_user_id: user.publisherUserId, ...accounts[0], accounts }
    },
  })
}

function decisionRoutes(operation: PublisherOperation, deps: ReportDeps): void {
  operation('GET /transactions/:transaction_uid/decision', {
    config: { scope: 'transactions:read' },
    id: 'getDecision',
    summary: 'Explain what a transaction earns',
    description: 'Every candidate offer, every rule with its value and limit, and the calculation to the cent.',
    params: Params,
    query: ViewQuery,
    answer: DecisionSchema,
    example: decisionExample,
    refusals: ['transaction_not_found'],
    serializerCompiler: () => JSON.stringify,
    handler: async ({ params, query, publisher, now }) => {
      const transaction = await getTransaction(deps.db.reader, publisher, params.transaction_uid)
      const explained = await getDecision(deps.db.reader, publisher, transaction, now)
      if (query.view === 'user') return buildUserView(explained) as never
      const { catalog } = await deps.catalog.getAssortment(publisher)
      return addOfferNames(explained.trace, catalog) as never
    },
  })
}

function searchRoutes(operation: PublisherOperation, deps: TransactionDeps): void {
  operation('GET /transactions', {
    config: { scope: 'transactions:read' },
    id: 'listTransactions',
    summary: 'Search transactions',
    description: 'Purchases of all users, or of one user. Purchases that earn nothing are CANCELLED with a reason.',
    answer: pageSchema(TRANSACTION.schema),
    refusals: ['user_not_found'],
    query: strictObject({
      publisher_user_id: Type.Optional(idField("The publisher's ID for the user.")),
      status: Type.Optional(enumField(['PENDING', 'EARNED', 'CANCELLED'], 'Only purchases with this status.')),
      search_text: Type.Optional(
        textField(
          255,
          'A transaction id or external id, or part of the merchant, the order id or the external id. Partial matches require at most 100,000 candidate transactions: narrow them down by user or date.',
        ),
      ),
      start_date: Type.Optional(dayField('First day, inclusive.')),
      end_date: Type.Optional(dayField('Last day, inclusive.')),
      ...pageQuery,
    }),
    example: pageExample([TRANSACTION.example]),
    handler: async ({ query, publisher, now }) => {
      const paging = readPaging(query, TRANSACTION_SORTS)
      const { publisher_user_id, status, search_text, start_date, end_date } = query
      if (publisher_user_id !== undefined) await getUser(deps.db.reader, publisher, publisher_user_id, now)
      const asked = {
        userId: publisher_user_id === undefined ? null : toUserId(publisher.id, publisher_user_id),
        status: status ?? null,
        searchText: search_text ?? null,
        from: start_date === undefined ? null : startOfDay(start_date, publisher.timeZone),
        until: end_date === undefined ? null : startOfDay(addDays(end_date, 1), publisher.timeZone),
      }
      const { rows, total, bound } = needsManyRows(asked, paging)
        ? // One transaction, so that the entire search takes a single turn.
          await deps.searches.snapshot((tx) => findTransactions(tx, publisher.id, asked, paging))
        : await findTransactions(deps.db.reader, publisher.id, asked, paging)
      if (bound !== null && total === 0) throw searchTooWide(addDays(toDay(bound, publisher.timeZone), 1))
      return buildPage(await presentAll(deps, publisher, rows), total, paging)
    },
  })
}

/** Builds the refusal of a text search over too many transactions, suggesting a start date that narrows it enough. */
function searchTooWide(from: Day): Problem {
  const message =
    `searches parts of names among at most ${COMPARED_MAX} transactions; add a publisher_user_id or a date range, ` +
    `for example start_date=${from}`
  return invalidInput([{ field: 'search_text', code: 'too_wide', message }])
}

async function presentAll(deps: ReportDeps, publisher: Publisher, rows: readonly Transaction[]) {
  const names = await listUserNames(deps.db.reader, publisher.id, [...new Set(rows.map((row) => row.userId))])
  return rows.map((row) => presentTransaction(row, names.get(row.userId) ?? ''))
}
