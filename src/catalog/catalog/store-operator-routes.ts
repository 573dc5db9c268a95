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
    textField(255, "Only stores with this text in the brand's name or their name, number or address."),
  ),
  state: Type.Optional(twoLetters('NY', 'Only stores in this state, by its two-letter code.')),
  place: Type.Optional(
    patternField(PLACE_PATTERN, 'one of the places of an answer', {
      examples: ['5-9-12'],
      description: 'Only stores at this place, one of `places`; narrows `total` and `content`, not the map.',
    }),
  ),
})

const latitude = Type.Number({ description: 'Degrees north of the equator.' })
const longitude = Type.Number({ description: 'Degrees east of Greenwich.' })

const StoreSchema = namedObject('Store', {
  brand_uid: Type.String(),
  brand_name: Type.String({ description: 'Name of the brand.' }),
  name: nullable(Type.String({ description: 'Name of the store; null: the catalog has none.' })),
  store_number: nullable(Type.String({ description: "The brand's own number of the store." })),
  address: nullable(Type.String({ description: 'In one line.' })),
  state: nullable(Type.String({ description: 'Two-letter code, in capitals.' })),
  latitude: nullable(latitude),
  longitude: nullable(longitude),
})
const StoresSchema = namedObject('StoresOfCatalog', {
  total: Type.Integer({ description: 'How many stores match.' }),
  unplaced: Type.Integer({ description: 'How many stores with this text and state have no coordinates.' }),
  states: Type.Array(Type.String(), { description: 'The states that any store of the catalog is in, sorted.' }),
  places: Type.Array(
    namedObject('StorePlace', {
      place: Type.String({ description: 'Value for the filter `place`.' }),
      latitude,
      longitude,
      stores: Type.Integer({ description: 'How many stores are at this place.' }),
    }),
    {
      description:
        'Points for a map of the stores with this text and state, the largest first. Stores in one cell of a grid are one place, at their average. Cells are 0.1° wide and high; while there would be more than 2,000 places, their sides are doubled.',
    },
  ),
  content: Type.Array(StoreSchema, {
    description: `The first ${LISTED_MAX} stores that match, in the order of the catalog.`,
  }),
})

/** Registers the routes for the stores of the whole catalog, independent of assortments. */
export function operatorStoreRoutes(operation: OperatorOperation, { catalog }: CatalogOperatorDeps): void {
  operation('GET /operator/stores', {
    config: { permission: 'catalog:read' },
    id: 'listCatalogStores',
    summary: 'Count stores of the catalog on a map, and list the first of them',
    description:
      'The stores of all offers that are not retired. A store that several offers of a brand name, with the same number, name and address, is one store; without an address its coordinates count.',
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
