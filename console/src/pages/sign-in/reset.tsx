import { Link, useLocation } from '@tanstack/react-router'
import { useState } from 'react'
import { post, Refused } from '../../api/client.ts'
import { useMutation } from '../../api/use-mutation.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { TextField } from '../../ui/form/field.tsx'
import { Form, FormError } from '../../ui/form/form.tsx'
import { Entrance } from '../../ui/page/entrance.tsx'

/** Sets a new password with a token from an e-mail. The token follows the #, so no server logs it. */
export default function Reset() {
  const token = useLocation({ select: ({ hash }) => hash })
  const [password, setPassword] = useState('')
  const reset = useMutation({
    mutationFn: () => post('/accounts/password/reset', { body: { token, password } }),
    meta: { shown: true },
  })
  if (reset.isSuccess)
    return (
      <Entrance title="The password is changed" lead="All sessions of the account have ended.">
        <Link to="/sign-in" className={buttonClass('primary', 'w-full')}>
          Sign in
        </Link>
      </Entrance>
    )
  const fields = reset.error instanceof Refused ? reset.error.fields : {}
  return (
    <Entrance title="New password">
      <Form error={reset.error} onSubmit={() => reset.mutate()} className="space-y-4">
        <TextField
          name="password"
          label="New password"
          type="password"
          autoComplete="new-password"
          help="At least 12 characters and hard to guess."
          value={password}
          onChange={setPassword}
          error={fields['password']}
          required
        />
        <FormError error={reset.error} />
        <Button type="submit" tone="primary" className="w-full" busy={reset.isPending}>
          Set the password
        </Button>
      </Form>
    </Entrance>
  )
}
