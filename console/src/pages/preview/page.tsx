import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { Schemas } from '../../api/client.ts'
import { useFilters } from '../../lists/use-list.tsx'
import { usePublisher } from '../../publisher.ts'
import { Card } from '../../ui/card.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Pager } from '../../ui/list/pager.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { formatReward } from '../brands/offer.ts'
import { OfferPreview } from './offer.tsx'
import { LISTED_BRANDS } from './queries.ts'

const route = getRouteApi('/guarded/publishers/$publisher/preview')

/**
 * The offers that a given user currently sees: the publisher's own list, subject to its assortment and the user's
 * activations and limits.
 */
export default function Preview() {
  const { publisher: publisherId } = route.useParams()
  const publisher = usePublisher()
  const { search, controls, turn } = useFilters(LISTED_BRANDS.filters)
  const { publisher_user_id: user } = search
  return (
    <>
      <PageHeader
        title="As users see it"
        lead={`What a user of ${publisher?.name ?? 'the publisher'} is offered right now.`}
      />
      <Card className="mb-5">
        <div className="flex flex-wrap gap-2 p-3">{controls}</div>
      </Card>
      {user === undefined ? (
        <Card>
          <Empty title="Whose offers?">Enter the publisher’s id for a user above.</Empty>
        </Card>
      ) : (
        <Listed key={user} publisherId={publisherId} search={search} onPage={turn} />
      )}
    </>
  )
}

type ListedProps = {
  readonly publisherId: string
  readonly search: Parameters<typeof LISTED_BRANDS.read>[1]
  readonly onPage: (page: number) => void
}

function Listed({ publisherId, search, onPage }: ListedProps) {
  const { data, error, isPlaceholderData } = useQuery(LISTED_BRANDS.read(publisherId, search))
  if (error !== null)
    return (
      <Card role="alert">
        <Empty title="There is nothing to show">{error.message}</Empty>
      </Card>
    )
  if (data === undefined) return <div className="skeleton h-64" />
  const shown = data.content.flatMap((brand) => brand.offers.map((offer) => ({ brand, offer })))
  if (shown.length === 0)
    return (
      <Card>
        <Empty title="Nothing is offered">
          {search.search_text === undefined
            ? 'The publisher’s assortment has no current offer for this user.'
            : 'Try fewer letters.'}
        </Empty>
      </Card>
    )
  return (
    <>
      <ul
        aria-label={`Offers for ${search.publisher_user_id}`}
        className={`grid gap-4 sm:grid-cols-2 xl:grid-cols-4 ${isPlaceholderData ? 'opacity-60' : ''}`}
      >
        {shown.map(({ brand, offer }) => (
          <li key={offer.offer_uid}>
            <OfferPreview
              brand={brand.name}
              name={offer.name}
              reward={formatReward(offer)}
              cashback={offer.reward_type.startsWith('CASHBACK')}
              description={offer.description}
              button={pickButton(offer)}
            />
          </li>
        ))}
      </ul>
      <Card className="mt-5">
        <Pager paging={data} none="No brands" counted="Brands" onPage={onPage} />
      </Card>
    </>
  )
}

function pickButton({ activation_required, activated, offer_type, tracking_url }: Schemas['Offer']): string | null {
  if (activation_required && activated !== true) return 'Activate'
  if (offer_type === 'GIFT_CARD') return 'Buy a gift card'
  if (offer_type === 'VOUCHER_CODE') return 'Show the code'
  return tracking_url === null ? null : 'Go to the shop'
}
