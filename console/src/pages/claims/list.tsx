import { getRouteApi, Link } from '@tanstack/react-router'
import type { Schemas } from '../../api/client.ts'
import { claims } from '../../api/queries.ts'
import { ago, day, money, words } from '../../format.ts'
import { PUBLISHER_COLUMN } from '../../publisher-filter.tsx'
import { ClaimPill } from '../../statuses.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Choice } from '../../ui/list/filters.tsx'
import { ListPage } from '../../ui/list/list-page.tsx'
import { NamedCell, RowCard, type Table } from '../../ui/list/table.tsx'
import { useFilters, useParts } from '../../ui/list/use-list.ts'
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
export function describeSubject({ merchant, brand_name, brand_uid, kind }: Claim): string {
  return merchant ?? brand_name ?? brand_uid ?? `${words(kind)} purchase`
}

function ClaimLink({ claim }: { readonly claim: Claim }) {
  return (
    <Link to="/claims/$claim" params={{ claim: claim.claim_id }} className="row-link block truncate font-medium">
      {describeSubject(claim)}
    </Link>
  )
}

/** An open claim with an adjustment is waiting for a second person, not for a decision. */
function StatusPill({ claim: { status, adjustment_id } }: { readonly claim: Claim }) {
  if (status === 'open' && adjustment_id !== null) return <Pill tone="waiting">Grant proposed</Pill>
  return <ClaimPill status={status} />
}

function formatAmount({ amount, currency }: Claim): string {
  return amount === null || currency === null ? '–' : money(amount, currency)
}

export default function Claims() {
  const { search, change } = useFilters(route)
  const { status = 'open' } = search
  return (
    <ListPage
      title="Claims"
      lead="Users who are missing a reward, or got the wrong one."
      filters={
        <Choice
          label="Status"
          value={status}
          options={STATUSES}
          onChange={(value) => change({ status: value === 'open' ? undefined : value })}
        />
      }
      {...CLAIMS}
      {...useParts(claims(status))}
      empty={
        <Empty title={status === 'open' ? 'No open claims' : 'No claims'}>
          Users open claims in the portal, or publishers for them by the API; each must be decided within the
          publisher’s number of days.
        </Empty>
      }
    />
  )
}

const CLAIMS: Table<Claim> = {
  caption: 'Claims',
  toKey: ({ claim_id }) => claim_id,
  columns: [
    {
      header: 'About',
      cell: (claim) => (
        <NamedCell name={describeSubject(claim)} className="max-w-80">
          <ClaimLink claim={claim} />
        </NamedCell>
      ),
    },
    { header: 'Status', cell: (claim) => <StatusPill claim={claim} /> },
    { header: 'Kind', quiet: true, cell: ({ kind }) => words(kind) },
    { header: 'Purchase', align: 'right', cell: formatAmount },
    { header: 'User', quiet: true, cell: ({ publisher_user_id }) => publisher_user_id },
    PUBLISHER_COLUMN,
    {
      header: 'Opened',
      cell: ({ created_at }) => <span className="whitespace-nowrap text-ink-2">{ago(created_at)}</span>,
    },
    {
      header: 'Decide by',
      cell: ({ deadline }) => <span className="num whitespace-nowrap text-ink-2">{day(deadline)}</span>,
    },
  ],
  card: (claim) => (
    <RowCard
      name={describeSubject(claim)}
      title={<ClaimLink claim={claim} />}
      note={`${claim.publisher_user_id} · decide by ${day(claim.deadline)}`}
      amount={formatAmount(claim)}
    >
      <StatusPill claim={claim} />
    </RowCard>
  ),
}
