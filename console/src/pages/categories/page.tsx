import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { catalog } from '../../api/queries.ts'
import { count, plural, words } from '../../format.ts'
import { Card } from '../../ui/card.tsx'
import { Empty } from '../../ui/empty.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { type Column, DataTable } from '../../ui/table.tsx'
import { categoryOf } from '../brands/list.tsx'
import { stateOf } from '../brands/offer.ts'

type Row = { readonly name: string; readonly id: string; readonly brands: number; readonly current: number }

/** The categories, and how much each has to offer. */
export default function Categories() {
  const { data } = useSuspenseQuery(catalog)
  const today = new Date().toISOString().slice(0, 10)
  const rows: Row[] = data.categories.map(({ category_id, category }) => {
    const name = words(category)
    const brands = data.brands.filter((brand) => !brand.retired && categoryOf(data, brand) === name)
    const offers = brands.flatMap((brand) => brand.offers ?? [])
    const current = offers.filter((offer) => stateOf(offer, today) === 'current').length
    return { name, id: String(category_id), brands: brands.length, current }
  })
  const columns: Column<Row>[] = [
    { header: 'Category', cell: (row) => <CategoryLink row={row} /> },
    { header: 'Id', cell: ({ id }) => <span className="num text-ink-2">{id}</span> },
    { header: 'Brands', align: 'right', cell: ({ brands }) => count(brands) },
    { header: 'Current offers', align: 'right', cell: ({ current }) => count(current) },
  ]
  return (
    <>
      <PageHeader
        title="Categories"
        lead="Users filter by them; a brand is in one. The catalog file adds and renames them."
      />
      <Card>
        <DataTable
          caption="Categories"
          columns={columns}
          rows={rows}
          keyOf={({ id }) => id}
          empty={<Empty title="There are no categories yet">They come with the first catalog file.</Empty>}
          card={(row) => (
            <div className="min-w-0 flex-1">
              <CategoryLink row={row} />
              <div className="mt-0.5 text-ink-3 text-xs">
                {plural(row.brands, 'brand')} · {plural(row.current, 'current offer')}
              </div>
            </div>
          )}
        />
      </Card>
    </>
  )
}

function CategoryLink({ row: { name } }: { readonly row: Row }) {
  return (
    <Link to="/offers" search={{ category: name }} className="row-link block truncate font-medium">
      {name}
    </Link>
  )
}
