import type { Schemas } from '../../api/client.ts'
import { count, plural, words } from '../../format.ts'
import { useList } from '../../lists/use-list.tsx'
import { Empty } from '../../ui/empty.tsx'
import { RowLink } from '../../ui/link.tsx'
import { ListPage } from '../../ui/list/list-page.tsx'
import type { Table } from '../../ui/list/table.tsx'
import { Pill } from '../../ui/pill.tsx'
import { CatalogFiles } from './files.tsx'
import { BRANDS } from './queries.ts'

type Brand = Schemas['BrandOfCatalog']

export function BrandPill({ brand: { retired, live_offers } }: { readonly brand: Brand }) {
  if (retired) return <Pill tone="neutral">Retired</Pill>
  return live_offers === 0 ? <Pill tone="waiting">No offer</Pill> : <Pill tone="good">Current</Pill>
}

const TABLE: Table<Brand> = {
  caption: 'Brands',
  toKey: ({ brand_uid }) => brand_uid,
  columns: [
    {
      header: 'Brand',
      phone: 'title',
      name: ({ name }) => name,
      width: 'max-w-80',
      cell: ({ brand_uid, name }) => (
        <RowLink to="/brands/$brand" params={{ brand: brand_uid }}>
          {name}
        </RowLink>
      ),
    },
    { header: 'State', phone: 'aside', cell: (brand) => <BrandPill brand={brand} /> },
    { header: 'Category', quiet: true, cell: ({ category }) => words(category) },
    { header: 'Offers', align: 'right', cell: ({ offers }) => count(offers) },
    {
      header: 'Website',
      wideOnly: true,
      quiet: true,
      cell: ({ website }) => website?.replace(/^https?:\/\/(www\.)?/, ''),
    },
  ],
  note: ({ category, offers }) => `${words(category)} · ${plural(offers, 'offer')}`,
}

export default function Brands() {
  const { isFiltered, list } = useList(BRANDS)
  return (
    <ListPage
      title="Brands and offers"
      lead="Every brand in the catalog, no matter which publishers carry it."
      actions={<CatalogFiles />}
      {...TABLE}
      {...list}
      empty={
        list.more.hasNextPage ? (
          <Empty title="No match among the first brands">Later ones have not been searched yet.</Empty>
        ) : (
          <Empty title={isFiltered ? 'No brands match' : 'The catalog is empty'}>
            {isFiltered ? 'Try fewer letters.' : 'Import a catalog file.'}
          </Empty>
        )
      }
    />
  )
}
