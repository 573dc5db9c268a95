import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { catalogCategories } from '../../api/catalog-queries.ts'
import type { Schemas } from '../../api/client.ts'
import { count, plural, words } from '../../format.ts'
import { Card } from '../../ui/card.tsx'
import { Empty } from '../../ui/empty.tsx'
import { type Column, DataTable } from '../../ui/list/table.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'

type Row = Schemas['CategoryOfCatalog']

/** The categories, with their numbers of brands and current offers. */
export default function Categories() {
  const { data: rows } = useSuspenseQuery(catalogCategories)
  const columns: Column<Row>[] = [
    { header: 'Category', cell: (row) => <CategoryLink row={row} /> },
    { header: 'Id', cell: ({ category_id }) => <span className="num text-ink-2">{category_id}</span> },
    { header: 'Brands', align: 'right', cell: ({ brands }) => count(brands) },
    { header: 'Current offers', align: 'right', cell: ({ live_offers }) => count(live_offers) },
  ]
  return (
    <>
      <PageHeader
        title="Categories"
        lead="Users filter by category, and each brand has one. A catalog import adds and renames them."
      />
      <Card>
        <DataTable
          caption="Categories"
          columns={columns}
          rows={rows}
          keyOf={({ category_id }) => String(category_id)}
          empty={<Empty title="No categories yet">They come with the first catalog file.</Empty>}
          card={(row) => (
            <div className="min-w-0 flex-1">
              <CategoryLink row={row} />
              <div className="mt-0.5 text-ink-3 text-xs">
                {plural(row.brands, 'brand')} · {plural(row.live_offers, 'current offer')}
              </div>
            </div>
          )}
        />
      </Card>
    </>
  )
}

function CategoryLink({ row: { category_id, category } }: { readonly row: Row }) {
  return (
    <Link to="/offers" search={{ category: String(category_id) }} className="row-link block truncate font-medium">
      {words(category)}
    </Link>
  )
}
