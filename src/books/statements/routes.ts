import Type from 'typebox'
import { type App, buildPage, pageExample, pageSchema, readPaging } from '../../platform/http/index.ts'
import { type OperationDeps, publisherOperations } from '../../tenants/access/index.ts'
import { writeStatement } from './statements/answer.ts'
import { formatStatementCsv } from './statements/csv.ts'
import { DocumentSchema } from './statements/document.ts'
import { HEADING } from './statements/heading.ts'
import { countStatements, listStatements, STATEMENT_SORTS } from './statements/queries.ts'
import { documentExample, OwnStatementQuery, StatementFormatQuery, StatementParams } from './statements/schema.ts'

const [csvHead, csvLine] = formatStatementCsv(documentExample, HEADING.example.sha256).split('\r\n')

/** The formats of a statement by media type, for the API reference. */
export const STATEMENT_CONTENT = {
  'application/json': { schema: DocumentSchema, example: documentExample },
  'text/csv': { schema: Type.String(), example: `${csvHead}\r\n${csvLine}\r\n` },
  'application/pdf': { schema: Type.String({ format: 'binary' }), example: '%PDF-1.3' },
} as const

const ownExample = {
  ...HEADING.example,
  kind: 'publisher' as const,
  party: 'pub_01kbjyt5v3f4nvj5yq5yfypr9v',
  party_name: 'Acme',
  books: 'pub_01kbjyt5v3f4nvj5yq5yfypr9v',
}

/** Registers the routes for a publisher's statements. */
export function statementRoutes(app: App, deps: OperationDeps): void {
  const operation = publisherOperations(app, deps, 'Statements')
  operation('GET /statements', {
    config: { scope: 'reports:read' },
    id: 'listStatements',
    summary: 'List your monthly statements',
    description:
      'Newest month first. Statements never change; anything booked later for a month appears in the next statement.',
    query: OwnStatementQuery,
    answer: pageSchema(HEADING.schema),
    example: pageExample([ownExample]),
    handler: async ({ query, publisher }) => {
      const paging = readPaging(query, STATEMENT_SORTS)
      const filter = {
        publisherId: publisher.id,
        month: query.month ?? null,
        kind: null,
        party: null,
      }
      const [rows, total] = await Promise.all([
        listStatements(deps.db.reader, filter, paging),
        countStatements(deps.db.reader, filter),
      ])
      return buildPage(rows.map(HEADING.present), total, paging)
    },
  })

  operation('GET /statements/:statement_id', {
    config: { scope: 'reports:read' },
    id: 'getStatement',
    summary: 'Get a monthly statement as JSON, CSV or PDF',
    description:
      'The JSON is byte for byte what its SHA-256 was computed from; `Content-Digest` carries the same hash. Amounts are decimal strings.',
    params: StatementParams,
    query: StatementFormatQuery,
    content: STATEMENT_CONTENT,
    refusals: ['statement_not_found'],
    handler: async ({ params, query, publisher, reply }) => {
      const written = await writeStatement(deps.db.reader, publisher.id, params.statement_id, query.format)
      return reply.headers(written.headers).send(written.content)
    },
  })
}
