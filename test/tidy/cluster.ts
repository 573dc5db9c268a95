import { findBeyond } from './exceptions.ts'
import { isTest } from './rooms.ts'
import type { Source } from './source.ts'
import { SQL_TAG } from './sql.ts'

/**
 * The rules that allow user tables to be distributed over the servers of a cluster by user_id, so that a user's
 * transaction runs on one server (docs/decisions/0006-derived-user-ids.md). Every key of a user table starts with
 * user_id.
 */

// The lists of exceptions may only shrink. They contain tables and constraints, and the number of statements per file.

// Queues that are not recognizable by their name or their key.
const QUEUES = ['event_feed', 'webhook_deliveries']

// Tables with a user_id but a different key. With QUEUES these are all the exempt tables, of which there are at most
// 12.
const OTHER_KEYS = [
  // Looked up by a secret or an external ID before the user is known.
  'portal_links',
  'source_claims',
  'sub_ids',
  // A publisher's work on many users' purchases.
  'rematch_changes',
  // Some rows have no user, such as those for staff, people who are signing up, unknown sales and unused codes.
  'accounts',
  'sessions',
  'user_mails',
  'postbacks',
  'voucher_codes',
]

const CONSTRAINTS = [
  'allowance_holds_code_id_fkey',
  'events_publisher_id_fkey',
  'rematch_changes_user_id_transaction_id_fkey',
  'terms_acceptances_document_id_fkey',
  'users_publisher_id_fkey',
]
const WITHOUT_USERS = {
  'src/sources/affiliate/queries.ts': 1,
  'src/catalog/allowances/budget-queries.ts': 1,
  'src/events/record.ts': 1,
  'src/ledger/queries.ts': 1,
  'src/purchases/linker/accounts/queries.ts': 1,
  'src/purchases/linker/feed/orphan-queries.ts': 3,
  'src/purchases/linker/feed/queries.ts': 1,
  'src/purchases/linker/health/queries.ts': 3,
  'src/purchases/linker/item-queries.ts': 3,
  'src/purchases/linker/schedule/run-queries.ts': 2,
  'src/purchases/transactions/rewards/queries.ts': 1,
  'src/purchases/transactions/queries.ts': 2,
  'src/purchases/transactions/rematch/queries.ts': 1,
  'src/purchases/transactions/search.ts': 3,
  'src/purchases/transactions/verify.ts': 1,
  'src/users/users/queries.ts': 2,
}
const UNDISTRIBUTABLE = {
  'src/events/delivery/lease-queries.ts': 1,
  'src/purchases/linker/feed/queries.ts': 1,
  'src/purchases/linker/links/public-token-queries.ts': 1,
  'src/purchases/linker/schedule/run-queries.ts': 2,
  'src/purchases/linker/webhooks/queries.ts': 1,
}
const WITH_QUEUES = {
  'src/events/delivery/lease-queries.ts': 1,
  'src/events/feed/feed-queries.ts': 1,
  'src/events/record.ts': 1,
  'src/ledger/queries.ts': 1,
}

type Counts = Readonly<Record<string, number>>
type Table = {
  readonly name: string
  readonly columns: string
  readonly isOfUsers: boolean
  readonly isQueue: boolean
}

function parseTables(schema: string): Table[] {
  return [...schema.matchAll(/^create table (\w+) \(\n([\s\S]*?)^\).*\n((?:CREATE .*\n)*)/gm)].map(
    ([, name = '', columns = '', indexes = '']) => ({
      name,
      columns: columns + indexes,
      isOfUsers: /(PRIMARY KEY|UNIQUE[^(]*) \(user_id\b/.test(columns + indexes),
      isQueue: /_queues?$/.test(name) || QUEUES.includes(name) || columns.includes('PRIMARY KEY (ordinal)'),
    }),
  )
}

/** Lists tables, keys and foreign keys that a cluster could not support. */
export function schemaFaults(schema: string, lists = { otherKeys: OTHER_KEYS, constraints: CONSTRAINTS }): string[] {
  const tables = parseTables(schema)
  const ofUsers = new Set(tables.filter(({ isOfUsers }) => isOfUsers).map(({ name }) => name))
  const unkeyed = tables.filter(
    ({ columns, isOfUsers, isQueue }) => /^ {2}user_id /m.test(columns) && !isOfUsers && !isQueue,
  )
  const constraints = tables.flatMap(({ name, columns }) => constraintFaults(name, columns, ofUsers))
  return [
    ...tables.filter(({ columns }) => !columns.includes('PRIMARY KEY')).map(({ name }) => `${name} has no primary key`),
    ...unkeyed
      .filter(({ name }) => !lists.otherKeys.includes(name))
      .map(({ name }) => `no key of ${name} begins with user_id`),
    ...tables
      .filter(({ isOfUsers, isQueue }) => isOfUsers && isQueue)
      .map(({ name }) => `${name} is a queue keyed by user`),
    ...constraints.filter(({ name }) => !lists.constraints.includes(name)).map(({ name, fault }) => `${name} ${fault}`),
    ...lists.otherKeys
      .filter((name) => !unkeyed.some((table) => table.name === name))
      .map((name) => `${name} needs no exception; take it off the list`),
    ...lists.constraints
      .filter((allowed) => !constraints.some(({ name }) => name === allowed))
      .map((allowed) => `${allowed} keeps the rules; take it off the list`),
  ]
}

function constraintFaults(table: string, columns: string, ofUsers: ReadonlySet<string>) {
  const isOfUsers = ofUsers.has(table)
  const namesUser = (list = ''): boolean => list.split(', ').includes('user_id')
  const ties = [...columns.matchAll(/(\w+) FOREIGN KEY \(([^)]*)\) REFERENCES (\w+)/g)]
    .filter(([, , list, target = '']) => (ofUsers.has(target) ? !(isOfUsers && namesUser(list)) : isOfUsers))
    .map(([, name = '', , target]) => ({ name, fault: `ties ${table} to rows of ${target} on another server` }))
  if (!isOfUsers) return ties
  const keys = [...columns.matchAll(/(?:constraint|UNIQUE INDEX) (\w+) (?:PRIMARY KEY|UNIQUE|ON)[^(]*\(([^)]*)\)/g)]
    .filter(([key, , list]) => /UNIQUE|PRIMARY/.test(key) && !namesUser(list))
    .map(([, name = '']) => ({ name, fault: `is a key of ${table} without user_id` }))
  const nullable = /^ {2}user_id uuid not null/m.test(columns)
    ? []
    : [{ name: table, fault: 'has a user_id that may be null' }]
  const counted = /generated .* as identity|nextval\(/.test(columns)
    ? [{ name: table, fault: 'counts over all servers' }]
    : []
  return [...ties, ...keys, ...nullable, ...counted]
}

/** Lists statements on user tables that a cluster could not run on one server. */
export function statementFaults(
  sources: readonly Source[],
  schema: string,
  most: { readonly withoutUsers: Counts; readonly undistributable: Counts; readonly withQueues: Counts } = {
    withoutUsers: WITHOUT_USERS,
    undistributable: UNDISTRIBUTABLE,
    withQueues: WITH_QUEUES,
  },
): string[] {
  const tables = parseTables(schema)
  const userTables = tables.filter(({ isOfUsers }) => isOfUsers).map(({ name }) => name)
  const queues = tables.filter(({ isQueue }) => isQueue).map(({ name }) => name)
  const statements = sources
    .filter(({ path }) => path.startsWith('src/') && !isTest(path))
    .flatMap(({ path, templates }) =>
      templates.map(({ tag, text, line }) => ({ place: path, tag, text, what: `line ${line}` })),
    )
    .filter(({ tag, text }) => SQL_TAG.test(tag) && touches(text, userTables))
  const found = (fault: string, allowed: Counts, isFault: (statement: string) => boolean) =>
    findBeyond(
      statements.filter(({ text }) => isFault(text)),
      allowed,
    ).map((finding) => `${fault}: ${finding}`)
  return [
    ...found('neither user_id nor `all users: why`', most.withoutUsers, (statement) => !namesUsers(statement)),
    ...found('skip locked, ctid or recursion on user tables', most.undistributable, (statement) =>
      /\b(skip locked|ctid|with recursive)\b/.test(statement),
    ),
    ...found('user tables and queues together', most.withQueues, (statement) => touches(statement, queues)),
  ]
}

function touches(statement: string, tables: readonly string[]): boolean {
  return new RegExp(`\\b(from|join|into|update|using|only)\\s+(${tables.join('|')})\\b`, 'i').test(statement)
}

/** Returns true if the statement filters by user_id, joins on it, inserts rows, or gives a reason. */
function namesUsers(statement: string): boolean {
  return (
    /^\s*insert into/.test(statement) ||
    /user_id\s*=\s*(any\s*\(\s*)?\$\{|user_id = \w+\.user_id|\(user_id, [^)]*\) (in|= any)|using \([^)]*user_id/.test(
      statement,
    ) ||
    /all users: \S/.test(statement)
  )
}
