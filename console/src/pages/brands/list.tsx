import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { BRANDS_PAGE_SIZE, catalogBrands } from '../../api/catalog-queries.ts'
import type { Schemas } from '../../api/client.ts'
import { count, plural, words } from '../../format.ts'
import { Card } from '../../ui/card.tsx'
import { Empty } from '../../ui/empty.tsx'
import { FilterBar, SearchBox } from '../../ui/list/filters.tsx'
import { type Column, DataTable, Pager } from '../../ui/list/table.tsx'
import { Monogram } from '../../ui/monogram.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
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

export default function Brands() {
  const search = route.useSearch()
  const { text = '', page = 0 } = search
  const navigate = route.useNavigate()
  const { data, isPlaceholderData } = useQuery(catalogBrands(search))
  const rows = data?.content ?? []
  const total = data?.total_elements ?? 0
  const columns: Column<Brand>[] = [
    {
      header: 'Brand',
      cell: (brand) => (
        <div className="flex max-w-80 items-center gap-2.5">
          <Monogram name={brand.name} />
          <BrandLink brand={brand} />
        </div>
      ),
    },
    { header: 'State', cell: (brand) => <BrandPill brand={brand} /> },
    { header: 'Category', cell: (brand) => <span className="text-ink-2">{words(brand.category)}</span> },
    { header: 'Offers', align: 'right', cell: (brand) => count(brand.offers) },
    {
      header: 'Website',
      wideOnly: true,
      cell: ({ website }) => <span className="text-ink-2">{website?.replace(/^https?:\/\/(www\.)?/, '')}</span>,
    },
  ]
  return (
    <>
      <PageHeader
        title="Brands and offers"
        lead="Every brand in the catalog, whichever publishers carry it."
        actions={<CatalogFiles />}
      />
      <Card>
        <FilterBar>
          <SearchBox
            label="Name, alias or domain"
            value={text}
            onChange={(value) => navigate({ search: value === '' ? {} : { text: value }, replace: true })}
          />
        </FilterBar>
        <DataTable
          caption="Brands"
          columns={columns}
          rows={rows}
          keyOf={({ brand_uid }) => brand_uid}
          stale={isPlaceholderData}
          empty={
            <Empty title={text === '' ? 'The catalog is empty' : 'No brands match'}>
              {text === '' ? 'Import a catalog file.' : 'Try fewer letters.'}
            </Empty>
          }
          card={(brand) => (
            <>
              <Monogram name={brand.name} size="large" />
              <div className="min-w-0 flex-1">
                <BrandLink brand={brand} />
                <div className="mt-0.5 text-ink-3 text-xs">
                  {words(brand.category)} · {plural(brand.offers, 'offer')}
                </div>
              </div>
              <BrandPill brand={brand} />
            </>
          )}
        />
        <Pager
          page={page}
          size={BRANDS_PAGE_SIZE}
          shown={rows.length}
          total={total}
          none="No brands"
          onPage={(next) =>
            navigate({ search: { ...(text === '' ? {} : { text }), ...(next === 0 ? {} : { page: next }) } })
          }
        />
      </Card>
    </>
  )
}
