import { useSuspenseQuery } from '@tanstack/react-query'
import { post, type Schemas } from '../../api/client.ts'
import { useRefusal } from '../../api/permissions.ts'
import { me } from '../../api/queries.ts'
import { useChange } from '../../api/use-change.ts'
import { money, words } from '../../format.ts'
import { AdjustmentPill } from '../../statuses.tsx'
import { Button } from '../../ui/button.tsx'
import { CardList } from '../../ui/card.tsx'
import { Time } from '../../ui/time.tsx'
import { adjustments } from './queries.ts'

type Adjustment = Schemas['OperatorAdjustment']
type Who = { readonly publisher: string; readonly user: string }

/** Manual adjustments, with buttons to decide those waiting for a second person. */
export function Adjustments({ publisher, user }: Who) {
  const { data } = useSuspenseQuery(adjustments(publisher, user))
  return (
    <CardList title="Manual adjustments" rows={data} empty="No adjustments.">
      {(one) => (
        <li key={one.adjustment_id} className="flex flex-wrap items-center gap-x-4 gap-y-2 px-5 py-3">
          <span className="num w-20 font-medium">{money(one.amount, one.currency)}</span>
          <AdjustmentPill status={one.status} />
          <span className="text-ink-2">{words(one.kind)}</span>
          <Time at={one.created_at} className="num ml-auto text-ink-3 text-xs" />
          <p className="w-full break-words text-ink-2">{one.reason}</p>
          {one.status === 'proposed' && <Decision adjustment={one} />}
        </li>
      )}
    </CardList>
  )
}

function Decision({ adjustment }: { readonly adjustment: Adjustment }) {
  const { data: person } = useSuspenseQuery(me)
  const mayDecide = useRefusal()('adjustments:decide')
  const refusal =
    mayDecide ??
    (adjustment.proposed_by === person.account_id ? 'You proposed it; another person must decide it.' : null)
  const params = { path: { adjustment_id: adjustment.adjustment_id } }
  const decide = useChange({
    act: (verdict: 'book' | 'decline') =>
      verdict === 'book'
        ? post('/operator/adjustments/{adjustment_id}/book', params)
        : post('/operator/adjustments/{adjustment_id}/decline', params),
    done: ({ status }) => (status === 'booked' ? 'Adjustment booked' : 'Adjustment declined'),
    reload: ['/users', '/operator/adjustments'],
    isForm: false,
  })
  return (
    <div className="flex w-full gap-2">
      <Button tone="primary" busy={decide.isPending} refusal={refusal} onClick={() => decide.mutate('book')}>
        Book it
      </Button>
      <Button tone="danger" busy={decide.isPending} refusal={refusal} onClick={() => decide.mutate('decline')}>
        Decline it
      </Button>
    </div>
  )
}
