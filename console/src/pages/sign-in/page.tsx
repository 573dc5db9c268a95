import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Entrance } from '../../ui/page/entrance.tsx'
import { LinkCommands } from './link-commands.tsx'
import { CodeStep, PasswordStep, type SignInState } from './steps.tsx'

const route = getRouteApi('/sign-in')

/** Asks for the password, and then for the authenticator app's code if the person has set one up. */
export default function SignIn() {
  const [isSecond, setSecond] = useState(false)
  const { next } = route.useSearch()
  const onState = (state: SignInState) => {
    if (state === 'second_factor') return setSecond(true)
    // Loads the next page from scratch, so that nothing shown to somebody else remains.
    location.replace(`${import.meta.env.BASE_URL}${(next ?? '/').slice(1)}`)
  }
  const link = 'text-brand-ink underline-offset-2 hover:underline'
  if (isSecond)
    return (
      <Entrance
        title="Second factor"
        lead="Enter the code that your authenticator app shows, or a backup code."
        foot={
          <button type="button" onClick={() => setSecond(false)} className={link}>
            Sign in as somebody else
          </button>
        }
      >
        <CodeStep onState={onState} />
      </Entrance>
    )
  return (
    <Entrance
      title="Sign in"
      lead="To the Laurel console."
      foot={
        <>
          <Link to="/forgotten" className={link}>
            Forgot your password?
          </Link>
          <div className="mt-4">
            No password yet? <LinkCommands />
          </div>
        </>
      }
    >
      <PasswordStep onState={onState} />
    </Entrance>
  )
}
