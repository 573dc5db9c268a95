import { useLocation, useRouter } from '@tanstack/react-router'
import { post } from '../../api/client.ts'
import { useChange } from '../../api/use-change.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/form/field.tsx'
import { Form, FormError } from '../../ui/form/form.tsx'
import { useFields } from '../../ui/form/use-fields.ts'
import { Entrance } from '../../ui/page/entrance.tsx'

/**
 * Lets an invited person enter their name and set a password. The token comes after the # in the URL, so no server logs
 * it.
 */
export default function Invitation() {
  const token = useLocation({ select: ({ hash }) => hash })
  const { values, field } = useFields({ name: '', password: '' })
  const { name, password } = values
  const router = useRouter()
  const accept = useChange({
    act: () => post('/accounts/invitations/accept', { body: { token, name, password } }),
    onDone: () => router.navigate({ to: '/', replace: true }),
  })
  return (
    <Entrance title="Welcome to Laurel" lead="You have been invited to the console.">
      <Form error={accept.error} onSubmit={() => accept.mutate()} className="space-y-4">
        <TextField {...field('name')} label="Your name" autoComplete="name" required />
        <TextField
          {...field('password')}
          label="Password"
          type="password"
          autoComplete="new-password"
          help="At least 12 characters and hard to guess."
          required
        />
        <FormError error={accept.error} />
        <Button type="submit" tone="primary" className="w-full" busy={accept.isPending}>
          Begin
        </Button>
      </Form>
    </Entrance>
  )
}
