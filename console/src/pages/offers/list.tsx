import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { Schemas } from '../../api/client.ts'
import { catalog } from '../../api/queries.ts'
import { count, plural, words } from '../../format.ts'
import { optional } from '../../routes/search.ts'
import { Card } from '../../ui/card.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Choice, FilterBar, SearchBox } from '../../ui/filters.tsx'
import { Monogram } from '../../ui/monogram.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Pill } from '../../ui/pill.tsx'
import { SelectFilter } from '../../ui/select-filter.tsx'
import { type Column, DataTable, Pager } from '../../ui/table.tsx'
import { categoryOf } from '../brands/list.tsx'
import { conditionsOf, OFFER_STATES, type OfferState, payText, stateOf } from '../brands/offer.ts'

type Offer = Schemas['CatalogOffer']
type Brand = Schemas['CatalogBrand']
type Row = { readonly brand: Brand; readonly offer: Offer; readonly state: OfferState }
type Filter = {
  readonly text: string | undefined
  readonly state: OfferState | undefined
  readonly type: Schemas['OfferType'] | undefined
  readonly category: string | undefined
}
const route = getRouteApi('/guarded/offers')
// The whole catalog is one file, so it is paged here.
const PAGE_SIZE = 50
const STATES = [
  [undefined, 'All'],
  ['current', 'Current'],
  ['upcoming', 'Not started'],
  ['ended', 'Ended'],
  ['retired', 'Retired'],
] as const
const TYPES: readonly Schemas['OfferType'][] = ['CARD_LINKED', 'AFFILIATE', 'GIFT_CARD', 'VOUCHER_CODE']

export default function Offers() {
  const { text = '', state, type, category, page = 0 } = route.useSearch()
  const navigate = route.useNavigate()
  const { data } = useSuspenseQuery(catalog)
  const change = (changed: Partial<Filter>) =>
    navigate({ search: (old) => optional({ ...old, page: undefined, ...changed }), replace: true })
  const today = new Date().toISOString().slice(0, 10)
  const all: Row[] = data.brands.flatMap((brand) =>
    (brand.offers ?? []).map((offer) => ({ brand, offer, state: stateOf(offer, today) })),
  )
  const wanted = text.toLowerCase()
  const found = all.filter(
    (row) =>
      (state === undefined || row.state === state) &&
      (type === undefined || row.offer.offer_type === type) &&
      (category === undefined || categoryOf(data, row.brand) === category) &&
      (wanted === '' || `${row.brand.name} ${row.offer.name ?? ''}`.toLowerCase().includes(wanted)),
  )
  const rows = found.slice(page * PAGE_SIZE, (page + 1) * PAGE_SIZE)
  const categories = [...new Set(data.brands.map((brand) => categoryOf(data, brand)))].sort()
  const columns: Column<Row>[] = [
    {
      header: 'Offer',
      cell: (row) => (
        <div className="flex max-w-80 items-center gap-2.5 py-1.5">
          <Monogram name={row.brand.name} />
          <div className="min-w-0">
            <OfferLink row={row} />
            <div className="truncate text-ink-3 text-xs">{row.brand.name}</div>
          </div>
        </div>
      ),
    },
    { header: 'State', cell: (row) => <StatePill state={row.state} /> },
    { header: 'Type', cell: ({ offer }) => <span className="text-ink-2">{words(offer.offer_type)}</span> },
    {
      header: 'Commission',
      align: 'right',
      cell: ({ offer }) => <span className="font-medium">{payText(offer)}</span>,
    },
    {
      header: 'Conditions',
      wideOnly: true,
      cell: ({ offer }) => (
        <span className="block max-w-72 truncate text-ink-2">{conditionsOf(offer).join(', ') || 'None'}</span>
      ),
    },
  ]
  return (
    <>
      <PageHeader
        title="Offers"
        lead={`${plural(all.filter((row) => row.state === 'current').length, 'offer')} of ${count(all.length)} are current.`}
      />
      <Card>
        <FilterBar>
          <SearchBox label="Offer or brand" value={text} onChange={(value) => change({ text: value || undefined })} />
          <SelectFilter
            label="Type"
            all="All types"
            value={type}
            options={TYPES.map((known) => [known, words(known)])}
            onChange={(value) => change({ type: TYPES.find((known) => known === value) })}
          />
          <SelectFilter
            label="Category"
            all="All categories"
            value={category}
            options={categories.map((known) => [known, known])}
            onChange={(value) => change({ category: value })}
          />
          <Choice label="State" value={state} options={STATES} onChange={(value) => change({ state: value })} />
        </FilterBar>
        <DataTable
          caption="Offers"
          columns={columns}
          rows={rows}
          keyOf={({ brand, offer }) => `${brand.brand_uid} ${offer.offer_uid}`}
          empty={<Empty title="No offers match">Try fewer letters, or another state.</Empty>}
          card={(row) => (
            <>
              <Monogram name={row.brand.name} size="large" />
              <div className="min-w-0 flex-1">
                <OfferLink row={row} />
                <div className="mt-0.5 truncate text-ink-3 text-xs">
                  {row.brand.name} · {words(row.offer.offer_type)}
                </div>
              </div>
              <div className="text-right">
                <div className="num font-medium">{payText(row.offer)}</div>
                <StatePill state={row.state} />
              </div>
            </>
          )}
        />
        <Pager
          page={page}
          size={PAGE_SIZE}
          shown={rows.length}
          total={found.length}
          none="No offers"
          onPage={(next) => navigate({ search: (old) => optional({ ...old, page: next === 0 ? undefined : next }) })}
        />
      </Card>
    </>
  )
}

function StatePill({ state }: { readonly state: OfferState }) {
  const [label, tone] = OFFER_STATES[state]
  return <Pill tone={tone}>{label}</Pill>
}

function OfferLink({ row: { offer } }: { readonly row: Row }) {
  const { offer_uid, name } = offer
  if (offer_uid === undefined) return <span className="font-medium">{name}</span>
  return (
    <Link to="/offers/$offer" params={{ offer: offer_uid }} className="row-link block truncate font-medium">
      {name ?? offer_uid}
    </Link>
  )
}
