import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { Schemas } from '../../api/client.ts'
import { catalog } from '../../api/queries.ts'
import { day, money, plural, words } from '../../format.ts'
import { Card, CardTitle } from '../../ui/card.tsx'
import { Copyable } from '../../ui/copyable.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Monogram } from '../../ui/monogram.tsx'
import { Pill, type Tone } from '../../ui/pill.tsx'
import { BrandPill, categoryOf } from './list.tsx'

type Offer = Schemas['CatalogOffer']
const route = getRouteApi('/guarded/brands/$brand')

export default function BrandPage() {
  const { brand: uid } = route.useParams()
  const { data } = useSuspenseQuery(catalog)
  const brand = data.brands.find(({ brand_uid }) => brand_uid === uid)
  if (brand === undefined)
    return (
      <Card>
        <Empty title="There is no such brand">It may have been removed from the catalog.</Empty>
      </Card>
    )
  const offers = brand.offers ?? []
  return (
    <>
      <nav aria-label="Breadcrumb" className="mb-4 text-ink-3 text-sm">
        <Link to="/brands" className="hover:text-ink hover:underline">
          Brands and offers
        </Link>{' '}
        <span aria-hidden="true">/</span> {brand.name}
      </nav>
      <header className="mb-6 flex items-center gap-4">
        <Monogram name={brand.name} size="large" />
        <div className="min-w-0">
          <h1 className="break-words font-semibold text-2xl tracking-[-0.02em]">{brand.name}</h1>
          <div className="mt-1 flex flex-wrap items-center gap-2 text-ink-2 text-sm">
            <BrandPill brand={brand} />
            <span>{categoryOf(data, brand)}</span>
          </div>
        </div>
      </header>
      <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_340px]">
        <Card>
          <CardTitle aside={plural(offers.length, 'offer')}>Offers</CardTitle>
          {offers.length === 0 ? (
            <p className="px-5 pt-1 pb-5 text-ink-2 text-sm">Purchases at this brand earn nothing.</p>
          ) : (
            <ul className="mt-3 divide-y divide-line border-line border-t">
              {offers.map((offer) => (
                <OfferRow key={offer.offer_uid ?? offer.name} offer={offer} />
              ))}
            </ul>
          )}
        </Card>
        <Card className="p-5">
          <h2 className="mb-3 font-medium text-base">Facts</h2>
          <Facts
            facts={[
              ['Brand', <Copyable key="id" text={uid} />],
              ['Website', brand.website],
              ['Description', brand.description],
              ['Other names', brand.aliases?.join(', ')],
              ['Domains', brand.domains?.join(', ')],
              ['Merchant ids', brand.merchant_ids?.join(', ')],
              ['Merchant category codes', brand.mccs?.join(', ')],
              ['Countries', brand.countries?.join(', ')],
              ['Terms', brand.global_terms_and_conditions],
            ]}
          />
        </Card>
      </div>
    </>
  )
}

/** What a day is to the offer. Dates are inclusive. */
function stateOf({ retired, start_date, end_date }: Offer, today: string): readonly [label: string, tone: Tone] {
  if (retired) return ['Retired', 'neutral']
  if (start_date !== undefined && start_date > today) return ['Not started', 'info']
  if (end_date !== undefined && end_date < today) return ['Ended', 'neutral']
  return ['Current', 'good']
}

function OfferRow({ offer }: { readonly offer: Offer }) {
  const [label, tone] = stateOf(offer, new Date().toISOString().slice(0, 10))
  const { offer_uid, offer_type, start_date, end_date, min_spend, max_spend, currency = 'USD' } = offer
  const dates = [
    start_date !== undefined && `from ${day(start_date)}`,
    end_date !== undefined && `until ${day(end_date)}`,
    min_spend !== undefined && `from ${money(min_spend, currency)}`,
    max_spend !== undefined && `up to ${money(max_spend, currency)}`,
    offer.one_time_use && 'once per user',
    offer.new_customer_only && 'new customers',
    offer.activation_required && 'must be activated',
  ].filter(Boolean)
  return (
    <li className="px-5 py-4">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h3 className="font-medium">{offer.name}</h3>
        <span className="num font-semibold text-brand-ink">{rewardText(offer)}</span>
      </div>
      {offer.description !== undefined && <p className="mt-1 text-ink-2 text-sm">{offer.description}</p>}
      <div className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1 text-ink-2 text-sm">
        <Pill tone={tone}>{label}</Pill>
        {offer_type !== undefined && <span>{words(offer_type)}</span>}
        {dates.length > 0 && <span className="text-ink-3">{dates.join(', ')}</span>}
        {offer_uid !== undefined && <Copyable text={offer_uid} short />}
      </div>
    </li>
  )
}

function rewardText({ reward_type, customer_offer, max_customer_offer, currency = 'USD' }: Offer): string {
  const value = customer_offer ?? max_customer_offer
  if (value === undefined) return ''
  const upTo = customer_offer === undefined ? 'up to ' : ''
  return upTo + (reward_type?.endsWith('DOLLAR') ? money(value, currency) : `${value} %`)
}
