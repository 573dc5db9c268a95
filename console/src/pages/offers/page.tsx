import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Schemas } from '../../api/client.ts'
import { useRefusal } from '../../api/permissions.ts'
import { count, money, plural, words } from '../../format.ts'
import { Card, CardTitle } from '../../ui/card.tsx'
import { Copyable } from '../../ui/copyable.tsx'
import { FactsCard } from '../../ui/facts.tsx'
import { Crumb } from '../../ui/link.tsx'
import { type Column, DataTable } from '../../ui/list/table.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { Pill } from '../../ui/pill.tsx'
import { Scroll } from '../../ui/scroll.tsx'
import { describeConditions, formatCommission, formatReward, OFFER_STATES } from '../brands/offer.ts'
import { OfferPreview } from '../preview/offer.tsx'
import { catalogOffer, voucherPools } from './queries.ts'
import { Versions } from './versions.tsx'

type Offer = Schemas['CatalogOffer']
const route = getRouteApi('/guarded/offers/$offer')

/** One offer: what advertisers pay, what users get, its limits and its appearance. */
export default function OfferPage() {
  const { offer: uid } = route.useParams()
  const { data } = useSuspenseQuery(catalogOffer(uid))
  const { brand_uid, brand_name, content: offer } = data
  const { currency = 'USD', commission_groups: groups = [], store_addresses: stores = [], budgets = [] } = offer
  const [label, tone] = OFFER_STATES[data.state]
  return (
    <>
      <PageHeader
        title={data.name}
        lead={describeConditions(offer).join(', ')}
        crumbs={
          <>
            <Crumb to="/offers">Offers</Crumb> <span aria-hidden="true">/</span>{' '}
            <Crumb to="/brands/$brand" params={{ brand: brand_uid }}>
              {brand_name}
            </Crumb>
          </>
        }
        actions={<Pill tone={tone}>{label}</Pill>}
      />
      <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_340px]">
        <div className="min-w-0 space-y-5">
          <Commissions offer={offer} groups={groups} currency={currency} />
          <Limits offer={offer} budgets={budgets} currency={currency} />
          {(offer.unique_codes || offer.offer_type === 'VOUCHER_CODE') && <Pools offerUid={uid} />}
          {stores.length > 0 && <Stores stores={stores} />}
          <Versions offerUid={uid} />
        </div>
        <div className="space-y-5">
          <section aria-label="As users see it">
            <h2 className="mb-2 text-ink-2 text-sm">As users see it</h2>
            <OfferPreview
              brand={brand_name}
              name={data.name}
              reward={formatReward(offer)}
              cashback={offer.reward_type.startsWith('CASHBACK')}
              description={offer.description}
              button={
                offer.activation_required ? 'Activate' : offer.tracking_url === undefined ? null : 'Go to the shop'
              }
            />
          </section>
          <Details uid={uid} offer={offer} currency={currency} />
        </div>
      </div>
    </>
  )
}

type DetailsProps = { readonly uid: string; readonly offer: Offer; readonly currency: string }

function Details({ uid, offer, currency }: DetailsProps) {
  return (
    <FactsCard
      facts={[
        ['Offer', <Copyable key="id" text={uid} />],
        ['Type', words(offer.offer_type)],
        ['Network', offer.network],
        ['Where', offer.location === undefined ? undefined : words(offer.location)],
        ['Channels', offer.channels?.map(words).join(', ')],
        ['Days', offer.days_of_week?.map(words).join(', ')],
        ['Hours', offer.hours === undefined ? undefined : JSON.stringify(offer.hours)],
        ['Refund period', offer.refund_period_days === undefined ? undefined : plural(offer.refund_period_days, 'day')],
        ['Denominations', offer.denominations?.map((value) => money(value, currency)).join(', ')],
        ['Terms', offer.terms_and_conditions],
      ]}
    />
  )
}

type Group = Schemas['CommissionGroup']
type CommissionsProps = { readonly offer: Offer; readonly groups: readonly Group[]; readonly currency: string }

/**
 * Lists the commission of each group. A purchase pays the commission of the group it falls into; without groups, there
 * is only one commission.
 */
function Commissions({ offer: { commission }, groups, currency }: CommissionsProps) {
  const conditions = ({ customer, product_groups, skus, min_amount, max_amount }: Group): string =>
    [
      customer !== undefined && `${words(customer)} customers`,
      product_groups !== undefined && `product groups ${product_groups.join(', ')}`,
      skus !== undefined && `products ${skus.join(', ')}`,
      min_amount !== undefined && `from ${money(min_amount, currency)}`,
      max_amount !== undefined && `up to ${money(max_amount, currency)}`,
    ]
      .filter(Boolean)
      .join(', ') || 'All purchases'
  const columns: Column<Group>[] = [
    { header: 'Group', phone: 'title', cell: ({ name }) => name },
    { header: 'For', quiet: true, cell: conditions },
    { header: 'Commission', align: 'right', phone: 'amount', cell: (group) => formatCommission(group, currency) },
  ]
  return (
    <Card>
      <CardTitle aside={commission === undefined ? undefined : formatCommission(commission, currency)}>
        Commission
      </CardTitle>
      {groups.length === 0 ? (
        <p className="px-5 pt-1 pb-5 text-ink-2 text-sm">
          {commission === undefined
            ? 'The advertiser pays nothing through the service.'
            : 'The same for every qualifying purchase.'}
        </p>
      ) : (
        <div className="pt-2">
          <DataTable
            caption="Commission groups"
            columns={columns}
            rows={groups}
            toKey={({ name }) => name}
            empty={null}
            note={conditions}
          />
        </div>
      )}
    </Card>
  )
}

type LimitsProps = {
  readonly offer: Offer
  readonly budgets: readonly Schemas['Budget'][]
  readonly currency: string
}

function Limits({ offer: { user_limits = [] }, budgets, currency }: LimitsProps) {
  const rows: readonly (readonly [string, ReactNode])[] = [
    ...budgets.map(
      ({ period, amount }) => [`Budget, ${words(period).toLowerCase()}`, money(amount, currency)] as const,
    ),
    ...user_limits.map(
      ({ period, uses, reward }) =>
        [
          `A user, ${words(period).toLowerCase()}`,
          [uses !== undefined && plural(uses, 'purchase'), reward !== undefined && money(reward, currency)]
            .filter(Boolean)
            .join(', '),
        ] as const,
    ),
  ]
  return (
    <Card>
      <CardTitle>Budgets and limits</CardTitle>
      {rows.length === 0 ? (
        <p className="px-5 pt-1 pb-5 text-ink-2 text-sm">No budgets or limits.</p>
      ) : (
        <dl className="num mt-2 divide-y divide-line">
          {rows.map(([name, value]) => (
            <div key={name} className="flex justify-between gap-4 px-5 py-2.5 text-sm">
              <dt className="text-ink-2">{name}</dt>
              <dd className="font-medium">{value}</dd>
            </div>
          ))}
        </dl>
      )}
    </Card>
  )
}

const CODE_STATES = ['free', 'assigned', 'reported', 'redeemed', 'returned', 'expired'] as const

function Pools({ offerUid }: { readonly offerUid: string }) {
  const refusal = useRefusal()('vouchers:read')
  const { data } = useQuery({ ...voucherPools(offerUid), enabled: refusal === null })
  return (
    <Card>
      <CardTitle>Voucher codes</CardTitle>
      {data === undefined ? (
        <p className="px-5 pt-1 pb-5 text-ink-2 text-sm">{refusal ?? 'Counting…'}</p>
      ) : (
        <Scroll label="Voucher codes" className="pt-2">
          <table className="num w-full text-sm">
            <caption className="sr-only">Voucher codes by state</caption>
            <thead>
              <tr className="border-line border-b">
                <th scope="col" className="h-9 pl-5 text-left font-normal text-ink-3 text-xs">
                  Environment
                </th>
                {CODE_STATES.map((state) => (
                  <th key={state} scope="col" className="px-3 text-right font-normal text-ink-3 text-xs last:pr-5">
                    {words(state)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {data.pools.map((pool) => (
                <tr key={pool.environment} className="border-line border-b last:border-0">
                  <th scope="row" className="h-10 pl-5 text-left font-medium">
                    {words(pool.environment)}
                  </th>
                  {CODE_STATES.map((state) => (
                    <td key={state} className="px-3 text-right last:pr-5">
                      {count(pool[state])}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
    </Card>
  )
}

const STORES_SHOWN = 20

function Stores({ stores }: { readonly stores: readonly Schemas['CatalogStore'][] }) {
  return (
    <Card>
      <CardTitle aside={plural(stores.length, 'store')}>Stores</CardTitle>
      <ul className="mt-2 divide-y divide-line">
        {stores.slice(0, STORES_SHOWN).map((store) => (
          <li key={`${store.store_number} ${store.location_name} ${store.street_address1}`} className="px-5 py-2.5">
            <div className="text-sm">{store.location_name ?? store.store_number}</div>
            <div className="text-ink-3 text-xs">
              {store.complete_address ??
                [store.street_address1, store.city, store.state, store.zip_code].filter(Boolean).join(', ')}
            </div>
          </li>
        ))}
      </ul>
      {stores.length > STORES_SHOWN && (
        <p className="border-line border-t px-5 py-2.5 text-ink-2 text-sm">
          and {count(stores.length - STORES_SHOWN)} more on the map
        </p>
      )}
    </Card>
  )
}
