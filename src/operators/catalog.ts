import type { CatalogInput, ImportOptions, ImportOutcome } from '../catalog/index.ts'
import { importCatalog, importCatalogWithin } from '../catalog/index.ts'
import type { Database, Tx } from '../platform/database.ts'
import { audit } from './audit.ts'
import type { Actor } from './operator.ts'

type Import = Omit<ImportOptions, 'by' | 'alongside'> & { readonly actor: Actor }

/** An import of the catalog of which the audit log tells, if it changes anything. */
export function importCatalogAs(db: Database, input: CatalogInput, options: Import): Promise<ImportOutcome> {
  return importCatalog(db, input, audited(options))
}

/** The same in a transaction of the caller's. */
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
