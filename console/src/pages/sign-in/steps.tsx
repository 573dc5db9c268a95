import type { ReactNode } from 'react'
import { post } from '../../api/client.ts'
import { hasPasskeys, signInByPasskey } from '../../api/passkeys.ts'
import { useChange } from '../../api/use-change.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/form/field.tsx'
import { FormError } from '../../ui/form/form.tsx'
import { useFields } from '../../ui/form/use-fields.ts'

export type SignInState = 'signed_in' | 'second_factor'
type StepProps = { readonly onState: (state: SignInState) => void }

type PasswordProps = StepProps & {
  /** The email address of a person who is signing in again. */
  readonly email?: string
}

/** Asks for a password or a passkey. */
export function PasswordStep({ onState, email: known = '' }: PasswordProps) {
  const { values, field } = useFields({ email: known, password: '' })
  const { email, password } = values
  const signIn = useChange({
    act: () => post('/accounts/sign-in', { body: { email, password } }),
    onDone: ({ state }) => onState(state),
  })
  const byPasskey = useChange({ act: signInByPasskey, onDone: ({ state }) => onState(state) })
  return (
    <>
      <StepForm onSubmit={signIn.mutate}>
        <TextField {...field('email')} label="Email" type="email" autoComplete="username" required />
        <TextField {...field('password')} label="Password" type="password" autoComplete="current-password" required />
        <FormError error={signIn.error} />
        <Button type="submit" tone="primary" className="w-full" busy={signIn.isPending}>
          Sign in
        </Button>
      </StepForm>
      {hasPasskeys() && (
        <div className="mt-4 space-y-4 border-line border-t pt-4">
          <FormError error={byPasskey.error} />
          <Button className="w-full" busy={byPasskey.isPending} onClick={() => byPasskey.mutate()}>
            Sign in with a passkey
          </Button>
        </div>
      )}
    </>
  )
}

/** Asks for the code from the authenticator app. */
export function CodeStep({ onState }: StepProps) {
  const { values, field } = useFields({ code: '' })
  const { code } = values
  const finish = useChange({
    act: () => post('/accounts/second-factor', { body: { code: code.trim() } }),
    onDone: ({ state }) => onState(state),
  })
  return (
    <StepForm onSubmit={finish.mutate}>
      <TextField {...field('code')} label="Code" autoComplete="one-time-code" required autoFocus />
      <FormError error={finish.error} />
      <Button type="submit" tone="primary" className="w-full" busy={finish.isPending}>
        Continue
      </Button>
    </StepForm>
  )
}

function StepForm({ onSubmit, children }: { readonly onSubmit: () => void; readonly children: ReactNode }) {
  return (
    <form
      className="space-y-4"
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      {children}
    </form>
  )
}
