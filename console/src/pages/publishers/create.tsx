import { useNavigate } from '@tanstack/react-router'
import { post, type Schemas } from '../../api/client.ts'
import { publishers } from '../../api/queries.ts'
import { ChangeDialog } from '../../change-dialog.tsx'
import { SelectField, TextField } from '../../ui/form/field.tsx'
import { useFields } from '../../ui/form/use-fields.ts'

/** Creates a publisher and opens its settings. */
export function NewPublisherDialog({ onClose }: { readonly onClose: () => void }) {
  const navigate = useNavigate()
  const { values, field } = useFields({
    name: '',
    environment: 'sandbox' as Schemas['PublisherEnvironment'],
    currency: 'USD',
    time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  })
  return (
    <ChangeDialog
      onClose={onClose}
      title="New publisher"
      lead="It starts with the default settings and without a key."
      confirm="Create the publisher"
      act={() => post('/operator/publishers', { body: values })}
      onDone={({ publisher_id }) => {
        onClose()
        return navigate({ to: '/publishers/$publisher/settings', params: { publisher: publisher_id } })
      }}
      done={['Publisher created', 'Review its settings, then give it a key.']}
      reload={['/operator/publishers', publishers]}
      refusal={values.name.trim() === '' ? 'Give it a name first.' : null}
    >
      <TextField {...field('name')} label="Name" required />
      <SelectField
        {...field('environment')}
        label="Environment"
        options={[
          ['sandbox', 'Sandbox: its clock can be moved, money is simulated'],
          ['production', 'Production'],
        ]}
        help="Cannot be changed later."
      />
      <TextField
        {...field('currency')}
        label="Currency"
        help="ISO 4217, such as USD. Cannot be changed later; others can be added."
      />
      <TextField
        {...field('time_zone')}
        label="Time zone"
        help="Determines its calendar days. Example: America/New_York."
      />
    </ChangeDialog>
  )
}
