import { type Account, instantText } from '../../../ledger/index.ts'
import { given, type Reader, type SqlPart, type Tx } from '../../../platform/db/database.ts'
import type { Paging } from '../../../platform/http/index.ts'
import { pageClauses } from '../../../platform/http/lists/page-clauses.ts'
import type { Id, PublisherId } from '../../../platform/ids.ts'
import type { Environment } from '../../../tenants/publishers/index.ts'
import type { Month } from '../month-rules.ts'
import type { StatementKind } from './document.ts'

export type StatementId = Id<'statement'>

export type MonthlyStatement = {
  readonly statementId: StatementId
  readonly books: string
  readonly month: Month
  readonly kind: StatementKind
  readonly party: string
  readonly partyName: string
  readonly publisherId: PublisherId | null
  readonly environment: Environment
  readonly currency: string
  /** Canonical JSON. The hash covers exactly these bytes. */
  readonly document: string
  readonly sha256: Buffer
  readonly createdAt: Date
  readonly closedBy: string
}
export type StatementHeading = Omit<MonthlyStatement, 'document'> & { readonly endsAt: Date; readonly cutAt: string }

export const STATEMENT_SORTS = ['month', 'party', 'created_at'] as const
type StatementSort = (typeof STATEMENT_SORTS)[number]

type StatementFilter = {
  /** Limits the list to this publisher's own statements; null for all parties. */
  readonly publisherId: PublisherId | null
  readonly month: Month | null
  readonly kind: StatementKind | null
  readonly party: string | null
  readonly environment: Environment | null
}

const heading = (reader: Reader) => reader`
  s.statement_id, s.books, s.month, s.kind, s.party, s.party_name, s.publisher_id, s.environment, s.currency, s.sha256, s.created_at,
  s.closed_by, c.ends_at, ${instantText(reader, reader`c.cut_at`)} as cut_at`

export async function insertStatements(tx: Tx, statements: readonly MonthlyStatement[]): Promise<void> {
  await tx`
    insert into statements (statement_id, books, month, kind, party, party_name, publisher_id, environment, currency, document, sha256,
      created_at, closed_by)
    select statement_id, books, month, kind, party, party_name, publisher_id, environment, currency, document, sha256, created_at, closed_by
    from ${given(tx, statements, {
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
  const sorts = { month: reader`s.month`, party: reader`s.party`, created_at: reader`s.created_at` }
  const byDefault = { field: 'month', descending: true } as const
  return reader<StatementHeading[]>`
    -- all publishers: an operator may ask for those of all
    select ${heading(reader)}
    from statements s join closings c on c.books = s.books and c.month = s.month
    where ${matching(reader, filter)}
    ${pageClauses(reader, sorts, paging, byDefault, reader`s.statement_id`)}`
}

export async function countStatements(reader: Reader, filter: StatementFilter): Promise<number> {
  const [row] = await reader<{ count: number }[]>`
    -- all publishers: an operator may ask for those of all
    select count(*)::int as count from statements s where ${matching(reader, filter)}`
  return row?.count ?? 0
}

const matching = (reader: Reader, { publisherId, month, kind, party, environment }: StatementFilter) => reader`
  (${publisherId}::uuid is null or s.publisher_id = ${publisherId}) and (${month}::text is null or s.month = ${month})
  and (${kind}::text is null or s.kind = ${kind}) and (${party}::text is null or s.party = ${party})
  and (${environment}::text is null or s.environment = ${environment})`

/** @param publisherId the publisher that must own the statement; null for any party */
export async function findStatement(
  reader: Reader,
  publisherId: PublisherId | null,
  statementId: StatementId,
): Promise<(StatementHeading & { readonly document: string }) | null> {
  const [row] = await reader<(StatementHeading & { readonly document: string })[]>`
    select ${heading(reader)}, s.document
    from statements s join closings c on c.books = s.books and c.month = s.month
    where s.statement_id = ${statementId} and (${publisherId}::uuid is null or s.publisher_id = ${publisherId})`
  return row ?? null
}

export async function countStatementsOf(
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

export type StatementTotal = Pick<MonthlyStatement, 'kind' | 'currency'> & {
  readonly account: Account
  readonly statements: number
  readonly opening: string
  readonly closing: string
}

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

/** Selects the statements of a kind for a month, which the next month carries over. */
export const statementsOf = (
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

/** Lists the stored hashes of the parties' statements, and whether each still matches its document. */
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
    join ${given(reader, parties, { books: 'plain', party: 'text', currency: 'plain' })}
      on given.books = s.books and given.party = s.party and given.currency = s.currency
    where s.kind = ${kind}
    order by s.books, s.party, s.currency, s.month`
}

export async function countStatementsOfKind(reader: Reader, kind: StatementKind): Promise<number> {
  // all publishers: the statements of all parties are verified
  const [row] = await reader<{ count: number }[]>`select count(*)::int as count from statements where kind = ${kind}`
  return row?.count ?? 0
}
