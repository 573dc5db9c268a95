import { post, type Schemas } from '../../api/client.ts'
import { ChangeDialog } from '../../change-dialog.tsx'
import { money } from '../../format.ts'
import { TextField } from '../../ui/form/field.tsx'
import { useFields } from '../../ui/form/use-fields.ts'
import { CHANGED_BY_PAYMENT } from './queries.ts'

type Props = { readonly payment: Schemas['Payment']; readonly onClose: () => void }

/** Reverses a payment by recording an opposite one, because recorded payments never change. */
export function ReverseDialog({ payment, onClose }: Props) {
  const { values, field } = useFields({
    external_ref: `${payment.external_ref}-reversed`,
    value_date: new Date().toISOString().slice(0, 10),
    note: '',
  })
  return (
    <ChangeDialog
      onClose={onClose}
      title={`Reverse ${money(payment.amount, payment.currency)}`}
      lead={`Books the same amount in reverse. What ${payment.external_ref} settled is owed again, and both stay in the books.`}
      confirm="Reverse it"
      danger
      act={() => {
        const { note, ...given } = values
        const reversal = { publisher_id: payment.publisher_id, reverses: payment.payment_id }
        const body = { ...given, ...reversal, ...(note === '' ? {} : { note }) }
        return post('/operator/payments', { body })
      }}
      done="Payment reversed"
      reload={CHANGED_BY_PAYMENT}
    >
      <TextField {...field('external_ref')} label="Reference" required />
      <TextField {...field('value_date')} label="Value date" type="date" required />
      <TextField {...field('note')} label="Note" />
    </ChangeDialog>
  )
}
