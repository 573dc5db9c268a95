import { setTimeout } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import Type from 'typebox'
import type { Tx } from '../../platform/db/database.ts'
import { createConcurrencyLimit } from '../../platform/http/concurrency-limit.ts'
import { invalidInput, Problem } from '../../platform/http/index.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { OperatorOperation } from '../../tenants/access/index.ts'
import { type ExportFormat, streamCatalog } from './feed/export.ts'
import { CatalogFileSchema } from './feed/file-schema.ts'
import { readCsvInThread } from './feed/read-csv-in-thread.ts'
import { importCatalogWithin } from './import/import.ts'
import type { CatalogOperatorDeps } from './operator-deps.ts'
import {
  CsvBody,
  CsvDocumentSchema,
  csvExample,
  ExportQuery,
  ImportedSchema,
  ImportQuery,
  importExample,
  importedExample,
  presentImport,
} from './operator-schema.ts'

const BATCH_BYTES_MAX = 10 * 1024 * 1024
// As many as fit in a request body.
const ITEMS_MAX = 500_000
// Enough for a brand with several hundred offers or several thousand stores, which takes about ten milliseconds to
// validate.
const VALUES_OF_BRAND_MAX = 100_000
// Most batches load within this time. For slower ones, the response does not wait any longer.
const LOADED_WITHIN_MS = 5_000

export function operatorCatalogRoutes(operation: OperatorOperation, deps: CatalogOperatorDeps): void {
  const limit = createConcurrencyLimit(
    'Each operator can run only one export at a time; finish reading the current one first.',
  )
  operation('PUT /operator/catalog', {
    config: {
      permission: 'catalog:change',
      batch: { members: ['categories', 'brands'], itemsMax: ITEMS_MAX, valuesMax: VALUES_OF_BRAND_MAX },
    },
    bodyLimit: BATCH_BYTES_MAX,
    id: 'importCatalog',
    summary: 'Import a catalog batch',
    description:
      'All or nothing, up to 10 MiB: everything named in the batch is added or changed, and everything else stays as it is (unless `replace` is set). Repeating a batch changes nothing. An invalid batch is refused, with each error listed in `errors[]`.',
    query: ImportQuery,
    body: CatalogFileSchema,
    bodyExample: importExample,
    answer: ImportedSchema,
    example: importedExample,
    handler: async ({ query, body, actor, once, request }) => {
      const dryRun = query.dry_run === 'true'
      const replace = query.replace === 'true'
      // An empty batch sent by mistake must not retire the whole catalog.
      if (replace && (body.brands ?? []).length === 0)
        throw invalidInput([
          {
            field: 'brands',
            code: 'required',
            message: 'must contain at least one brand when everything else is replaced',
          },
        ])
      const options = { dryRun, replace, actor, clock: deps.clock }
      const take = async (tx: Tx) => {
        const input = { format: 'value', value: body } as const
        return presentImport(await importCatalogWithin(tx, input, options).catch(tellFaults))
      }
      if (dryRun) return deps.db.transaction(take)
      const answer = await once(take)
      await loaded(deps, request.log)
      return answer
    },
  })

  csvRoute(operation)
  operation('GET /operator/catalog/export', {
    config: { permission: 'catalog:export' },
    id: 'exportCatalog',
    summary: 'Export the whole catalog in the import format',
    description:
      'Streamed from a single snapshot, in normal form. If the connection is interrupted, the catalog is incomplete: request it again. It is cut off if less than 1 MiB is read in a minute, and in any case after ten minutes. Each operator can run one export at a time.',
    query: ExportQuery,
    content: {
      'application/json': { schema: CatalogFileSchema, example: importExample },
      'application/x-ndjson': { schema: Type.String(), example: JSON.stringify(importExample) },
      'text/csv': { schema: Type.String(), example: JSON.stringify(importExample) },
    },
    handler: async ({ query, actor, reply }) => {
      const { format = 'json' } = query
      const end = limit.start(actor.id)
      const { stream, begun, ended } = streamCatalog(deps.exports, format)
      ended.then(end)
      // The request can still be rejected until the stream has begun.
      await begun
      reply.header('Content-Type', MEDIA_TYPES[format])
      reply.header('Content-Disposition', `attachment; filename="catalog.${format}"`)
      return reply.send(stream)
    },
  })
}

function csvRoute(operation: OperatorOperation): void {
  const limit = createConcurrencyLimit(
    'Only one CSV file per operator is read at a time; wait for the other one to finish.',
  )
  operation('POST /operator/catalog/csv', {
    config: { permission: 'catalog:change' },
    id: 'readCatalogCsv',
    summary: 'Convert a CSV catalog to the document format for imports',
    description:
      'Changes nothing. Errors include the line and column: `lines.7.website`. Use `laurel catalog import` for files of more than 1 MiB.',
    body: CsvBody,
    bodyExample: { csv: 'name,category_id,website\nAcme,1,https://acme.example\n' },
    content: { 'application/json': { schema: CsvDocumentSchema, example: csvExample } },
    unkept: true,
    handler: async ({ body, actor, reply }) => {
      const end = limit.start(actor.id)
      const json = await readCsvInThread(body.csv).catch(tellFaults).finally(end)
      return reply.type('application/json; charset=utf-8').send(json)
    },
  })
}

/**
 * Makes an acknowledged import visible immediately, at least in this process. The import stays committed even if
 * loading fails.
 */
async function loaded({ catalog }: CatalogOperatorDeps, log: FastifyBaseLogger): Promise<void> {
  try {
    await Promise.race([catalog.refresh(), setTimeout(LOADED_WITHIN_MS, undefined, { ref: false })])
  } catch (error) {
    log.warn({ err: error }, 'a batch was imported but could not be loaded')
  }
}

/** Reports errors by body field, because line numbers make sense only for files. */
function tellFaults(error: unknown): never {
  if (!(error instanceof Refusal) || error.code !== 'catalog_invalid') throw error
  const faults = error.members['faults'] as readonly { readonly path: string; readonly message: string }[]
  throw new Problem('invalid_input', 'Nothing was imported, because the catalog contains errors.', {
    errors: faults.map(({ path, message }) => ({ field: path, code: 'not_allowed', message })),
  })
}

const MEDIA_TYPES: Readonly<Record<ExportFormat, string>> = {
  json: 'application/json; charset=utf-8',
  jsonl: 'application/x-ndjson; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
}
