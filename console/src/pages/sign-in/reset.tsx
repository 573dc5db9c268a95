import { Link, useLocation } from '@tanstack/react-router'
import { post } from '../../api/client.ts'
import { useChange } from '../../api/use-change.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { TextField } from '../../ui/form/field.tsx'
import { Form, FormError } from '../../ui/form/form.tsx'
import { useFields } from '../../ui/form/use-fields.ts'
import { Entrance } from '../../ui/page/entrance.tsx'

/** Sets a new password with a token from an email. The token comes after the # in the URL, so no server logs it. */
export default function Reset() {
  const token = useLocation({ select: ({ hash }) => hash })
  const { values, field } = useFields({ password: '' })
  const { password } = values
  const reset = useChange({ act: () => post('/accounts/password/reset', { body: { token, password } }) })
  if (reset.isSuccess)
    return (
      <Entrance title="Password changed" lead="All sessions of the account have ended.">
        <Link to="/sign-in" className={buttonClass('primary', 'w-full')}>
          Sign in
        </Link>
      </Entrance>
    )
  return (
    <Entrance title="New password">
      <Form error={reset.error} onSubmit={() => reset.mutate()} className="space-y-4">
        <TextField
          {...field('password')}
          label="New password"
          type="password"
          autoComplete="new-password"
          help="At least 12 characters and hard to guess."
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
