import { useLocation, useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { api, bodyOf, Refused } from '../../api/client.ts'
import { useMutation } from '../../api/use-mutation.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/form/field.tsx'
import { Entrance, FormError } from '../../ui/page/entrance.tsx'

/** Lets an invited person enter their name and set a password. The token follows the #. */
export default function Invitation() {
  const token = useLocation({ select: ({ hash }) => hash })
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const router = useRouter()
  const accept = useMutation({
    mutationFn: () => bodyOf(api.POST('/accounts/invitations/accept', { body: { token, name, password } })),
    meta: { shown: true },
    onSuccess: () => router.navigate({ to: '/', replace: true }),
  })
  const fields = accept.error instanceof Refused ? accept.error.fields : {}
  return (
    <Entrance title="Welcome to Laurel" lead="You have been invited to the console.">
      <form
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault()
          accept.mutate()
        }}
      >
        <TextField
          name="name"
          label="Your name"
          autoComplete="name"
          value={name}
          onChange={setName}
          error={fields['name']}
          required
        />
        <TextField
          name="password"
          label="Password"
          type="password"
          autoComplete="new-password"
          help="At least 12 characters and hard to guess."
          value={password}
          onChange={setPassword}
          error={fields['password']}
          required
        />
        <FormError error={accept.error} />
        <Button type="submit" tone="primary" className="w-full" busy={accept.isPending}>
          Begin
        </Button>
      </form>
    </Entrance>
  )
}
