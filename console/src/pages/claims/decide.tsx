import type { ComponentProps } from 'react'
import { post, type Schemas } from '../../api/client.ts'
import { desk } from '../../api/queries.ts'
import { ChangeDialog } from '../../change-dialog.tsx'
import { money, roundMoney, words } from '../../format.ts'
import { SelectField, TextArea, TextField } from '../../ui/form/field.tsx'
import { useFields } from '../../ui/form/use-fields.ts'

type Detail = Schemas['OperatorClaimDetail']
type Props = { readonly detail: Detail; readonly onClose: () => void }

type Claim = Schemas['OperatorClaim']

type DialogProps = Omit<ComponentProps<typeof ChangeDialog<Claim>>, 'done' | 'reload'>

function DecisionDialog(dialog: DialogProps) {
  return (
    <ChangeDialog
      {...dialog}
      // A grant above the publisher's limit leaves the claim open until a second person books it.
      done={({ status }) =>
        status === 'open' ? ['Grant proposed', 'Another person in finance must book it.'] : `Claim ${status}`
      }
      reload={['/operator/claims', '/operator/adjustments', desk]}
    />
  )
}

const REASONS: readonly Schemas['ClaimDeclineReason'][] = [
  'no_purchase_found',
  'terms_not_met',
  'already_rewarded',
  'outside_period',
  'not_our_brand',
  'insufficient_evidence',
  'other',
]

export function DeclineDialog({ detail, onClose }: Props) {
  const { values, field } = useFields({ reason: 'no_purchase_found' as Schemas['ClaimDeclineReason'], text: '' })
  return (
    <DecisionDialog
      onClose={onClose}
      title="Decline the claim"
      lead="The user gets nothing, and the publisher sees why. This cannot be undone."
      confirm="Decline"
      danger
      act={() => post('/operator/claims/{claim_id}/decline', { path: { claim_id: detail.claim_id }, body: values })}
    >
      <SelectField {...field('reason')} label="Reason" options={REASONS.map((value) => [value, words(value)])} />
      <TextArea {...field('text')} label="In words" help="The user may see this." />
    </DecisionDialog>
  )
}

/** Returns the reward that the claimed purchase should have earned but did not; null if it is unknown or zero. */
function computeMissing({ would_earn, transaction }: Detail): Detail['would_earn'] {
  if (would_earn === null) return null
  const { currency } = would_earn
  if (transaction !== null && transaction.currency !== currency) return null
  const earned = transaction === null ? 0 : transaction.user_cashback + transaction.user_discount
  const amount = roundMoney(would_earn.amount - earned, currency)
  return amount > 0 ? { ...would_earn, amount } : null
}

const PAYERS = [
  ['service', 'The operating company'],
  ['publisher', 'The publisher'],
] as const

/**
 * Grants a claim with an adjustment. If the purchase was never reported, it is instead granted through the API, as a
 * source event.
 */
export function GrantDialog({ detail, onClose }: Props) {
  const missing = computeMissing(detail)
  const currency = missing?.currency ?? detail.currency ?? detail.transaction?.currency ?? 'USD'
  const { values, field } = useFields({
    'adjustment.amount': missing === null ? '' : String(missing.amount),
    'adjustment.reason': '',
    'adjustment.paid_by': 'service' as Schemas['AdjustmentPayer'],
  })
  const { 'adjustment.amount': amount, 'adjustment.reason': reason, 'adjustment.paid_by': paid_by } = values
  const value = Number(amount)
  const stated = amount !== '' && value > 0 ? money(value, currency) : 'the amount'
  return (
    <DecisionDialog
      onClose={onClose}
      title="Grant the claim"
      lead={`${detail.publisher_user_id} gets ${stated}. Up to the publisher’s limit it can be redeemed right away; above it, another person in finance books it first.`}
      confirm="Grant"
      refusal={value > 0 ? (reason.trim() === '' ? 'Give a reason first.' : null) : 'Enter the amount first.'}
      act={() => {
        const adjustment = { kind: 'goodwill' as const, amount: value, currency, paid_by, reason }
        return post('/operator/claims/{claim_id}/grant', {
          path: { claim_id: detail.claim_id },
          body: { adjustment },
        })
      }}
    >
      <TextField
        {...field('adjustment.amount')}
        label={`Amount in ${currency}`}
        inputMode="decimal"
        help={
          missing === null
            ? undefined
            : `${money(missing.amount, missing.currency)} is what the purchase should have earned but did not.`
        }
        required
      />
      <SelectField {...field('adjustment.paid_by')} label="Paid by" options={PAYERS} />
      <TextArea {...field('adjustment.reason')} label="Reason" help="Recorded in the audit log." />
    </DecisionDialog>
  )
}
