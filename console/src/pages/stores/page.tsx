import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Schemas } from '../../api/client.ts'
import { catalog } from '../../api/queries.ts'
import { count, plural } from '../../format.ts'
import { optional } from '../../routes/search.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Empty } from '../../ui/empty.tsx'
import { FilterBar, SearchBox } from '../../ui/filters.tsx'
import { Monogram } from '../../ui/monogram.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { SelectFilter } from '../../ui/select-filter.tsx'
import { type Place, StoreMap } from './map.tsx'

type Store = {
  readonly key: string
  readonly brand: string
  readonly brandUid: string | undefined
  readonly name: string
  readonly address: string
  readonly state: string | undefined
  /** Of the place on the map; undefined: the catalog does not say where it is. */
  readonly place: string | undefined
  readonly latitude: number
  readonly longitude: number
}
const route = getRouteApi('/guarded/stores')
const SHOWN_MAX = 100

/** Where the stores of in-store offers are. */
export default function Stores() {
  const { text = '', state } = route.useSearch()
  const navigate = route.useNavigate()
  const { data } = useSuspenseQuery(catalog)
  const [selected, setSelected] = useState<string | undefined>(undefined)
  const all = storesOf(data.brands)
  const wanted = text.toLowerCase()
  const fitting = all.filter(
    (store) =>
      (state === undefined || store.state === state) &&
      (wanted === '' || `${store.brand} ${store.name} ${store.address}`.toLowerCase().includes(wanted)),
  )
  const listed = selected === undefined ? fitting : fitting.filter(({ place }) => place === selected)
  const states = [...new Set(all.flatMap((store) => store.state ?? []))].sort()
  const unplaced = fitting.filter(({ place }) => place === undefined).length
  return (
    <>
      <PageHeader title="Stores" lead={`${plural(all.length, 'store')} at which in-store offers can be used.`} />
      <Card>
        <FilterBar>
          <SearchBox
            label="Brand, store or address"
            value={text}
            onChange={(value) =>
              navigate({ search: (old) => optional({ ...old, text: value || undefined }), replace: true })
            }
          />
          <SelectFilter
            label="State"
            all="All states"
            value={state}
            options={states.map((known) => [known, known])}
            onChange={(value) => navigate({ search: (old) => optional({ ...old, state: value }), replace: true })}
          />
          {selected !== undefined && <Button onClick={() => setSelected(undefined)}>Show all places</Button>}
        </FilterBar>
        {all.length === 0 ? (
          <Empty title="The catalog has no stores">
            Offers that are bound to places name their stores with coordinates in the catalog file.
          </Empty>
        ) : (
          <div className="grid lg:grid-cols-[minmax(0,1fr)_340px]">
            <div className="p-4">
              <StoreMap places={placesOf(fitting)} selected={selected} onSelect={setSelected} />
              {unplaced > 0 && (
                <p className="mt-2 text-ink-2 text-sm">
                  {plural(unplaced, 'store')} {unplaced === 1 ? 'has' : 'have'} no coordinates and{' '}
                  {unplaced === 1 ? 'is' : 'are'} only in the list.
                </p>
              )}
            </div>
            <StoreList stores={listed} />
          </div>
        )}
      </Card>
    </>
  )
}

function StoreList({ stores }: { readonly stores: readonly Store[] }) {
  if (stores.length === 0) return <Empty title="No stores match">Try fewer letters.</Empty>
  return (
    <div className="border-line max-lg:border-t lg:border-l">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <ul aria-label="Stores" tabIndex={0} className="max-h-[560px] divide-y divide-line overflow-y-auto">
        {stores.slice(0, SHOWN_MAX).map((store) => (
          <li key={store.key} className="relative flex gap-3 px-4 py-2.5 hover:bg-sunken/60">
            <Monogram name={store.brand} />
            <div className="min-w-0">
              {store.brandUid === undefined ? (
                <span className="font-medium text-sm">{store.name}</span>
              ) : (
                <Link
                  to="/brands/$brand"
                  params={{ brand: store.brandUid }}
                  className="row-link block truncate font-medium text-sm"
                >
                  {store.name}
                </Link>
              )}
              <p className="text-ink-3 text-xs">{store.address}</p>
            </div>
          </li>
        ))}
      </ul>
      <p aria-live="polite" className="border-line border-t px-4 py-2.5 text-ink-2 text-sm">
        {stores.length > SHOWN_MAX
          ? `The first ${SHOWN_MAX} of ${count(stores.length)}; narrow them by text or state.`
          : plural(stores.length, 'store')}
      </p>
    </div>
  )
}

// About a kilometre: what is nearer is one point on a map of a country.
const PLACE_DECIMALS = 2

/** Each store once, even if several offers of the brand name it. */
function storesOf(brands: readonly Schemas['CatalogBrand'][]): Store[] {
  const stores = new Map<string, Store>()
  for (const brand of brands)
    for (const offer of brand.offers ?? [])
      for (const address of offer.store_addresses ?? []) {
        const store = storeOf(brand, address)
        stores.set(store.key, store)
      }
  return [...stores.values()]
}

function storeOf({ name: brand, brand_uid }: Schemas['CatalogBrand'], store: Schemas['CatalogStore']): Store {
  const [latitude, longitude] = [Number(store.latitude ?? Number.NaN), Number(store.longitude ?? Number.NaN)]
  const { street_address1, city, state, zip_code, complete_address } = store
  const address = complete_address ?? [street_address1, city, state, zip_code].filter(Boolean).join(', ')
  return {
    ...{ brand, brandUid: brand_uid, address, state, latitude, longitude },
    key: `${brand_uid} ${store.store_number} ${store.location_name} ${address}`,
    name: store.location_name ?? `${brand} ${store.store_number ?? ''}`,
    place:
      Number.isFinite(latitude) && Number.isFinite(longitude)
        ? `${latitude.toFixed(PLACE_DECIMALS)} ${longitude.toFixed(PLACE_DECIMALS)}`
        : undefined,
  }
}

function placesOf(stores: readonly Store[]): Place[] {
  const places = new Map<string, Store[]>()
  for (const store of stores)
    if (store.place !== undefined) places.set(store.place, [...(places.get(store.place) ?? []), store])
  return [...places].flatMap(([key, here]) => {
    const [first] = here
    if (first === undefined) return []
    const title = here.length === 1 ? `${first.name}, ${first.address}` : plural(here.length, 'store')
    return [{ key, latitude: first.latitude, longitude: first.longitude, title, stores: here.length }]
  })
}
