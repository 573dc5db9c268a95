import type { Database, Tx } from '../../platform/db/database.ts'
import { type ReadingBounds, streamSnapshot } from '../../platform/db/streamed-snapshot.ts'
import { type Actor, audit } from '../../tenants/accounts/index.ts'
import { type ExportFormat, exportCatalog } from './feed/export.ts'
import type { CatalogInput } from './feed/read-feed.ts'
import { type ImportOptions, type ImportOutcome, importCatalog, importCatalogWithin } from './import/import.ts'

type Import = Omit<ImportOptions, 'by' | 'alongside'> & { readonly actor: Actor }

/** Imports a catalog, and records the import in the audit log if anything changes. */
export function importCatalogAs(db: Database, input: CatalogInput, options: Import): Promise<ImportOutcome> {
  return importCatalog(db, input, audited(options))
}

/** Like `importCatalogAs`, but in the caller's transaction. */
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

/** Streams the catalog as text. */
export function streamCatalog(
  db: Database,
  format: ExportFormat,
  bounds?: ReadingBounds,
): ReturnType<typeof streamSnapshot> {
  return streamSnapshot(db, (tx) => exportCatalog(tx, format), bounds)
}
