import type { Reader } from '../../../platform/db/database.ts'
import { decodeId, type PublisherId } from '../../../platform/ids.ts'
import { Refusal } from '../../../platform/refusal.ts'
import type { SettlementRefusal } from '../errors.ts'
import { formatStatementCsv } from './csv.ts'
import type { StatementDocument } from './document.ts'
import { renderStatementPdf } from './pdf.ts'
import { findStatement } from './queries.ts'
import type { StatementFormat } from './schema.ts'

type WrittenStatement = {
  readonly mediaType: string
  readonly fileName: string
  readonly sha256: Buffer
  readonly content: string | Buffer
}

/**
 * Writes a statement in the requested format. JSON consists of exactly the bytes that were hashed.
 * @param publisherId the publisher that must own the statement; null for any party
 * @throws Refusal statement_not_found
 */
export async function writeStatement(
  reader: Reader,
  publisherId: PublisherId | null,
  id: string,
  format: StatementFormat,
): Promise<WrittenStatement> {
  const statementId = decodeId<'statement'>('stm', id)
  const found = statementId === null ? null : await findStatement(reader, publisherId, statementId)
  if (found === null) throw new Refusal<SettlementRefusal>('statement_not_found', 'There is no such statement.')
  const { document: text, sha256, partyName } = found
  const document = JSON.parse(text) as StatementDocument
  const fileName = `statement_${document.month}_${document.statement_id}.${format}`
  const hash = sha256.toString('hex')
  if (format === 'json') return { mediaType: 'application/json; charset=utf-8', fileName, sha256, content: text }
  if (format === 'csv')
    return { mediaType: 'text/csv; charset=utf-8', fileName, sha256, content: formatStatementCsv(document, hash) }
  return {
    mediaType: 'application/pdf',
    fileName,
    sha256,
    content: await renderStatementPdf(document, partyName, hash),
  }
}
