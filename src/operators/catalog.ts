import { PassThrough, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import {
  type CatalogInput,
  type ExportFormat,
  type ImportOptions,
  type ImportOutcome,
  importCatalog,
  importCatalogWithin,
  writeExport,
} from '../catalog/index.ts'
import type { Database, Tx } from '../platform/database.ts'
import { audit } from './audit.ts'
import type { Actor } from './operator.ts'

type Import = Omit<ImportOptions, 'by' | 'alongside'> & { readonly actor: Actor }

/** Imports a catalog, with an entry in the audit log if anything changes. */
export function importCatalogAs(db: Database, input: CatalogInput, options: Import): Promise<ImportOutcome> {
  return importCatalog(db, input, audited(options))
}

/** The same in the caller's transaction. */
export function importCatalogWithinAs(tx: Tx, input: CatalogInput, options: Import): Promise<ImportOutcome> {
  return importCatalogWithin(tx, input, audited(options))
}

function audited({ actor, ...options }: Import): ImportOptions {
  return {
    ...options,
    by: actor.id,
    alongside: (tx, { version, changes }, now) =>
      audit(
        tx,
        {
          actor,
          action: 'catalog.imported',
          subject: 'catalog',
          before: { version: version - 1 },
          after: { version, ...changes, ...(options.replace === true ? { replaced: true } : {}) },
        },
        now,
      ),
  }
}

/**
 * Streams the catalog as text: a slow reader slows the cursor down, one that disconnects ends the transaction, and a
 * failure destroys the stream, so that half a catalog never looks like a whole one.
 */
export function streamCatalog(db: Database, format: ExportFormat): Readable {
  const stream = new PassThrough()
  writeExport(db, format, (texts) => pipeline(texts, stream)).catch((error: Error) => stream.destroy(error))
  return stream
}
