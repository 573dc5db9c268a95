import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { post, type Schemas } from '../../api/client.ts'
import { day, money } from '../../format.ts'
import { getName } from '../transactions/table.tsx'
import { refundCandidates } from './queries.ts'
import { ReasonDialog } from './reason-dialog.tsx'

type Props = { readonly refund: Schemas['UnmatchedRefund']; readonly onClose: () => void }

/** Assigns a refund to one of the purchases it might belong to. */
export function AssignDialog({ refund, onClose }: Props) {
  const { data: purchases, error } = useQuery(refundCandidates(refund.refund_id))
  const [purchase, setPurchase] = useState('')
  return (
    <ReasonDialog
      title="Assign the refund"
      lead={`The purchase is reduced by ${money(refund.amount, refund.currency)}, and its reward is reduced accordingly.`}
      confirm="Assign"
      done="Refund assigned"
      list="/operator/refunds"
      refusal={purchase === '' ? 'Choose the purchase.' : null}
      act={(reason) =>
        post('/operator/refunds/{refund_id}/assign', {
          path: { refund_id: refund.refund_id },
          body: { transaction_uid: purchase, reason },
        })
      }
      onClose={onClose}
    >
      <fieldset className="min-w-0">
        <legend className="mb-1.5 font-medium text-sm">Purchase</legend>
        {purchases === undefined && error === null && <div className="skeleton h-11" />}
        {purchases?.length === 0 && (
          <p className="text-ink-2 text-sm">
            None of the user’s purchases has this much left to refund. Dismiss the refund unless it belongs to one that
            earned a reward.
          </p>
        )}
        <div className="max-h-60 divide-y divide-line overflow-y-auto rounded-md ring-1 ring-line empty:hidden">
          {purchases?.map((one) => (
            <label
              key={one.transaction_uid}
              className="flex min-h-11 items-center gap-3 px-3 text-sm hover:bg-sunken/60"
            >
              <input
                type="radio"
                name="transaction_uid"
                checked={purchase === one.transaction_uid}
                onChange={() => setPurchase(one.transaction_uid)}
                className="size-4 shrink-0 accent-brand"
              />
              <span className="min-w-0 flex-1 truncate">{getName(one)}</span>
              <span className="num text-ink-3 text-xs">{day(one.transaction_date_time)}</span>
              <span className="num font-medium">{money(one.amount, one.currency)}</span>
            </label>
          ))}
        </div>
        {error !== null && (
          <p role="alert" className="mt-1.5 text-bad text-sm">
            {error.message}
          </p>
        )}
      </fieldset>
    </ReasonDialog>
  )
}
