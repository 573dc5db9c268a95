import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { Schemas } from '../../api/client.ts'
import { claims, publishers } from '../../api/queries.ts'
import { ago, day, money, words } from '../../format.ts'
import { ClaimPill } from '../../statuses.tsx'
import { Card } from '../../ui/card.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Choice, FilterBar } from '../../ui/list/filters.tsx'
import { type Column, DataTable } from '../../ui/list/table.tsx'
import { Monogram } from '../../ui/monogram.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { Pill } from '../../ui/pill.tsx'

type Claim = Schemas['OperatorClaim']

const route = getRouteApi('/guarded/claims')
const STATUSES = [
  ['open', 'Open'],
  ['granted', 'Granted'],
  ['declined', 'Declined'],
  ['withdrawn', 'Withdrawn'],
] as const

/** Describes the subject of a claim in a few words. */
export function subjectOf({ merchant, brand_name, brand_uid, kind }: Claim): string {
  return merchant ?? brand_name ?? brand_uid ?? `${words(kind)} purchase`
}

function ClaimLink({ claim }: { readonly claim: Claim }) {
  return (
    <Link to="/claims/$claim" params={{ claim: claim.claim_id }} className="row-link block truncate font-medium">
      {subjectOf(claim)}
    </Link>
  )
}

/** An open claim with an adjustment is waiting for a second person, not for a decision. */
function StatusPill({ claim: { status, adjustment_id } }: { readonly claim: Claim }) {
  if (status === 'open' && adjustment_id !== null) return <Pill tone="waiting">Grant proposed</Pill>
  return <ClaimPill status={status} />
}

function amountOf({ amount, currency }: Claim): string {
  return amount === null || currency === null ? '–' : money(amount, currency)
}

export default function Claims() {
  const { status = 'open' } = route.useSearch()
  const navigate = route.useNavigate()
  const { data, isFetching } = useSuspenseQuery(claims(status))
  const { data: known } = useSuspenseQuery(publishers)
  const publisherOf = (claim: Claim) => known.find(({ publisher_id }) => publisher_id === claim.publisher_id)?.name
  const columns: Column<Claim>[] = [
    {
      header: 'About',
      cell: (claim) => (
        <div className="flex max-w-80 items-center gap-2.5">
          <Monogram name={subjectOf(claim)} />
          <ClaimLink claim={claim} />
        </div>
      ),
    },
    { header: 'Status', cell: (claim) => <StatusPill claim={claim} /> },
    { header: 'Kind', cell: ({ kind }) => <span className="text-ink-2">{words(kind)}</span> },
    { header: 'Purchase', align: 'right', cell: amountOf },
    { header: 'User', cell: (claim) => <span className="text-ink-2">{claim.publisher_user_id}</span> },
    { header: 'Publisher', wideOnly: true, cell: (claim) => <span className="text-ink-2">{publisherOf(claim)}</span> },
    {
      header: 'Opened',
      cell: ({ created_at }) => <span className="whitespace-nowrap text-ink-2">{ago(created_at)}</span>,
    },
    {
      header: 'Decide by',
      cell: ({ deadline }) => <span className="num whitespace-nowrap text-ink-2">{day(deadline)}</span>,
    },
  ]
  return (
    <>
      <PageHeader title="Claims" lead="Users who are missing a reward, or got the wrong one." />
      <Card>
        <FilterBar>
          <Choice
            label="Status"
            value={status}
            options={STATUSES}
            onChange={(value) => navigate({ search: value === undefined || value === 'open' ? {} : { status: value } })}
          />
        </FilterBar>
        <DataTable
          caption="Claims"
          columns={columns}
          rows={data}
          keyOf={({ claim_id }) => claim_id}
          stale={isFetching && data.length > 0 && data[0]?.status !== status}
          empty={
            <Empty title={status === 'open' ? 'No open claims' : 'No claims'}>
              Users open claims in the portal, or publishers for them by the API; each must be decided within the
              publisher’s number of days.
            </Empty>
          }
          card={(claim) => (
            <>
              <Monogram name={subjectOf(claim)} size="large" />
              <div className="min-w-0 flex-1">
                <ClaimLink claim={claim} />
                <div className="mt-0.5 truncate text-ink-3 text-xs">
                  {claim.publisher_user_id} · decide by {day(claim.deadline)}
                </div>
              </div>
              <div className="text-right">
                <div className="num font-medium">{amountOf(claim)}</div>
                <StatusPill claim={claim} />
              </div>
            </>
          )}
        />
      </Card>
    </>
  )
}
