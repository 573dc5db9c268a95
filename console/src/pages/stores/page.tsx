import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { Schemas } from '../../api/client.ts'
import { count, plural } from '../../format.ts'
import { optional } from '../../search.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Empty } from '../../ui/empty.tsx'
import { FilterBar, SearchBox, SelectFilter } from '../../ui/list/filters.tsx'
import { Monogram } from '../../ui/monogram.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { StoreMap } from './map.tsx'
import { catalogStores, type StoreSearch } from './queries.ts'

const route = getRouteApi('/guarded/stores')

/** Shows where the stores of in-store offers are. */
export default function Stores() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { text, state, place } = search
  const { data } = useSuspenseQuery(catalogStores(search))
  // A different text or state produces a different map, on which the selected place might be missing.
  const change = (changed: StoreSearch) =>
    navigate({
      search: (old) => optional({ ...old, place: undefined, ...changed }),
      replace: true,
      resetScroll: false,
    })
  return (
    <>
      <PageHeader title="Stores" lead="Where in-store offers can be used." />
      <Card>
        <FilterBar>
          <SearchBox
            label="Brand, store or address"
            value={text ?? ''}
            onChange={(value) => change({ text: value || undefined })}
          />
          <SelectFilter
            label="State"
            all="All states"
            value={state}
            options={data.states.map((known) => [known, known])}
            onChange={(value) => change({ state: value })}
          />
          {place !== undefined && <Button onClick={() => change({})}>Show all places</Button>}
        </FilterBar>
        {data.total === 0 && Object.keys(search).length === 0 ? (
          <Empty title="The catalog has no stores">
            Offers tied to places list their stores, with coordinates, in the catalog file.
          </Empty>
        ) : (
          <div className="grid lg:grid-cols-[minmax(0,1fr)_340px]">
            <div className="p-4">
              <StoreMap places={data.places} selected={place} onSelect={(selected) => change({ place: selected })} />
              {data.unplaced > 0 && (
                <p className="mt-2 text-ink-2 text-sm">
                  {plural(data.unplaced, 'store')} {data.unplaced === 1 ? 'has' : 'have'} no coordinates and{' '}
                  {data.unplaced === 1 ? 'is' : 'are'} only in the list.
                </p>
              )}
            </div>
            <StoreList total={data.total} stores={data.content} />
          </div>
        )}
      </Card>
    </>
  )
}

type ListProps = { readonly total: number; readonly stores: readonly Schemas['Store'][] }

function StoreList({ total, stores }: ListProps) {
  if (total === 0) return <Empty title="No stores match">Try fewer letters.</Empty>
  return (
    <div className="border-line max-lg:border-t lg:border-l">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <ul aria-label="Stores" tabIndex={0} className="max-h-[560px] divide-y divide-line overflow-y-auto">
        {stores.map((store) => (
          <li key={toKey(store)} className="relative flex gap-3 px-4 py-2.5 hover:bg-sunken/60">
            <Monogram name={store.brand_name} />
            <div className="min-w-0">
              <Link
                to="/brands/$brand"
                params={{ brand: store.brand_uid }}
                className="row-link block truncate font-medium text-sm"
              >
                {store.name ?? `${store.brand_name} ${store.store_number ?? ''}`}
              </Link>
              <p className="text-ink-3 text-xs">{store.address}</p>
            </div>
          </li>
        ))}
      </ul>
      <p aria-live="polite" className="border-line border-t px-4 py-2.5 text-ink-2 text-sm">
        {total > stores.length
          ? `The first ${stores.length} of ${count(total)}; narrow the list by text, state or a point on the map.`
          : plural(total, 'store')}
      </p>
    </div>
  )
}

const toKey = ({ brand_uid, store_number, name, address, latitude, longitude }: Schemas['Store']): string =>
  [brand_uid, store_number, name, address, latitude, longitude].join(' ')
