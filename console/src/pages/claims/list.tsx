import type { Schemas } from '../../api/client.ts'
import { ago, day, money, words } from '../../format.ts'
import { useList } from '../../lists/use-list.tsx'
import { PUBLISHER_COLUMN } from '../../publisher-filter.tsx'
import { ClaimPill } from '../../statuses.tsx'
import { Empty } from '../../ui/empty.tsx'
import { RowLink } from '../../ui/link.tsx'
import { ListPage } from '../../ui/list/list-page.tsx'
import type { Table } from '../../ui/list/table.tsx'
import { Pill } from '../../ui/pill.tsx'
import { CLAIMS } from './queries.ts'

type Claim = Schemas['OperatorClaim']

/** Describes the subject of a claim in a few words. */
export function describeSubject({ merchant, brand_name, brand_uid, kind }: Claim): string {
  return merchant ?? brand_name ?? brand_uid ?? `${words(kind)} purchase`
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
  const { filtered, list } = useList(CLAIMS)
  return (
    <ListPage
      title="Claims"
      lead="Users who are missing a reward, or got the wrong one."
      {...TABLE}
      {...list}
      empty={
        <Empty title={filtered.status === 'open' ? 'No open claims' : 'No claims'}>
          Users open claims in the portal, or publishers for them by the API; each must be decided within the
          publisher’s number of days.
        </Empty>
      }
    />
  )
}

const TABLE: Table<Claim> = {
  caption: 'Claims',
  toKey: ({ claim_id }) => claim_id,
  columns: [
    {
      header: 'About',
      phone: 'title',
      name: describeSubject,
      width: 'max-w-80',
      cell: (claim) => (
        <RowLink to="/claims/$claim" params={{ claim: claim.claim_id }}>
          {describeSubject(claim)}
        </RowLink>
      ),
    },
    { header: 'Status', phone: 'aside', cell: (claim) => <StatusPill claim={claim} /> },
    { header: 'Kind', quiet: true, cell: ({ kind }) => words(kind) },
    { header: 'Purchase', align: 'right', phone: 'amount', cell: formatAmount },
    { header: 'User', quiet: true, cell: ({ publisher_user_id }) => publisher_user_id },
    PUBLISHER_COLUMN,
    { header: 'Opened', isTime: true, cell: ({ created_at }) => ago(created_at) },
    { header: 'Decide by', isTime: true, cell: ({ deadline }) => day(deadline) },
  ],
  note: ({ publisher_user_id, deadline }) => `${publisher_user_id} · decide by ${day(deadline)}`,
}
