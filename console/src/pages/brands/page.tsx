import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { Schemas } from '../../api/client.ts'
import { plural, words } from '../../format.ts'
import { CardList } from '../../ui/card.tsx'
import { Copyable } from '../../ui/copyable.tsx'
import { FactsCard } from '../../ui/facts.tsx'
import { Crumb } from '../../ui/link.tsx'
import { DetailHeader } from '../../ui/page/detail-header.tsx'
import { Pill } from '../../ui/pill.tsx'
import { BrandPill } from './list.tsx'
import { deriveState, describeConditions, OFFER_STATES, payText } from './offer.ts'
import { catalogBrand } from './queries.ts'

type Offer = Schemas['CatalogOffer']
const route = getRouteApi('/guarded/brands/$brand')

export default function BrandPage() {
  const { brand: uid } = route.useParams()
  const { data: brand } = useSuspenseQuery(catalogBrand(uid))
  const { content } = brand
  const offers = content.offers ?? []
  return (
    <>
      <DetailHeader up={<Crumb to="/brands">Brands and offers</Crumb>} name={brand.name}>
        <BrandPill brand={brand} />
        <span>{words(brand.category)}</span>
      </DetailHeader>
      <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_340px]">
        <CardList
          title="Offers"
          aside={plural(offers.length, 'offer')}
          rows={offers}
          empty="Purchases at this brand earn nothing."
        >
          {(offer) => (
            <OfferRow
              key={offer.offer_uid ?? offer.name}
              // Retiring a brand also retires its offers.
              offer={brand.retired ? { ...offer, retired: true } : offer}
            />
          )}
        </CardList>
        <FactsCard
          facts={[
            ['Brand', <Copyable key="id" text={uid} />],
            ['Website', content.website],
            ['Description', content.description],
            ['Other names', content.aliases?.join(', ')],
            ['Domains', content.domains?.join(', ')],
            ['Merchant ids', content.merchant_ids?.join(', ')],
            ['Merchant category codes', content.mccs?.join(', ')],
            ['Countries', content.countries?.join(', ')],
            ['Terms', content.global_terms_and_conditions],
          ]}
        />
      </div>
    </>
  )
}

function OfferRow({ offer }: { readonly offer: Offer }) {
  const [label, tone] = OFFER_STATES[deriveState(offer, new Date().toISOString().slice(0, 10))]
  const { offer_uid, offer_type } = offer
  const conditions = describeConditions(offer)
  return (
    <li className="relative px-5 py-4 hover:bg-sunken/60">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h3 className="font-medium text-base">
          {offer_uid === undefined ? (
            offer.name
          ) : (
            <Link to="/offers/$offer" params={{ offer: offer_uid }} className="row-link">
              {offer.name ?? offer_uid}
            </Link>
          )}
        </h3>
        <span className="num font-semibold text-base text-brand-ink">{payText(offer)}</span>
      </div>
      {offer.description !== undefined && <p className="mt-1 text-ink-2 text-sm">{offer.description}</p>}
      <div className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1 text-ink-2 text-sm">
        <Pill tone={tone}>{label}</Pill>
        <span>{words(offer_type)}</span>
        {conditions.length > 0 && <span className="text-ink-3">{conditions.join(', ')}</span>}
        {offer_uid !== undefined && <Copyable text={offer_uid} short />}
      </div>
    </li>
  )
}
