import { DIFFERENCES_MAX, type Difference } from '../../../ledger/index.ts'
import { inBatches } from '../../../platform/db/cursor.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { monthBefore } from '../month-rules.ts'
import { STATEMENT_KINDS, type StatementDocument, type StatementKind } from '../statements/document.ts'
import { countStatementsOfKind, listHashes } from '../statements/queries.ts'
import type { Previous } from '../statements/rules.ts'
import {
  forbidSorting,
  listPlacedPayments,
  type PartyActivity,
  type PlacedPayment,
  selectClosedBounds,
  selectWholeActivity,
} from './activity-queries.ts'
import {
  buildDocument,
  type ClosedPeriod,
  groupPaymentsByParty,
  sealDocument,
  toActivityLine,
  toPartyKey,
} from './draw-up.ts'
import { listAllClosings, type MonthClosing } from './queries.ts'

// The number of parties per batch, each with all its months.
const BATCH = 50

/**
 * Rebuilds every statement from the closings, journals and payments, and returns the differences. Run this on a
 * snapshot.
 */
export async function verifyStatements(
  tx: Tx,
): Promise<{ readonly statements: number; readonly differences: Difference[] }> {
  const closings = Map.groupBy(await listAllClosings(tx), ({ books }) => books)
  const paid = groupPaymentsByParty(await listPlacedPayments(tx, selectClosedBounds(tx)))
  await forbidSorting(tx)
  const differences: Difference[] = []
  let statements = 0
  for (const kind of STATEMENT_KINDS) {
    let rebuilt = 0
    for await (const parties of inBatches<PartyActivity>(tx, `all_${kind}`, BATCH, selectWholeActivity(tx, kind))) {
      const expected = parties.flatMap((party) => rebuildStatements(kind, party, closings.get(party.books) ?? [], paid))
      rebuilt += expected.length
      differences.push(...(await findDifferences(tx, kind, parties, expected)))
    }
    const found = await countStatementsOfKind(tx, kind)
    if (found !== rebuilt)
      differences.push({ check: 'statements', where: `of kind ${kind}`, expected: `${rebuilt}`, found: `${found}` })
    statements += found
  }
  return { statements, differences: differences.slice(0, DIFFERENCES_MAX) }
}

type Rebuilt = { readonly key: string; readonly sha256: string }

/** Rebuilds a party's statements in order, each from the previous one. */
function rebuildStatements(
  kind: StatementKind,
  party: PartyActivity,
  closings: readonly MonthClosing[],
  paid: ReadonlyMap<string, readonly PlacedPayment[]>,
): Rebuilt[] {
  const lines = Map.groupBy(party.lines ?? [], ({ period }) => period)
  const payments = Map.groupBy(paid.get(toPartyKey(kind, party)) ?? [], ({ period }) => period)
  let previous: Previous | null = null
  return closings.flatMap((closing, period) => {
    const document: StatementDocument | null = buildDocument(kind, party, toPeriod(closing), {
      previous: previous?.document.month === monthBefore(closing.month) ? previous : null,
      lines: (lines.get(period) ?? []).map(toActivityLine),
      payments: payments.get(period) ?? [],
    })
    if (document === null) return []
    const sha256 = sealDocument(document).sha256.toString('hex')
    previous = { document, sha256 }
    return [{ key: `${toPartyKey(kind, party)}\n${closing.month}`, sha256 }]
  })
}

function toPeriod({ month, endsAt, cutAt }: MonthClosing): ClosedPeriod {
  return { month, endsAt: endsAt.toISOString(), cutAt }
}

async function findDifferences(
  tx: Tx,
  kind: StatementKind,
  parties: readonly PartyActivity[],
  expected: readonly Rebuilt[],
): Promise<Difference[]> {
  const stored = await listHashes(tx, kind, parties)
  const found = new Map(stored.map((one) => [`${toPartyKey(kind, one)}\n${one.month}`, one]))
  const rebuilt = new Map(expected.map(({ key, sha256 }) => [key, sha256]))
  return [...new Set([...rebuilt.keys(), ...found.keys()])].flatMap((key) => {
    const one = found.get(key)
    const where = key.replaceAll('\n', ' ')
    const [ours, theirs] = [rebuilt.get(key) ?? 'none', one?.sha256 ?? 'none']
    if (one !== undefined && !one.isIntact)
      return [{ check: 'statement_document', where, expected: theirs, found: 'another document' }]
    return ours === theirs ? [] : [{ check: 'statement', where, expected: ours, found: theirs }]
  })
}
