import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { findRefusal } from '../../api/permissions.ts'
import { me } from '../../api/queries.ts'
import { dateTime, day, money, words } from '../../format.ts'
import { ClaimPill, RedemptionPill } from '../../statuses.tsx'
import { CardList } from '../../ui/card.tsx'
import { Copyable } from '../../ui/copyable.tsx'
import { Time } from '../../ui/time.tsx'
import { latestClaims, latestRedemptions } from './queries.ts'

type Who = { readonly publisher: string; readonly user: string }

/** The user's latest redemptions. */
export function Redemptions({ publisher, user }: Who) {
  const { data } = useSuspenseQuery(latestRedemptions(publisher, user))
  return (
    <CardList title="Redemptions" rows={data} empty="No redemptions.">
      {(one) => (
        <li key={one.redemption_id} className="flex flex-wrap items-center gap-x-4 gap-y-1 px-5 py-2.5">
          <span className="num w-20 font-medium">{money(one.amount, one.currency)}</span>
          <RedemptionPill status={one.status} />
          <span className="text-ink-2">{words(one.method)}</span>
          <Copyable text={one.redemption_id} short />
          <Time at={one.created_at} className="num ml-auto text-ink-3 text-xs" />
          {one.reason !== null && (
            <p className="w-full text-ink-3 text-xs">
              {words(one.reason)}
              {one.reason_text !== null && `: ${one.reason_text}`}
            </p>
          )}
        </li>
      )}
    </CardList>
  )
}

/** The user's latest claims. The operating company decides each one on the claim's page. */
export function Claims({ publisher, user }: Who) {
  const { data } = useSuspenseQuery(latestClaims(publisher, user))
  const { data: person } = useSuspenseQuery(me)
  const mayOpen = findRefusal(person, 'claims:read') === null
  return (
    <CardList title="Claims" rows={data} empty="No claims.">
      {(claim) => {
        const subject = claim.merchant ?? `${words(claim.kind)} purchase`
        return (
          <li key={claim.claim_id} className="relative flex flex-wrap items-center gap-x-4 gap-y-1 px-5 py-2.5">
            {mayOpen ? (
              <Link
                to="/claims/$claim"
                params={{ claim: claim.claim_id }}
                className="row-link min-w-0 truncate font-medium"
              >
                {subject}
              </Link>
            ) : (
              <span className="min-w-0 truncate font-medium">{subject}</span>
            )}
            <ClaimPill status={claim.status} />
            <span className="text-ink-2">{words(claim.kind)}</span>
            {claim.amount !== null && claim.currency !== null && (
              <span className="num text-ink-2">{money(claim.amount, claim.currency)}</span>
            )}
            <span className="num ml-auto text-ink-3 text-xs">
              {claim.status === 'open' ? `decide by ${day(claim.deadline)}` : dateTime(claim.updated_at)}
            </span>
          </li>
        )
      }}
    </CardList>
  )
}
