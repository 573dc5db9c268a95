import { useSuspenseQuery } from '@tanstack/react-query'
import type { Schemas } from '../../api/client.ts'
import { catalogCategories } from '../../api/queries.ts'
import { plural, words } from '../../format.ts'
import { useList } from '../../lists/use-list.tsx'
import { Empty } from '../../ui/empty.tsx'
import { RowLink } from '../../ui/link.tsx'
import { ListPage } from '../../ui/list/list-page.tsx'
import type { Table } from '../../ui/list/table.tsx'
import { Pill } from '../../ui/pill.tsx'
import { describeConditions, formatListedCommission, OFFER_STATES, type OfferState } from '../brands/offer.ts'
import { OFFERS } from './queries.ts'

type Offer = Schemas['OfferOfCatalog']

export default function Offers() {
  const { list } = useList(OFFERS)
  const { data: categories } = useSuspenseQuery(catalogCategories)
  const current = categories.reduce((sum, { live_offers }) => sum + live_offers, 0)
  return (
    <ListPage
      title="Offers"
      lead={`${plural(current, 'offer')} ${current === 1 ? 'is' : 'are'} current. Newest first.`}
      {...TABLE}
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

const TABLE: Table<Offer> = {
  caption: 'Offers',
  toKey: ({ offer_uid }) => offer_uid,
  columns: [
    {
      header: 'Offer',
      phone: 'title',
      name: ({ brand_name }) => brand_name,
      width: 'max-w-80',
      cell: ({ offer_uid, name }) => (
        <RowLink to="/offers/$offer" params={{ offer: offer_uid }}>
          {name}
        </RowLink>
      ),
      below: ({ brand_name }) => brand_name,
    },
    { header: 'State', phone: 'aside', cell: ({ state }) => <StatePill state={state} /> },
    { header: 'Type', quiet: true, cell: ({ offer_type }) => words(offer_type) },
    {
      header: 'Commission',
      align: 'right',
      phone: 'amount',
      cell: (offer) => <span className="font-medium">{formatListedCommission(offer)}</span>,
    },
    {
      header: 'Conditions',
      wideOnly: true,
      quiet: true,
      width: 'max-w-72',
      cell: (offer) => describeConditions(offer).join(', ') || 'None',
    },
  ],
  note: ({ brand_name, offer_type }) => `${brand_name} · ${words(offer_type)}`,
}

function StatePill({ state }: { readonly state: OfferState }) {
  const [label, tone] = OFFER_STATES[state]
  return <Pill tone={tone}>{label}</Pill>
}
