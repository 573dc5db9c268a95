import { useNavigate } from '@tanstack/react-router'
import { post } from '../../api/client.ts'
import { ChangeDialog } from '../../change-dialog.tsx'
import { optional } from '../../search.ts'
import { TextField } from '../../ui/form/field.tsx'
import { useFields } from '../../ui/form/use-fields.ts'

type Props = { readonly publisherId: string; readonly onClose: () => void }

/** Registers a user, as the publisher's back end would, and opens the user's page. */
export function RegisterDialog({ publisherId, onClose }: Props) {
  const navigate = useNavigate()
  const { values, field } = useFields({ publisher_user_id: '', email: '', primary_zip_code: '' })
  const { publisher_user_id: name, ...given } = values
  return (
    <ChangeDialog
      onClose={onClose}
      title="Register a user"
      lead="The same call the publisher’s back end makes for each new user."
      confirm="Register"
      act={() => {
        const body = { publisher_user_id: name, ...optional(given) }
        return post('/users', { body, publisher: publisherId })
      }}
      onDone={() => {
        onClose()
        return navigate({ to: '/publishers/$publisher/users/$user', params: { publisher: publisherId, user: name } })
      }}
      done={['User registered', 'To earn rewards, they must accept the terms in the portal or in the publisher’s app.']}
      reload={['/users']}
      refusal={name.trim() === '' ? 'Enter the publisher’s id for the user first.' : null}
    >
      <TextField
        {...field('publisher_user_id')}
        label="The publisher’s id for the user"
        help="Cannot be changed later."
        required
      />
      <TextField {...field('email')} label="Email" type="email" help="Optional." />
      <TextField
        {...field('primary_zip_code')}
        label="ZIP code"
        inputMode="numeric"
        help="Optional. Finds offers nearby."
      />
    </ChangeDialog>
  )
}
