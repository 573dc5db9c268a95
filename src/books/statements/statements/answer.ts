import type { Reader } from '../../../platform/db/database.ts'
import { decodeId, type PublisherId } from '../../../platform/ids.ts'
import { Refusal } from '../../../platform/refusal.ts'
import type { SettlementRefusal } from '../errors.ts'
import { formatStatementCsv } from './csv.ts'
import type { StatementDocument } from './document.ts'
import { renderStatementPdf } from './pdf.ts'
import { findStatement } from './queries.ts'
import type { StatementFormat } from './schema.ts'

const MEDIA_TYPES: Readonly<Record<StatementFormat, string>> = {
  json: 'application/json; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
  pdf: 'application/pdf',
}

/**
 * Writes a statement in the requested format, with the headers of its response. JSON consists of exactly the bytes that
 * were hashed, and a header carries the hash.
 * @param publisherId the publisher that must own the statement; null for any party
 * @throws Refusal statement_not_found
 */
export async function writeStatement(
  reader: Reader,
  publisherId: PublisherId | null,
  id: string,
  format: StatementFormat = 'json',
): Promise<{ readonly headers: Record<string, string>; readonly content: string | Buffer }> {
  const statementId = decodeId<'statement'>('stm', id)
  const found = statementId === null ? null : await findStatement(reader, publisherId, statementId)
  if (found === null) throw new Refusal<SettlementRefusal>('statement_not_found', 'There is no such statement.')
  const { document: text, sha256, partyName } = found
  const document = JSON.parse(text) as StatementDocument
  const headers = {
    'Content-Type': MEDIA_TYPES[format],
    'Content-Disposition': `attachment; filename="statement_${document.month}_${document.statement_id}.${format}"`,
  }
  if (format === 'json')
    return { headers: { ...headers, 'Content-Digest': `sha-256=:${sha256.toString('base64')}:` }, content: text }
  const hash = sha256.toString('hex')
  if (format === 'csv') return { headers, content: formatStatementCsv(document, hash) }
  return { headers, content: await renderStatementPdf(document, partyName, hash) }
}
