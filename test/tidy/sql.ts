import { isTest, knowsMachine } from './rooms.ts'
import type { Source } from './source.ts'

// Statements that stay in the file that does the work: numbering, folding, sweeping and verifying.
const SQL_BESIDE_QUERIES = [
  'src/events/record.ts',
  'src/events/delivery/sequencer.ts',
  'src/events/delivery/sweep.ts',
  'src/ledger/fold-deltas.ts',
  'src/ledger/statement.ts',
  'src/ledger/verify.ts',
  'src/purchases/transactions/rewards/verify.ts',
  'src/purchases/transactions/search.ts',
  'src/purchases/transactions/verify.ts',
  'cli/seed/seed.ts',
]

export const SQL_TAG = /(^|\.)(tx|reader|sql)$/

/** Finds SQL outside queries. The list above may only shrink. */
export function straySql(sources: readonly Source[], beside = SQL_BESIDE_QUERIES): string[] {
  const holders = sources.filter(
    ({ path, templates }) =>
      /^(src|cli)\//.test(path) &&
      !knowsMachine(path) &&
      !/(^|[/-])queries\.ts$/.test(path) &&
      !isTest(path) &&
      templates.some(({ tag }) => SQL_TAG.test(tag)),
  )
  const found = new Set(holders.map(({ path }) => path))
  return [
    ...[...found].filter((path) => !beside.includes(path)).map((path) => `${path} holds SQL; move it into queries.ts`),
    ...beside.filter((path) => !found.has(path)).map((path) => `${path} holds no SQL any more; take it off the list`),
  ]
}

type TenantTables = {
  readonly all: readonly string[]
  /** The tables in which every row has a publisher. */
  readonly required: readonly string[]
}

/** Returns the tables with a publisher_id, from the dumped schema. */
export function tenantTables(schema: string): TenantTables {
  const tables = [...schema.matchAll(/^create table (\w+) \(\n([\s\S]*?)^\)/gm)]
  const having = (column: RegExp) =>
    tables.flatMap(([, name = '', columns = '']) => (column.test(columns) ? [name] : []))
  return { all: having(/^ {2}publisher_id /m), required: having(/^ {2}publisher_id uuid not null,?$/m) }
}

/**
 * Finds statements on tenant tables without a publisher. A statement must use publisher_id or say `all publishers:
 * why`, inside it or in the comment above it. Fragments (columns and conditions) contain no table and are checked where
 * they are used.
 */
export function tenantless(sources: readonly Source[], { all, required }: TenantTables): string[] {
  const touches = new RegExp(`\\b(from|join|into|update|using|only)\\s+(${all.join('|')})\\b`, 'i')
  return sources
    .filter(({ path }) => /^(src|cli)\//.test(path) && !isTest(path))
    .flatMap((source) =>
      source.templates
        .filter(({ tag, text }) => SQL_TAG.test(tag) && touches.test(text))
        .filter(
          ({ text, line }) =>
            !namesPublisher(text, required) && !/all publishers: \S/.test(text + commentAbove(source, line)),
        )
        .map(({ line, text }) => `${source.path}:${line} names no publisher_id and no reason: ${summary(text)}`),
    )
}

/**
 * Returns true if the text contains a column of that name, passes a value to an SQL fragment, or inserts complete rows,
 * which cannot omit a required column.
 */
function namesPublisher(text: string, required: readonly string[]): boolean {
  const [, table = ''] = /^\s*insert into (\w+) (select given\.\* from [\s\S]*null::\1\b|\$\{tx\()/.exec(text) ?? []
  return /publisher_id|publisherId|publisher\.id/.test(text) || required.includes(table)
}

/**
 * Returns the comment directly above the statement that contains the template. An incomplete line continues the
 * statement on the next line.
 */
function commentAbove(source: Source, line: number): string {
  const code = source.code.split('\n').map((text) => text.trim())
  const comments = source.comments.split('\n')
  let at = line - 1
  while (at > 0 && (/^[)\]>}]/.test(code[at] ?? '') || /([(,<[=]|=>)$/.test(code[at - 1] ?? ''))) at--
  let above = ''
  while (at > 0 && code[at - 1] === '' && comments[at - 1]?.trim() !== '') above += comments[--at]
  return above
}

function summary(text: string): string {
  return text.trim().replace(/\s+/g, ' ').slice(0, 80)
}

/** Finds migrations that share a number or are not named NNNN_what.sql. */
export function migrationFaults(names: readonly string[]): string[] {
  const numbers = names.map((name) => /^(\d{4})_[a-z0-9_]+\.sql$/.exec(name)?.[1] ?? name)
  return [
    ...numbers.filter((number) => !/^\d{4}$/.test(number)).map((name) => `${name} is not named NNNN_what.sql`),
    ...numbers
      .filter((number, index) => numbers.indexOf(number) < index)
      .map((number) => `two migrations are ${number}`),
  ]
}

const STOPS_OTHERS: readonly (readonly [what: RegExp, instead: string])[] = [
  [
    /\bdrop (table|column|view)\b|\brename\b/,
    'drop or rename only what the version before no longer uses, and say `-- unused since NNNN`',
  ],
  [/\bcreate (unique )?index (?!concurrently)/, 'create the index concurrently, in a migration that does nothing else'],
  [
    /\bset not null\b|\balter column \w+ (set data )?type\b/,
    'add a check that is not valid, and validate it in a later one',
  ],
  [/\badd constraint\b(?![^;]*\bnot valid\b)/, 'add the constraint not valid, and validate it in a later one'],
]

/**
 * Finds migrations that lock a table for long or remove anything. The previous version of the service still runs during
 * a migration.
 */
export function stoppingMigrations(files: readonly { readonly name: string; readonly text: string }[]): string[] {
  return files.flatMap(({ name, text }) => {
    const created = [...text.matchAll(/\bcreate table (\w+)/gi)].map(([, table]) => table)
    const statements = text
      .split(/;\s*$/m)
      .filter((statement) => !created.some((table) => new RegExp(`\\b(on|table) ${table}\\b`, 'i').test(statement)))
    return statements.flatMap((statement) =>
      STOPS_OTHERS.filter(([what]) => what.test(withoutComments(statement).toLowerCase()))
        .filter(() => !/-- unused since \d{4}/.test(statement))
        .map(([, instead]) => `${name}: ${instead}`),
    )
  })
}

function withoutComments(statement: string): string {
  return statement.replace(/--.*$/gm, '')
}
