import { getRouteApi, Link } from '@tanstack/react-router'
import { catalogBrands } from '../../api/catalog-queries.ts'
import type { Schemas } from '../../api/client.ts'
import { count, plural, words } from '../../format.ts'
import { Empty } from '../../ui/empty.tsx'
import { SearchBox } from '../../ui/list/filters.tsx'
import { ListPage } from '../../ui/list/list-page.tsx'
import { NamedCell, RowCard, type Table } from '../../ui/list/table.tsx'
import { useFilters, useParts } from '../../ui/list/use-list.ts'
import { Pill } from '../../ui/pill.tsx'
import { CatalogFiles } from './files.tsx'

type Brand = Schemas['BrandOfCatalog']
const route = getRouteApi('/guarded/brands')

function BrandLink({ brand: { brand_uid, name } }: { readonly brand: Brand }) {
  return (
    <Link to="/brands/$brand" params={{ brand: brand_uid }} className="row-link block truncate font-medium">
      {name}
    </Link>
  )
}

export function BrandPill({ brand: { retired, live_offers } }: { readonly brand: Brand }) {
  if (retired) return <Pill tone="neutral">Retired</Pill>
  return live_offers === 0 ? <Pill tone="waiting">No offer</Pill> : <Pill tone="good">Current</Pill>
}

const BRANDS: Table<Brand> = {
  caption: 'Brands',
  toKey: ({ brand_uid }) => brand_uid,
  columns: [
    {
      header: 'Brand',
      cell: (brand) => (
        <NamedCell name={brand.name} className="max-w-80">
          <BrandLink brand={brand} />
        </NamedCell>
      ),
    },
    { header: 'State', cell: (brand) => <BrandPill brand={brand} /> },
    { header: 'Category', quiet: true, cell: ({ category }) => words(category) },
    { header: 'Offers', align: 'right', cell: ({ offers }) => count(offers) },
    {
      header: 'Website',
      wideOnly: true,
      quiet: true,
      cell: ({ website }) => website?.replace(/^https?:\/\/(www\.)?/, ''),
    },
  ],
  card: (brand) => (
    <RowCard
      name={brand.name}
      title={<BrandLink brand={brand} />}
      note={`${words(brand.category)} · ${plural(brand.offers, 'offer')}`}
    >
      <BrandPill brand={brand} />
    </RowCard>
  ),
}

export default function Brands() {
  const { search, change } = useFilters(route)
  const { text = '' } = search
  const list = useParts(catalogBrands(search))
  return (
    <ListPage
      title="Brands and offers"
      lead="Every brand in the catalog, no matter which publishers carry it."
      actions={<CatalogFiles />}
      filters={<SearchBox label="Name, alias or domain" value={text} onChange={(text) => change({ text })} />}
      {...BRANDS}
      {...list}
      empty={
        list.more.hasNextPage ? (
          <Empty title="No match among the first brands">Later ones have not been searched yet.</Empty>
        ) : (
          <Empty title={text === '' ? 'The catalog is empty' : 'No brands match'}>
            {text === '' ? 'Import a catalog file.' : 'Try fewer letters.'}
          </Empty>
        )
      }
    />
  )
}
