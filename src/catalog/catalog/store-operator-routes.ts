import Type from 'typebox'
import { namedObject, patternField, strictObject, textField, twoLetters } from '../../platform/http/index.ts'
import type { OperatorOperation } from '../../tenants/access/index.ts'
import { CATALOG_STORE, findStores } from './listing/find-stores.ts'
import { PLACE_PATTERN, STORE_PLACE } from './listing/store-places.ts'
import type { CatalogOperatorDeps } from './operator-deps.ts'

// As many as a person would look through.
const LISTED_MAX = 100

const StoreQuery = strictObject({
  search_text: Type.Optional(
    textField(255, "Only stores with this text in the brand's name or in their own name, number or address."),
  ),
  state: Type.Optional(twoLetters('NY', 'Only stores in this state (two-letter code).')),
  place: Type.Optional(
    patternField(PLACE_PATTERN, 'one of the places in a response', {
      examples: ['5-9-12'],
      description: 'Only stores at this place, one of `places`; narrows `total` and `content` but not the map.',
    }),
  ),
})

const StoresSchema = namedObject('StoresOfCatalog', {
  total: Type.Integer({ description: 'Number of matching stores.' }),
  unplaced: Type.Integer({ description: 'Number of stores that match the text and state but have no coordinates.' }),
  states: Type.Array(Type.String(), { description: 'States with at least one store in the catalog, sorted.' }),
  places: Type.Array(STORE_PLACE.schema, {
    description:
      'Map points for the stores that match the text and state, largest first. Stores in the same grid cell form one place, at their average position. Cells are 0.1° wide and high; their sides are doubled until there are no more than 2,000 places.',
  }),
  content: Type.Array(CATALOG_STORE.schema, {
    description: `The first ${LISTED_MAX} matching stores, in catalog order.`,
  }),
})

/** Registers the routes for all stores in the catalog, independent of assortments. */
export function operatorStoreRoutes(operation: OperatorOperation, { catalog }: CatalogOperatorDeps): void {
  operation('GET /operator/stores', {
    config: { permission: 'catalog:read' },
    id: 'listCatalogStores',
    summary: 'Count catalog stores on a map and list the first of them',
    description:
      'Covers the stores of all offers that are not retired. If several offers of a brand list a store with the same number, name and address, it counts once; without an address, the coordinates are compared.',
    query: StoreQuery,
    answer: StoresSchema,
    example: {
      total: 1,
      unplaced: 0,
      states: ['CA', 'NY'],
      places: [STORE_PLACE.example],
      content: [CATALOG_STORE.example],
    },
    handler: async ({ query: { search_text = null, state = null, place = null } }) => {
      const filter = { text: search_text, state, place }
      const { stores, ...found } = await findStores(await catalog.current(), filter, LISTED_MAX)
      return { ...found, content: stores.map(CATALOG_STORE.present) }
    },
  })
}
