import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { Schemas } from '../../api/client.ts'
import { catalog } from '../../api/queries.ts'
import { count, plural, words } from '../../format.ts'
import { Card } from '../../ui/card.tsx'
import { Empty } from '../../ui/empty.tsx'
import { FilterBar, SearchBox } from '../../ui/filters.tsx'
import { Monogram } from '../../ui/monogram.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Pill } from '../../ui/pill.tsx'
import { type Column, DataTable, Pager } from '../../ui/table.tsx'
import { CatalogFiles } from './files.tsx'

type Brand = Schemas['CatalogBrand']
const route = getRouteApi('/guarded/brands')
// The whole catalog is one file, so it is paged here.
const PAGE_SIZE = 50

export function categoryOf({ categories = [] }: Schemas['CatalogFile'], { category_id, category }: Brand): string {
  return words(
    category ?? categories.find((known) => known.category_id === category_id)?.category ?? String(category_id),
  )
}

function BrandLink({ brand }: { readonly brand: Brand }) {
  const { brand_uid, name } = brand
  if (brand_uid === undefined) return <span className="font-medium">{name}</span>
  return (
    <Link to="/brands/$brand" params={{ brand: brand_uid }} className="row-link block truncate font-medium">
      {name}
    </Link>
  )
}

export function BrandPill({ brand }: { readonly brand: Brand }) {
  if (brand.retired) return <Pill tone="neutral">Retired</Pill>
  const current = (brand.offers ?? []).filter(({ retired }) => !retired).length
  return current === 0 ? <Pill tone="waiting">No offer</Pill> : <Pill tone="good">Current</Pill>
}

export default function Brands() {
  const { text = '', page = 0 } = route.useSearch()
  const navigate = route.useNavigate()
  const { data } = useSuspenseQuery(catalog)
  const wanted = text.toLowerCase()
  const fits = ({ name, aliases = [], domains = [] }: Brand) =>
    [name, ...aliases, ...domains].some((known) => known.toLowerCase().includes(wanted))
  const found = wanted === '' ? data.brands : data.brands.filter(fits)
  const rows = found.slice(page * PAGE_SIZE, (page + 1) * PAGE_SIZE)
  const offers = data.brands.reduce((sum, brand) => sum + (brand.offers?.length ?? 0), 0)
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
    { header: 'Category', cell: (brand) => <span className="text-ink-2">{categoryOf(data, brand)}</span> },
    { header: 'Offers', align: 'right', cell: (brand) => count(brand.offers?.length ?? 0) },
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
        lead={`${plural(data.brands.length, 'brand')} with ${plural(offers, 'offer')}.`}
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
          keyOf={({ brand_uid, name }) => brand_uid ?? name}
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
                  {categoryOf(data, brand)} · {plural(brand.offers?.length ?? 0, 'offer')}
                </div>
              </div>
              <BrandPill brand={brand} />
            </>
          )}
        />
        <Pager
          page={page}
          size={PAGE_SIZE}
          shown={rows.length}
          total={found.length}
          none="No brands"
          onPage={(next) =>
            navigate({ search: { ...(text === '' ? {} : { text }), ...(next === 0 ? {} : { page: next }) } })
          }
        />
      </Card>
    </>
  )
}
