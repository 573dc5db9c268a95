import type { Static } from 'typebox'
import { formatInstant } from '../../../ledger/index.ts'
import { asTable, type Reader, type SqlPart, selectColumns, type Tx } from '../../../platform/db/database.ts'
import { enumField, idField, monthField, type Paging } from '../../../platform/http/index.ts'
import { buildPageClauses } from '../../../platform/http/lists/page-clauses.ts'
import type { PublisherId } from '../../../platform/ids.ts'
import { equals, type OperatorList, publisherFilter, unindexed } from '../../../tenants/access/index.ts'
import type { Month } from '../month-rules.ts'
import { STATEMENT_KINDS, type StatementKind } from './document.ts'
import { HEADING, type StatementHeading, type StatementId } from './heading.ts'
import type { ClosedSchema } from './schema.ts'

export type MonthlyStatement = Omit<StatementHeading, 'endsAt' | 'cutAt'> & {
  /** Canonical JSON. The hash covers exactly these bytes. */
  readonly document: string
  readonly closedBy: string
}

export const STATEMENT_SORTS = ['month', 'party', 'created_at'] as const
type StatementSort = (typeof STATEMENT_SORTS)[number]

type StatementFilter = {
  /** The publisher whose own statements are listed; null for all parties. */
  readonly publisherId: PublisherId | null
  readonly month: Month | null
  readonly kind: StatementKind | null
  readonly party: string | null
}

const columns = (reader: Reader) => reader`
  ${selectColumns(reader, 'statements', HEADING.columns)},
  (select ends_at from closings c where c.books = statements.books and c.month = statements.month),
  (
    select ${formatInstant(reader, reader`c.cut_at`)} from closings c
    where c.books = statements.books and c.month = statements.month
  ) as cut_at`

export async function insertStatements(tx: Tx, statements: readonly MonthlyStatement[]): Promise<void> {
  await tx`
    insert into statements (statement_id, books, month, kind, party, party_name, publisher_id, environment, currency, document, sha256,
      created_at, closed_by)
    select statement_id, books, month, kind, party, party_name, publisher_id, environment, currency, document, sha256, created_at, closed_by
    from ${asTable(tx, statements, {
      statementId: 'uuid',
      books: 'plain',
      month: 'plain',
      kind: 'plain',
      party: 'text',
      partyName: 'text',
      publisherId: 'uuid',
      environment: 'plain',
      currency: 'plain',
      document: 'text',
      sha256: 'bytea',
      createdAt: 'timestamptz',
      closedBy: 'text',
    })}`
}

export async function listStatements(
  reader: Reader,
  filter: StatementFilter,
  paging: Paging<StatementSort>,
): Promise<StatementHeading[]> {
  const sorts = { month: reader`month`, party: reader`party`, created_at: reader`created_at` }
  const byDefault = { field: 'month', descending: true } as const
  return reader<StatementHeading[]>`
    -- all publishers: an operator may ask for those of all
    select ${columns(reader)} from statements
    where ${matching(reader, filter)}
    ${buildPageClauses(reader, sorts, paging, byDefault, reader`statement_id`)}`
}

export async function countStatements(reader: Reader, filter: StatementFilter): Promise<number> {
  const [row] = await reader<{ count: number }[]>`
    -- all publishers: an operator may ask for those of all
    select count(*)::int as count from statements where ${matching(reader, filter)}`
  return row?.count ?? 0
}

const matching = (reader: Reader, { publisherId, month, kind, party }: StatementFilter) => reader`
  (${publisherId}::uuid is null or publisher_id = ${publisherId}) and (${month}::text is null or month = ${month})
  and (${kind}::text is null or kind = ${kind}) and (${party}::text is null or party = ${party})`

/** All parties' statements, newest month first. */
export const STATEMENT_LIST: OperatorList<StatementHeading> = {
  table: 'statements',
  id: 'statementId',
  columns,
  sorts: {
    '-month': 'month',
    month: 'month',
    party: 'text',
    '-party': 'text',
    '-created_at': 'instant',
    created_at: 'instant',
  },
  filters: {
    ...publisherFilter,
    kind: unindexed(equals('kind', enumField(STATEMENT_KINDS, 'Only statements of this kind.'))),
    brand_uid: {
      parameter: idField('Only the statements of this advertiser.'),
      where: (reader: Reader, table: string, value: string) =>
        reader`${reader(table)}.party = ${value} and ${reader(table)}.kind = 'advertiser'`,
    },
    environment: unindexed(equals('environment', enumField(['sandbox', 'production'], 'Only this environment.'))),
    month: equals('month', monthField('Only statements of this month.')),
  },
}

/** @param publisherId the publisher that must own the statement; null for any party */
export async function findStatement(
  reader: Reader,
  publisherId: PublisherId | null,
  statementId: StatementId,
): Promise<(StatementHeading & { readonly document: string }) | null> {
  const [row] = await reader<(StatementHeading & { readonly document: string })[]>`
    select ${columns(reader)}, document from statements
    where statement_id = ${statementId} and (${publisherId}::uuid is null or publisher_id = ${publisherId})`
  return row ?? null
}

export async function countStatementsByBooks(
  reader: Reader,
  books: readonly string[],
  month: Month,
): Promise<Map<string, number>> {
  const rows = await reader<{ books: string; count: number }[]>`
    -- all publishers: those of the books
    select books, count(*)::int as count from statements
    where books = any(${books as string[]}::text[]) and month = ${month}
    group by books`
  return new Map(rows.map(({ books: name, count }) => [name, count]))
}

export type StatementTotal = Static<typeof ClosedSchema>['totals'][number]

/** Returns the totals of a month's statements by account. */
export async function sumStatements(reader: Reader, books: readonly string[], month: Month): Promise<StatementTotal[]> {
  return reader<StatementTotal[]>`
    -- all publishers: those of the books
    select kind, currency, line ->> 'account' as account, count(*)::int as statements,
      sum((line ->> 'opening')::numeric)::text as opening, sum((line ->> 'closing')::numeric)::text as closing
    from statements, jsonb_array_elements(document::jsonb -> 'balances') line
    where books = any(${books as string[]}::text[]) and month = ${month} and line ->> 'detail' is null
    group by kind, currency, line ->> 'account'
    having bool_or((line ->> 'opening')::numeric <> 0 or (line ->> 'closing')::numeric <> 0)
    order by kind, currency, account`
}

/** Selects the statements of a kind for a month, to be carried over to the next month. */
export const selectStatements = (
  reader: Reader,
  kind: StatementKind,
  books: readonly string[],
  month: Month,
): SqlPart => reader`
  -- all publishers: those of the books
  select books, environment, party, currency, document as previous, encode(sha256, 'hex') as previous_sha256
  from statements
  where kind = ${kind} and month = ${month} and books = any(${books as string[]}::text[])`

type StoredHash = Pick<MonthlyStatement, 'books' | 'month' | 'party' | 'currency'> & { readonly sha256: string }

/** Lists the stored hashes of the parties' statements and whether each one still matches its document. */
export async function listHashes(
  reader: Reader,
  kind: StatementKind,
  parties: readonly Pick<MonthlyStatement, 'books' | 'party' | 'currency'>[],
): Promise<(StoredHash & { readonly isIntact: boolean })[]> {
  return reader<(StoredHash & { readonly isIntact: boolean })[]>`
    -- all publishers: the statements of all parties are verified
    select s.books, s.month, s.party, s.currency, encode(s.sha256, 'hex') as sha256,
      s.sha256 = sha256(convert_to(s.document, 'UTF8')) as is_intact
    from statements s
    join ${asTable(reader, parties, { books: 'plain', party: 'text', currency: 'plain' })}
      on given.books = s.books and given.party = s.party and given.currency = s.currency
    where s.kind = ${kind}
    order by s.books, s.party, s.currency, s.month`
}

export async function countStatementsOfKind(reader: Reader, kind: StatementKind): Promise<number> {
  // all publishers: the statements of all parties are verified
  const [row] = await reader<{ count: number }[]>`select count(*)::int as count from statements where kind = ${kind}`
  return row?.count ?? 0
}
