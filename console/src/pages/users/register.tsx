import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { actingFor, api, bodyOf, Refused } from '../../api/client.ts'
import { useMutation } from '../../api/use-mutation.ts'
import { ConfirmDialog } from '../../ui/form/dialog.tsx'
import { TextField } from '../../ui/form/field.tsx'
import { tell } from '../../ui/toast.tsx'

type Props = { readonly publisherId: string; readonly onClose: () => void }

/** Registers a user as the publisher's back end would, and opens their page. */
export function RegisterDialog({ publisherId, onClose }: Props) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const [name, setName] = useState('')
  const [email, setEmail] = useState('')
  const [zip, setZip] = useState('')
  const register = useMutation({
    mutationFn: () => {
      const given = { ...(email === '' ? {} : { email }), ...(zip === '' ? {} : { primary_zip_code: zip }) }
      return bodyOf(api.POST('/users', { body: { publisher_user_id: name, ...given }, ...actingFor(publisherId) }))
    },
    meta: { shown: true },
    onSuccess: async () => {
      onClose()
      tell('User registered', 'To earn, they accept the terms, in the portal or in the publisher’s app.')
      await client.invalidateQueries({ queryKey: ['users', publisherId] })
      await navigate({
        to: '/publishers/$publisher/users/$user',
        params: { publisher: publisherId, user: name },
      })
    },
  })
  const fields = register.error instanceof Refused ? register.error.fields : {}
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title="Register a user"
      lead="The same call the publisher’s back end makes for each new user."
      confirm="Register"
      busy={register.isPending}
      error={register.error?.message}
      refusal={name.trim() === '' ? 'Say first what the publisher calls the user.' : null}
      onConfirm={() => register.mutate()}
    >
      <TextField
        name="publisher_user_id"
        label="What the publisher calls them"
        value={name}
        onChange={setName}
        error={fields['publisher_user_id']}
        help="Cannot be changed later."
        required
      />
      <TextField
        name="email"
        label="E-mail"
        type="email"
        value={email}
        onChange={setEmail}
        error={fields['email']}
        help="Optional."
      />
      <TextField
        name="primary_zip_code"
        label="ZIP code"
        inputMode="numeric"
        value={zip}
        onChange={setZip}
        error={fields['primary_zip_code']}
        help="Optional. Finds offers nearby."
      />
    </ConfirmDialog>
  )
}
