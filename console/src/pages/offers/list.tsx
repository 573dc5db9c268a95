import { useInfiniteQuery, useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { catalogCategories, catalogOffers, type OfferSearch } from '../../api/catalog-queries.ts'
import type { Schemas } from '../../api/client.ts'
import { plural, words } from '../../format.ts'
import { optional } from '../../routes/search.ts'
import { Card } from '../../ui/card.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Choice, FilterBar, SearchBox } from '../../ui/list/filters.tsx'
import { More } from '../../ui/list/more.tsx'
import { SelectFilter } from '../../ui/list/select-filter.tsx'
import { type Column, DataTable } from '../../ui/list/table.tsx'
import { Monogram } from '../../ui/monogram.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { Pill } from '../../ui/pill.tsx'
import { conditionsOf, listedPayText, OFFER_STATES, type OfferState } from '../brands/offer.ts'

type Offer = Schemas['OfferOfCatalog']
const route = getRouteApi('/guarded/offers')
const STATES = [
  [undefined, 'All'],
  ['live', 'Current'],
  ['scheduled', 'Not started'],
  ['ended', 'Ended'],
  ['retired', 'Retired'],
] as const
const TYPES: readonly Schemas['OfferType'][] = ['CARD_LINKED', 'AFFILIATE', 'GIFT_CARD', 'VOUCHER_CODE']

export default function Offers() {
  const search = route.useSearch()
  const { text = '', state, type, category } = search
  const navigate = route.useNavigate()
  const query = useInfiniteQuery(catalogOffers(search))
  const { data: categories } = useSuspenseQuery(catalogCategories)
  const rows = query.data?.pages.flatMap(({ content }) => content) ?? []
  const change = (changed: OfferSearch) =>
    navigate({ search: (old) => optional({ ...old, ...changed }), replace: true })
  const current = categories.reduce((sum, { live_offers }) => sum + live_offers, 0)
  const columns: Column<Offer>[] = [
    {
      header: 'Offer',
      cell: (offer) => (
        <div className="flex max-w-80 items-center gap-2.5 py-1.5">
          <Monogram name={offer.brand_name} />
          <div className="min-w-0">
            <OfferLink offer={offer} />
            <div className="truncate text-ink-3 text-xs">{offer.brand_name}</div>
          </div>
        </div>
      ),
    },
    { header: 'State', cell: (offer) => <StatePill state={offer.state} /> },
    { header: 'Type', cell: (offer) => <span className="text-ink-2">{words(offer.offer_type)}</span> },
    {
      header: 'Commission',
      align: 'right',
      cell: (offer) => <span className="font-medium">{listedPayText(offer)}</span>,
    },
    {
      header: 'Conditions',
      wideOnly: true,
      cell: (offer) => (
        <span className="block max-w-72 truncate text-ink-2">{conditionsOf(offer).join(', ') || 'None'}</span>
      ),
    },
  ]
  return (
    <>
      <PageHeader
        title="Offers"
        lead={`${plural(current, 'offer')} ${current === 1 ? 'is' : 'are'} current. Newest first.`}
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
            options={categories.map((known) => [String(known.category_id), words(known.category)])}
            onChange={(value) => change({ category: value })}
          />
          <Choice label="State" value={state} options={STATES} onChange={(value) => change({ state: value })} />
        </FilterBar>
        <DataTable
          caption="Offers"
          columns={columns}
          rows={rows}
          keyOf={({ offer_uid }) => offer_uid}
          stale={query.isPlaceholderData}
          empty={
            query.hasNextPage ? (
              <Empty title="No match among the newest offers">Older ones have not been searched yet.</Empty>
            ) : (
              <Empty title="No offers match">Try fewer letters, or another state.</Empty>
            )
          }
          card={(offer) => (
            <>
              <Monogram name={offer.brand_name} size="large" />
              <div className="min-w-0 flex-1">
                <OfferLink offer={offer} />
                <div className="mt-0.5 truncate text-ink-3 text-xs">
                  {offer.brand_name} · {words(offer.offer_type)}
                </div>
              </div>
              <div className="text-right">
                <div className="num font-medium">{listedPayText(offer)}</div>
                <StatePill state={offer.state} />
              </div>
            </>
          )}
        />
        <More query={query} />
      </Card>
    </>
  )
}

function StatePill({ state }: { readonly state: OfferState }) {
  const [label, tone] = OFFER_STATES[state]
  return <Pill tone={tone}>{label}</Pill>
}

function OfferLink({ offer: { offer_uid, name } }: { readonly offer: Offer }) {
  return (
    <Link to="/offers/$offer" params={{ offer: offer_uid }} className="row-link block truncate font-medium">
      {name}
    </Link>
  )
}
