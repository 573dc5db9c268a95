import postgres from 'postgres'
import { drawFraction } from '../jitter.ts'
import { type KindOfWork, LIMITS, type WorkLimits } from './kinds-of-work.ts'
import { createLines } from './lines.ts'
import { createTurns, type Turns } from './pacing.ts'

/**
 * SQL is written as tagged templates in queries.ts. A Reader may run outside a transaction. A Tx is a Reader inside
 * one, so a function that writes cannot be called with a plain Reader.
 */
export type Reader = postgres.ISql<{ bigint: bigint; day: string }>
/** A SQL fragment for use in another statement. */
export type SqlPart = postgres.PendingQuery<postgres.Row[]>

declare const insideTransaction: unique symbol
export type Tx = Reader & { readonly [insideTransaction]: true }

export type Database = {
  readonly url: string
  readonly reader: Reader
  /**
   * Runs the work in one transaction. Serialization failures and deadlocks are retried, so the work must be repeatable.
   * Transactions that change the same user run one at a time (see lines.ts).
   */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** Runs reads in one read-only transaction, so that all of them see the same snapshot. */
  snapshot<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** Calls `onMessage` whenever any process announces the topic. */
  listen(topic: string, onMessage: (payload: string) => void): Promise<void>
  close(): Promise<void>
}

const ATTEMPTS_MAX = 5
// 40001 serialization_failure and 40P01 deadlock_detected. PostgreSQL's documentation recommends a retry.
const REPEATABLE = new Set(['40001', '40P01'])
const IN_FAILED_TRANSACTION = '25P02'

// The driver's codes for a lost connection, and the server's code for a connection it terminated.
const CONNECTION_LOST = new Set([
  'CONNECTION_CLOSED',
  'CONNECTION_DESTROYED',
  'CONNECTION_ENDED',
  'ECONNRESET',
  'EPIPE',
  '57P01',
])
// query_canceled, lock_not_available and idle_in_transaction_session_timeout: a limit of the kind of work was exceeded.
const TIMED_OUT = new Set(['57014', '55P03', '25P03'])
// No connection available: too_many_connections, a server that is starting or stopping, or an unreachable one.
const UNREACHABLE = new Set(['53300', '57P03', 'CONNECT_TIMEOUT', 'ECONNREFUSED', 'ENOTFOUND', 'ETIMEDOUT'])

type Options = Partial<WorkLimits> & {
  /** Selects the limits, which the other options override. Defaults to `commands`. */
  readonly work?: KindOfWork
  /**
   * True if the URL points to a connection pooler that may assign each transaction a different server connection. Such
   * a pooler supports neither prepared statements nor limits set at connection time (docs/decisions/0037-poolers.md).
   */
  readonly isPooled?: boolean
}

export function openDatabase(url: string, { work = 'commands', isPooled = false, ...given }: Options = {}): Database {
  const limits = { ...LIMITS[work], ...given }
  const timeouts = toTimeouts(limits)
  const sql = postgres(url, {
    max: limits.connections,
    onnotice: () => undefined,
    connect_timeout: 10,
    prepare: !isPooled,
    connection: { application_name: `laurel ${work}`, TimeZone: 'UTC', ...(isPooled ? {} : timeouts) },
    // Columns are snake_case in SQL and camelCase in code. Members of JSON values keep their names.
    transform: { column: { from: postgres.toCamel, to: postgres.fromCamel } },
    types: {
      bigint: postgres.BigInt,
      // A date is a calendar day, not an instant, so it stays text.
      day: { to: 1082, from: [1082], serialize: (day: string) => day, parse: (day: string) => day },
    },
  })
  const turns = createTurns(work, limits)
  const { inLine } = createLines()
  const settings = Object.entries(timeouts).map(([name, value]) => `set local ${name} = ${value}`)
  const transaction = <T>(work: (tx: Tx) => Promise<T>, mode?: string): Promise<T> =>
    withRepeats(() => inTurn(turns, () => begin(sql, isPooled ? after(settings.join(';'), work) : work, mode)))
  return {
    url,
    reader: createReader(sql, turns),
    transaction: (work) => inLine(() => transaction(work)),
    snapshot: (work) => transaction(work, 'isolation level repeatable read read only'),
    listen: async (topic, onMessage) => {
      await sql.listen(topic, onMessage)
    },
    close: () => sql.end({ timeout: 5 }),
  }
}

function toTimeouts({ statementMs, lockMs, idleMs }: WorkLimits) {
  return {
    statement_timeout: statementMs,
    lock_timeout: lockMs,
    idle_in_transaction_session_timeout: idleMs,
  }
}

/** Pipelines the settings ahead of the first statement without awaiting them. If they fail, so does the transaction. */
function after<T>(settings: string, work: (tx: Tx) => Promise<T>): (tx: Tx) => Promise<T> {
  return (tx) => {
    tx.unsafe(settings).execute()
    return work(tx)
  }
}

type Sql = postgres.Sql<{ bigint: bigint; day: string }>
/** The driver calls a query's handler when the query is first awaited. Fragments of other queries are never awaited. */
type DriverQuery = Promise<unknown> & { handler: (query: DriverQuery) => void; reject(error: unknown): void }

/** Makes each statement outside a transaction wait for its turn, because the driver's own queue is unbounded. */
function createReader(sql: Sql, turns: Turns): Reader {
  return new Proxy(sql, {
    apply: (target, self, parameters) => {
      const made: unknown = Reflect.apply(target, self, parameters)
      if (made instanceof Promise) waitForTurn(made as DriverQuery, turns)
      return made
    },
  })
}

function waitForTurn(query: DriverQuery, turns: Turns): void {
  const send = query.handler
  query.handler = () => {
    turns.take().then(
      (end) => {
        query.then(end, end)
        send(query)
      },
      (refusal: unknown) => query.reject(refusal),
    )
  }
}

async function inTurn<T>(turns: Turns, work: () => Promise<T>): Promise<T> {
  const end = await turns.take()
  try {
    return await work()
  } finally {
    end()
  }
}

/**
 * Begins a transaction and stops sending anything once its connection is lost. The driver reports the loss immediately,
 * but it would write anything sent afterward, such as its own rollback or the next statement of the work, to a closed
 * socket. No caller could catch that failure, so the process would crash. No rollback is needed, because the server has
 * already rolled back.
 */
function begin<T>(sql: Sql, work: (tx: Tx) => Promise<T>, mode = ''): Promise<T> {
  let [hasBegun, lost] = [false, false]
  const begun = sql.begin(mode, (tx) => {
    hasBegun = true
    const guarded = new Proxy(tx as unknown as Tx, {
      apply: (target, self, parameters) => {
        if (lost) throw new Error('the connection of this transaction was lost')
        return Reflect.apply(target, self, parameters)
      },
    })
    return work(guarded).catch((error: unknown) => {
      if (!lost && !CONNECTION_LOST.has((error as { code?: string }).code ?? '')) throw error
      lost = true
      return new Promise<never>(() => undefined)
    })
  }) as Promise<T>
  return begun.catch((error: unknown) => {
    lost = true
    throw hasBegun ? error : new NotBegun({ cause: error })
  })
}

/**
 * Thrown if the work was never called. The driver reports a terminated connection a second time when replacing it, so
 * the first transaction after a loss often fails through no fault of its own.
 */
class NotBegun extends Error {
  constructor(options: ErrorOptions) {
    super('the transaction could not begin', options)
  }
}

async function withRepeats<T>(attempt: () => Promise<T>): Promise<T> {
  for (let count = 1; ; count++) {
    try {
      return await attempt()
    } catch (thrown) {
      const error = thrown instanceof NotBegun ? thrown.cause : thrown
      const isRepeatable = error !== thrown || REPEATABLE.has(findSqlState(error) ?? '')
      if (count >= ATTEMPTS_MAX || !isRepeatable) throw error
      await new Promise((resolve) => setTimeout(resolve, drawFraction() * 20 * 2 ** count))
    }
  }
}

/**
 * Runs part of a transaction that may fail. If the work returns false, everything it wrote is undone and every lock it
 * took is released. Nested savepoints need different names.
 */
export async function withSavepoint(tx: Tx, name: string, work: () => Promise<boolean>): Promise<boolean> {
  await tx`savepoint ${tx(name)}`
  if (await work()) return true
  await tx`rollback to savepoint ${tx(name)}`
  return false
}

/** Returns the SQLSTATE of a database error; null for any other error. */
export function findSqlState(error: unknown): string | null {
  return error instanceof postgres.PostgresError ? error.code : null
}

/** Returns true if the database was too slow or unreachable, so the same work might succeed later. */
export function isUnavailable(error: unknown): boolean {
  const code = (error as { readonly code?: string } | null)?.code ?? ''
  return [TIMED_OUT, UNREACHABLE, CONNECTION_LOST].some((codes) => codes.has(code))
}

/** Returns true if the database rejected the data: a value that does not fit its column or violates a constraint. */
export function isAboutData(error: unknown): boolean {
  return /^2[23]/.test(findSqlState(error) ?? '')
}

/** Returns the name of the constraint that caused a database error; null if there is none. */
export function findConstraint(error: unknown): string | null {
  return error instanceof postgres.PostgresError ? (error.constraint_name ?? null) : null
}

/** Notifies all listening processes once this transaction commits. */
export async function announce(tx: Tx, topic: string, payload = ''): Promise<void> {
  await tx`select pg_notify(${topic}, ${payload})`
}

/**
 * The PostgreSQL type of a sent column. `plain` is text that needs no quoting in an array, such as ids and our own
 * names.
 */
type SentType =
  | ('plain' | 'text' | 'uuid' | 'int2' | 'int4' | 'int8' | 'float8')
  | ('bool' | 'date' | 'timestamptz' | 'json' | 'jsonb' | 'bytea')

export type SentColumns<Row> = { readonly [Name in keyof Row & string]?: SentType }

/**
 * Sends rows as a table, with one array parameter per column: `from ${asTable(tx, users, { userId: 'uuid', email:
 * 'text' })}` becomes `from unnest(…) as given (user_id, email)`. Undefined and null both become null.
 */
export function asTable<Row extends object>(sql: Reader, rows: readonly Row[], columns: SentColumns<Row>): SqlPart {
  const entries = Object.entries(columns) as [keyof Row & string, SentType][]
  const lists = entries.map(([name, type]) => {
    const values = rows.map((row) => row[name] as SentValue)
    return buildArray(sql, values, type)
  })
  const names = entries.map(([name]) => postgres.fromCamel(name)).join(', ')
  return sql`unnest(${lists.reduce((all, one) => sql`${all}, ${one}`)}) as given (${sql.unsafe(names)})`
}

/** Lists the table's columns for the given members of a row. */
export function selectColumns(sql: Reader, table: string, members: readonly string[]): SqlPart {
  return sql`${sql(members.map((member) => `${table}.${member}`))}`
}

/** Formats column names as a list for a statement. */
export function listColumns(sql: Reader, columns: object, shown = (name: string): string => name): SqlPart {
  const names = Object.keys(columns).map((name) => shown(postgres.fromCamel(name)))
  return sql`${sql.unsafe(names.join(', '))}`
}

type SentValue = string | number | bigint | boolean | Date | Buffer | object | null | undefined

function buildArray(sql: Reader, values: readonly SentValue[], type: SentType): SqlPart {
  const orNull = values.map((value) => value ?? null)
  if (type === 'text') return sql`${orNull as string[]}::text[]`
  if (type === 'json' || type === 'jsonb') {
    const texts = joinJson(orNull as (object | string | null)[])
    return sql`string_to_array(${texts}, ${JSON_SEPARATOR}, '')::${sql.unsafe(type)}[]`
  }
  return sql`${formatArray(orNull.map(plainText))}::text::${sql.unsafe(type === 'plain' ? 'text' : type)}[]`
}

function plainText(value: SentValue): string | number | bigint | null {
  if (value instanceof Date) return value.toISOString()
  if (Buffer.isBuffer(value)) return `"\\\\x${value.toString('hex')}"`
  return typeof value === 'boolean' ? String(value) : ((value ?? null) as string | number | bigint | null)
}

/**
 * Joins many JSON texts into one parameter for string_to_array, with null as an empty string. Strings are assumed to be
 * JSON already. An array parameter would require escaping every quote here and unescaping it on the server, which would
 * account for half the cost of sending. The separator is safe, because JSON never contains raw control characters.
 */
const JSON_SEPARATOR = '\u001e'
function joinJson(values: readonly (object | string | null)[]): string {
  let last: object | string | null = null
  let text = ''
  const texts = values.map((value) => {
    if (value === null) return ''
    // Events from the same change share one value, which is serialized only once.
    if (value !== last) text = typeof value === 'string' ? value : JSON.stringify(value)
    last = value
    return text
  })
  return texts.join(JSON_SEPARATOR)
}

/**
 * Formats an array parameter as a single string, for values that need no quoting: ids, numbers, instants and our own
 * names. The driver escapes every element of an array, which takes longer than computing a batch's postings.
 */
export function formatArray(values: readonly (string | number | bigint | null)[]): string {
  return `{${values.map((value) => value ?? 'null').join(',')}}`
}

/**
 * Awaits statements of one transaction that were started together so that the driver pipelines them. If one fails, the
 * others are awaited before throwing, because a statement sent after the rollback would run outside the transaction.
 */
export async function awaitAll<const T extends readonly Promise<unknown>[]>(
  started: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  const settled = await Promise.allSettled(started)
  const failures = settled.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []))
  // After the first failure the server rejects the rest, so their errors carry no information.
  if (failures.length > 0) throw failures.find((error) => findSqlState(error) !== IN_FAILED_TRANSACTION) ?? failures[0]
  // All are fulfilled, so this only returns the values with their types.
  return Promise.all(started)
}
