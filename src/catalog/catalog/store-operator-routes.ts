import Type, { type Static } from 'typebox'
import { namedObject, nullable, patternField, strictObject, textField, twoLetters } from '../../platform/http/index.ts'
import type { OperatorOperation } from '../../tenants/access/index.ts'
import { type FoundStores, findStores } from './listing/find-stores.ts'
import { PLACE_PATTERN } from './listing/store-places.ts'
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

const latitude = Type.Number({ description: 'Degrees north of the equator.' })
const longitude = Type.Number({ description: 'Degrees east of Greenwich.' })

const StoreSchema = namedObject('Store', {
  brand_uid: Type.String(),
  brand_name: Type.String({ description: 'Name of the brand.' }),
  name: nullable(Type.String({ description: 'Name of the store, or null if the catalog has none.' })),
  store_number: nullable(Type.String({ description: "The brand's own number for the store." })),
  address: nullable(Type.String({ description: 'Address on a single line.' })),
  state: nullable(Type.String({ description: 'Two-letter state code, in uppercase.' })),
  latitude: nullable(latitude),
  longitude: nullable(longitude),
})
const StoresSchema = namedObject('StoresOfCatalog', {
  total: Type.Integer({ description: 'Number of matching stores.' }),
  unplaced: Type.Integer({ description: 'Number of stores that match the text and state but have no coordinates.' }),
  states: Type.Array(Type.String(), { description: 'States with at least one store in the catalog, sorted.' }),
  places: Type.Array(
    namedObject('StorePlace', {
      place: Type.String({ description: 'Value for the `place` filter.' }),
      latitude,
      longitude,
      stores: Type.Integer({ description: 'Number of stores at this place.' }),
    }),
    {
      description:
        'Map points for the stores that match the text and state, largest first. Stores in the same grid cell form one place, at their average position. Cells are 0.1° wide and high; their sides are doubled until there are no more than 2,000 places.',
    },
  ),
  content: Type.Array(StoreSchema, {
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
      places: [{ place: '0-1307-1059', latitude: 40.71, longitude: -74.01, stores: 1 }],
      content: [
        {
          brand_uid: 'brand-market',
          brand_name: 'Corner Market',
          name: 'Downtown',
          store_number: '17',
          address: '1 Main Street, New York, NY 10001',
          state: 'NY',
          latitude: 40.71,
          longitude: -74.01,
        },
      ],
    },
    handler: async ({ query: { search_text = null, state = null, place = null } }) =>
      presentStores(await findStores(await catalog.current(), { text: search_text, state, place }, LISTED_MAX)),
  })
}

function presentStores({ stores, ...found }: FoundStores): Static<typeof StoresSchema> {
  return {
    ...found,
    states: [...found.states],
    places: [...found.places],
    content: stores.map(({ brand: { brandUid, name }, storeNumber, ...store }) => ({
      brand_uid: brandUid,
      brand_name: name,
      store_number: storeNumber,
      ...store,
    })),
  }
}
