import { Link } from '@tanstack/react-router'
import { post } from '../../api/client.ts'
import { useChange } from '../../api/use-change.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/form/field.tsx'
import { Form, FormError } from '../../ui/form/form.tsx'
import { useFields } from '../../ui/form/use-fields.ts'
import { Entrance } from '../../ui/page/entrance.tsx'

/** Requests an email with a reset link. The response does not reveal whether the address belongs to an account. */
export default function Forgotten() {
  const { values, field } = useFields({ email: '' })
  const { email } = values
  const ask = useChange({ act: () => post('/accounts/password/reset-request', { body: { email } }) })
  const back = (
    <Link to="/sign-in" className="text-brand-ink underline-offset-2 hover:underline">
      Back to sign-in
    </Link>
  )
  if (ask.isSuccess)
    return (
      <Entrance title="Check your email" foot={back}>
        <p role="status" className="text-ink-2">
          If {email} has an account, we have sent it an email with a link.
        </p>
      </Entrance>
    )
  return (
    <Entrance title="Forgot your password?" lead="We will email you a link to set a new one." foot={back}>
      <Form error={ask.error} onSubmit={() => ask.mutate()} className="space-y-4">
        <TextField {...field('email')} label="Email" type="email" autoComplete="username" required />
        <FormError error={ask.error} />
        <Button type="submit" tone="primary" className="w-full" busy={ask.isPending}>
          Send the link
        </Button>
      </Form>
    </Entrance>
  )
}
