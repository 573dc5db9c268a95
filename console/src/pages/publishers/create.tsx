import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api, bodyOf, Refused, type Schemas } from '../../api/client.ts'
import { useMutation } from '../../api/use-mutation.ts'
import { ConfirmDialog } from '../../ui/form/dialog.tsx'
import { SelectField, TextField } from '../../ui/form/field.tsx'
import { tell } from '../../ui/toast.tsx'

/** Creates a publisher and opens its settings. */
export function NewPublisherDialog({ onClose }: { readonly onClose: () => void }) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const [name, setName] = useState('')
  const [environment, setEnvironment] = useState<Schemas['PublisherEnvironment']>('sandbox')
  const [currency, setCurrency] = useState('USD')
  const [timeZone, setTimeZone] = useState(Intl.DateTimeFormat().resolvedOptions().timeZone)
  const create = useMutation({
    mutationFn: () =>
      bodyOf(api.POST('/operator/publishers', { body: { name, environment, currency, time_zone: timeZone } })),
    meta: { shown: true },
    onSuccess: async ({ publisher_id }) => {
      onClose()
      tell('The publisher is created', 'Look at its settings, then give it a key.')
      await client.invalidateQueries({ queryKey: ['publishers'] })
      await navigate({ to: '/publishers/$publisher/settings', params: { publisher: publisher_id } })
    },
  })
  const fields = create.error instanceof Refused ? create.error.fields : {}
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title="New publisher"
      lead="It starts with the default settings and without a key."
      confirm="Create the publisher"
      busy={create.isPending}
      error={create.error?.message}
      refusal={name.trim() === '' ? 'Give it a name first.' : null}
      onConfirm={() => create.mutate()}
    >
      <TextField name="name" label="Name" value={name} onChange={setName} error={fields['name']} required />
      <SelectField
        name="environment"
        label="Environment"
        value={environment}
        options={[
          ['sandbox', 'Sandbox: its clock can be moved, money is simulated'],
          ['production', 'Production'],
        ]}
        onChange={(chosen) => setEnvironment(chosen === 'production' ? 'production' : 'sandbox')}
        help="Cannot be changed later."
      />
      <TextField
        name="currency"
        label="Currency"
        value={currency}
        onChange={setCurrency}
        error={fields['currency']}
        help="ISO 4217, such as USD. Cannot be changed later; others can be added."
      />
      <TextField
        name="time_zone"
        label="Time zone"
        value={timeZone}
        onChange={setTimeZone}
        error={fields['time_zone']}
        help="For its calendar days, such as America/New_York."
      />
    </ConfirmDialog>
  )
}
