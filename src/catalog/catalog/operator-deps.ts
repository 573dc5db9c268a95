import type { OperatorDeps } from '../../tenants/access/index.ts'
import type { CatalogStore } from './loading/catalog-store.ts'

/** Dependencies of operator routes that read the catalog. */
export type CatalogOperatorDeps = OperatorDeps & { readonly catalog: CatalogStore }
