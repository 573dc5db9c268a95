import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, bodyOf, Refused, type Schemas } from '../../api/client.ts'
import { useMutation } from '../../api/use-mutation.ts'
import { money } from '../../format.ts'
import { ConfirmDialog } from '../../ui/form/dialog.tsx'
import { TextField } from '../../ui/form/field.tsx'
import { tell } from '../../ui/toast.tsx'
import { refreshMoney } from './refresh.ts'

type Props = { readonly payment: Schemas['Payment']; readonly onClose: () => void }

/** Reverses a payment with another one, because payments never change. */
export function ReverseDialog({ payment, onClose }: Props) {
  const client = useQueryClient()
  const [reference, setReference] = useState(`${payment.external_ref}-reversed`)
  const [valueDate, setValueDate] = useState(new Date().toISOString().slice(0, 10))
  const [note, setNote] = useState('')
  const reverse = useMutation({
    mutationFn: () =>
      bodyOf(
        api.POST('/operator/payments', {
          body: {
            publisher_id: payment.publisher_id,
            external_ref: reference,
            value_date: valueDate,
            reverses: payment.payment_id,
            ...(note === '' ? {} : { note }),
          },
        }),
      ),
    meta: { shown: true },
    onSuccess: async () => {
      onClose()
      tell('Payment reversed')
      await refreshMoney(client)
    },
  })
  const fields = reverse.error instanceof Refused ? reverse.error.fields : {}
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Reverse ${money(payment.amount, payment.currency)}`}
      lead={`Books the same amount in reverse. What ${payment.external_ref} settled is owed again, and both stay in the books.`}
      confirm="Reverse it"
      danger
      busy={reverse.isPending}
      error={Object.keys(fields).length > 0 ? undefined : reverse.error?.message}
      onConfirm={() => reverse.mutate()}
    >
      <TextField
        name="external_ref"
        label="Reference"
        value={reference}
        onChange={setReference}
        error={fields['external_ref']}
        required
      />
      <TextField
        name="value_date"
        label="Value date"
        type="date"
        value={valueDate}
        onChange={setValueDate}
        error={fields['value_date']}
        required
      />
      <TextField name="note" label="Note" value={note} onChange={setNote} error={fields['note']} />
    </ConfirmDialog>
  )
}
