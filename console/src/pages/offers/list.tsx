import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { catalogCategories, catalogOffers } from '../../api/catalog-queries.ts'
import type { Schemas } from '../../api/client.ts'
import { plural, words } from '../../format.ts'
import { Empty } from '../../ui/empty.tsx'
import { Choice, SearchBox } from '../../ui/list/filters.tsx'
import { ListPage } from '../../ui/list/list-page.tsx'
import { SelectFilter } from '../../ui/list/select-filter.tsx'
import { NamedCell, RowCard, type Table } from '../../ui/list/table.tsx'
import { useFilters, useParts } from '../../ui/list/use-list.ts'
import { Pill } from '../../ui/pill.tsx'
import { describeConditions, formatListedCommission, OFFER_STATES, type OfferState } from '../brands/offer.ts'

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
  const { search, change } = useFilters(route)
  const { text = '', state, type, category } = search
  const list = useParts(catalogOffers(search))
  const { data: categories } = useSuspenseQuery(catalogCategories)
  const current = categories.reduce((sum, { live_offers }) => sum + live_offers, 0)
  return (
    <ListPage
      title="Offers"
      lead={`${plural(current, 'offer')} ${current === 1 ? 'is' : 'are'} current. Newest first.`}
      filters={
        <>
          <SearchBox label="Offer or brand" value={text} onChange={(text) => change({ text })} />
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
            onChange={(category) => change({ category })}
          />
          <Choice label="State" value={state} options={STATES} onChange={(state) => change({ state })} />
        </>
      }
      {...OFFERS}
      {...list}
      empty={
        list.more.hasNextPage ? (
          <Empty title="No match among the newest offers">Older ones have not been searched yet.</Empty>
        ) : (
          <Empty title="No offers match">Try fewer letters, or another state.</Empty>
        )
      }
    />
  )
}

const OFFERS: Table<Offer> = {
  caption: 'Offers',
  toKey: ({ offer_uid }) => offer_uid,
  columns: [
    {
      header: 'Offer',
      cell: (offer) => (
        <NamedCell name={offer.brand_name} className="max-w-80 py-1.5">
          <div className="min-w-0">
            <OfferLink offer={offer} />
            <div className="truncate text-ink-3 text-xs">{offer.brand_name}</div>
          </div>
        </NamedCell>
      ),
    },
    { header: 'State', cell: ({ state }) => <StatePill state={state} /> },
    { header: 'Type', quiet: true, cell: ({ offer_type }) => words(offer_type) },
    {
      header: 'Commission',
      align: 'right',
      cell: (offer) => <span className="font-medium">{formatListedCommission(offer)}</span>,
    },
    {
      header: 'Conditions',
      wideOnly: true,
      cell: (offer) => (
        <span className="block max-w-72 truncate text-ink-2">{describeConditions(offer).join(', ') || 'None'}</span>
      ),
    },
  ],
  card: (offer) => (
    <RowCard
      name={offer.brand_name}
      title={<OfferLink offer={offer} />}
      note={`${offer.brand_name} · ${words(offer.offer_type)}`}
      amount={formatListedCommission(offer)}
    >
      <StatePill state={offer.state} />
    </RowCard>
  ),
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
