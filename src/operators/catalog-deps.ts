import type { CatalogStore } from '../catalog/index.ts'
import type { OperatorDeps } from './deps.ts'

/** Dependencies of operator routes that read the catalog. */
export type CatalogOperatorDeps = OperatorDeps & { readonly catalog: CatalogStore }
