import { useMutation } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api, bodyOf } from '../../api/client.ts'
import { hasPasskeys, signInByPasskey } from '../../api/passkeys.ts'
import { Button } from '../../ui/button.tsx'
import { Entrance, FormError } from '../../ui/entrance.tsx'
import { TextField } from '../../ui/field.tsx'

const route = getRouteApi('/sign-in')

/** The password first, then, for those who have set one up, the code of the authenticator app. */
export default function SignIn() {
  const [isSecond, setSecond] = useState(false)
  const { next } = route.useSearch()
  const onState = (state: 'signed_in' | 'second_factor') => {
    if (state === 'second_factor') return setSecond(true)
    // Loaded anew, so that nothing stays of what somebody else saw here before.
    location.replace(`${import.meta.env.BASE_URL}${(next ?? '/').slice(1)}`)
  }
  return isSecond ? <Code onState={onState} onBack={() => setSecond(false)} /> : <Password onState={onState} />
}

type StepProps = { readonly onState: (state: 'signed_in' | 'second_factor') => void }

function Password({ onState }: StepProps) {
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const signIn = useMutation({
    mutationFn: () => bodyOf(api.POST('/accounts/sign-in', { body: { email, password } })),
    meta: { shown: true },
    onSuccess: ({ state }) => onState(state),
  })
  const byPasskey = useMutation({
    mutationFn: signInByPasskey,
    meta: { shown: true },
    onSuccess: ({ state }) => onState(state),
  })
  const forgotten = (
    <Link to="/forgotten" className="text-brand-ink underline-offset-2 hover:underline">
      Forgotten your password?
    </Link>
  )
  return (
    <Entrance title="Sign in" lead="To the console of this service." foot={forgotten}>
      <form
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault()
          signIn.mutate()
        }}
      >
        <TextField
          name="email"
          label="E-mail"
          type="email"
          autoComplete="username"
          value={email}
          onChange={setEmail}
          required
        />
        <TextField
          name="password"
          label="Password"
          type="password"
          autoComplete="current-password"
          value={password}
          onChange={setPassword}
          required
        />
        <FormError error={signIn.error} />
        <Button type="submit" tone="primary" className="w-full" busy={signIn.isPending}>
          Sign in
        </Button>
      </form>
      {hasPasskeys() && (
        <div className="mt-4 space-y-4 border-line border-t pt-4">
          <FormError error={byPasskey.error} />
          <Button className="w-full" busy={byPasskey.isPending} onClick={() => byPasskey.mutate()}>
            Sign in with a passkey
          </Button>
        </div>
      )}
    </Entrance>
  )
}

function Code({ onState, onBack }: StepProps & { readonly onBack: () => void }) {
  const [code, setCode] = useState('')
  const finish = useMutation({
    mutationFn: () => bodyOf(api.POST('/accounts/second-factor', { body: { code: code.trim() } })),
    meta: { shown: true },
    onSuccess: ({ state }) => onState(state),
  })
  return (
    <Entrance
      title="Second factor"
      lead="Enter the code that your authenticator app shows, or a backup code."
      foot={
        <button type="button" onClick={onBack} className="text-brand-ink underline-offset-2 hover:underline">
          Sign in as somebody else
        </button>
      }
    >
      <form
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault()
          finish.mutate()
        }}
      >
        <TextField
          name="code"
          label="Code"
          autoComplete="one-time-code"
          value={code}
          onChange={setCode}
          required
          autoFocus
        />
        <FormError error={finish.error} />
        <Button type="submit" tone="primary" className="w-full" busy={finish.isPending}>
          Continue
        </Button>
      </form>
    </Entrance>
  )
}
