import { useSuspenseQuery } from '@tanstack/react-query'
import type { Schemas } from '../../api/client.ts'
import { catalogCategories } from '../../api/queries.ts'
import { count, plural, words } from '../../format.ts'
import { Empty } from '../../ui/empty.tsx'
import { RowLink } from '../../ui/link.tsx'
import { ListPage } from '../../ui/list/list-page.tsx'
import type { Table } from '../../ui/list/table.tsx'

type Row = Schemas['CategoryOfCatalog']

const CATEGORIES: Table<Row> = {
  caption: 'Categories',
  toKey: ({ category_id }) => String(category_id),
  columns: [
    {
      header: 'Category',
      phone: 'title',
      cell: ({ category_id, category }) => (
        <RowLink to="/offers" search={{ category_id }}>
          {words(category)}
        </RowLink>
      ),
    },
    { header: 'Id', cell: ({ category_id }) => <span className="num text-ink-2">{category_id}</span> },
    { header: 'Brands', align: 'right', cell: ({ brands }) => count(brands) },
    { header: 'Current offers', align: 'right', cell: ({ live_offers }) => count(live_offers) },
  ],
  note: ({ brands, live_offers }) => `${plural(brands, 'brand')} · ${plural(live_offers, 'current offer')}`,
}

/** The categories, with the number of brands and current offers in each. */
export default function Categories() {
  return (
    <ListPage
      title="Categories"
      lead="Users filter by category, and each brand has one. Catalog imports add and rename categories."
      {...CATEGORIES}
      rows={useSuspenseQuery(catalogCategories).data}
      empty={<Empty title="No categories yet">They come with the first catalog file.</Empty>}
    />
  )
}
