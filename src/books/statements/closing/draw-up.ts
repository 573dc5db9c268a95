import { createHash } from 'node:crypto'
import { listBrandNames } from '../../../catalog/catalog/index.ts'
import { inBatches } from '../../../platform/db/cursor.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { deriveUuid, encodeId, type PublisherId } from '../../../platform/ids.ts'
import { toCanonicalJson } from '../../../platform/text/canonical-json.ts'
import type { Environment, Publisher } from '../../../tenants/publishers/index.ts'
import type { Month } from '../month-rules.ts'
import {
  type ActivityLine,
  STATEMENT_KINDS,
  type StatementDocument,
  type StatementKind,
  type StatementPayment,
} from '../statements/document.ts'
import type { StatementId } from '../statements/heading.ts'
import { insertStatements, type MonthlyStatement } from '../statements/queries.ts'
import { buildStatement, type Previous } from '../statements/rules.ts'
import {
  listPlacedPayments,
  type PartyActivity,
  type PartyRow,
  type PeriodBound,
  type PlacedPayment,
  type StoredLine,
  selectBounds,
  selectParties,
  THIS_PERIOD,
} from './activity-queries.ts'

// Amounts to a few hundred kilobytes of documents.
const BATCH = 100

/** Books to close: one publisher's own, or the books shared by all production publishers. */
export type Books = { readonly name: string; readonly publisher: Publisher | null }

export type ClosedPeriod = { readonly month: Month; readonly endsAt: string; readonly cutAt: string }
type Deps = {
  readonly month: Month
  readonly bounds: readonly PeriodBound[]
  readonly closings: ReadonlyMap<string, ClosedPeriod>
  readonly by: string
  readonly now: Date
}

/** Draws up and stores the statements from the activity table, batch by batch. */
export async function* drawUpStatements(
  tx: Tx,
  books: readonly Books[],
  deps: Deps,
): AsyncGenerator<readonly MonthlyStatement[]> {
  const paid = groupPaymentsByParty(await listPlacedPayments(tx, selectBounds(tx, deps.bounds)))
  for (const kind of STATEMENT_KINDS) {
    const query = selectParties(
      tx,
      kind,
      books.map(({ name }) => name),
      deps.month,
    )
    for await (const rows of inBatches<PartyRow>(tx, `parties_${kind}`, BATCH, query)) {
      const names = await readNames(tx, kind, rows, books)
      const statements = rows.flatMap((row) => {
        const period = deps.closings.get(row.books)
        const document = period === undefined ? null : drawnUp(kind, row, period, paid)
        return document === null
          ? []
          : [{ ...stored(kind, row, document, names), createdAt: deps.now, closedBy: deps.by }]
      })
      if (statements.length > 0) await insertStatements(tx, statements)
      yield statements
    }
  }
}

function drawnUp(
  kind: StatementKind,
  row: PartyRow,
  period: ClosedPeriod,
  paid: ReadonlyMap<string, readonly PlacedPayment[]>,
): StatementDocument | null {
  const previous =
    row.previous === null
      ? null
      : { document: JSON.parse(row.previous) as StatementDocument, sha256: row.previousSha256 ?? '' }
  const payments = (paid.get(toPartyKey(kind, row)) ?? []).filter((payment) => payment.period === THIS_PERIOD)
  return buildDocument(kind, row, period, { previous, lines: (row.lines ?? []).map(toActivityLine), payments })
}

type Party = Pick<PartyActivity, 'books' | 'environment' | 'party' | 'currency'>

/**
 * Returns the document of a party's statement for a period. The ID is derived from the party and month, so rebuilding
 * the statement reproduces it.
 */
export function buildDocument(
  kind: StatementKind,
  { books, environment, party, currency }: Party,
  { month, endsAt, cutAt }: ClosedPeriod,
  content: {
    readonly previous: Previous | null
    readonly lines: readonly ActivityLine[]
    readonly payments: readonly StatementPayment[]
  },
): StatementDocument | null {
  const head = {
    statement_id: encodeId('stm', deriveId(kind, books, party, currency, month)),
    kind,
    environment,
    currency,
    month,
    party: kind === 'publisher' ? encodeId('pub', party) : party,
    ends_at: endsAt,
    cut_at: cutAt,
  }
  return buildStatement(head, content.previous, content.lines, content.payments, {
    publisherName: (id) => encodeId('pub', id),
    paymentName: (id) => encodeId('pay', id),
  })
}

function deriveId(...parts: [kind: StatementKind, books: string, party: string, currency: string, month: Month]) {
  return deriveUuid<'statement'>('statement', ...parts) satisfies StatementId
}

export function toActivityLine({ publisher_id, amount, ...line }: StoredLine): ActivityLine {
  if (amount === null) throw new Error('a journal has more postings than were summed')
  return { ...line, publisherId: publisher_id, amount: BigInt(amount) }
}

/** Returns a document's canonical text and its hash. */
export function sealDocument(document: StatementDocument): { readonly text: string; readonly sha256: Buffer } {
  const text = toCanonicalJson(document)
  return { text, sha256: createHash('sha256').update(text).digest() }
}

function stored(
  kind: StatementKind,
  { books, environment, party, currency }: Party,
  document: StatementDocument,
  names: ReadonlyMap<string, string>,
): Omit<MonthlyStatement, 'createdAt' | 'closedBy'> {
  const { month } = document
  const { text, sha256 } = sealDocument(document)
  return {
    statementId: deriveId(kind, books, party, currency, month),
    books,
    month,
    kind,
    party,
    partyName: names.get(party) ?? party,
    publisherId: kind === 'publisher' ? (party as PublisherId) : null,
    environment: environment satisfies Environment,
    currency,
    document: text,
    sha256,
  }
}

/** Returns the parties' current names. */
async function readNames(
  tx: Tx,
  kind: StatementKind,
  rows: readonly PartyRow[],
  books: readonly Books[],
): Promise<ReadonlyMap<string, string>> {
  if (kind === 'service') return new Map([['service', 'Laurel']])
  if (kind === 'advertiser') {
    const parties = rows.map(({ party }) => party)
    return listBrandNames(tx, parties)
  }
  return new Map(books.map(({ name, publisher }) => [name, publisher?.name ?? name]))
}

export function toPartyKey(kind: StatementKind, { books, party, currency }: Omit<Party, 'environment'>): string {
  return [kind, books, party, currency].join('\n')
}

export function groupPaymentsByParty(
  payments: readonly PlacedPayment[],
): ReadonlyMap<string, readonly PlacedPayment[]> {
  return Map.groupBy(payments, (payment) => toPartyKey(payment.kind, payment))
}
