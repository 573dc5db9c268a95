import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { get } from './api/client.ts'
import { account, me } from './api/queries.ts'
import { LinkCommands } from './pages/sign-in/link-commands.tsx'
import { CodeStep, PasswordStep } from './pages/sign-in/steps.tsx'
import { setSessionEnded } from './session.ts'
import { Button } from './ui/button.tsx'
import { Overlay } from './ui/form/overlay.tsx'
import { tell } from './ui/untold.ts'

/** Opens over a page whose session has ended, so that the page keeps its input. */
export default function SignInAgain() {
  const client = useQueryClient()
  const person = client.getQueryData(me.queryKey) ?? client.getQueryData(account.queryKey)
  const [isSecond, setSecond] = useState(false)
  const resume = async () => {
    const { account_id } = await get('/accounts/me')
    // Only the person whose session ended may see the content of the page.
    if (account_id !== person?.account_id) return location.assign(import.meta.env.BASE_URL)
    setSessionEnded(false)
    tell('You are signed in again', 'Everything you typed is still here.')
    await client.invalidateQueries()
  }
  // Signing in again in another tab also closes the dialog.
  useEffect(() => {
    const look = () => void resume().catch(() => undefined)
    addEventListener('focus', look)
    return () => removeEventListener('focus', look)
  })
  return (
    <Overlay
      title="Your session has ended"
      lead="Sign in again to continue. Everything you typed is still here."
      onEscape={() => undefined}
    >
      <div className="mt-4">
        {isSecond ? (
          <CodeStep onState={resume} />
        ) : (
          <PasswordStep
            email={person?.email ?? ''}
            onState={(state) => (state === 'second_factor' ? setSecond(true) : void resume())}
          />
        )}
      </div>
      {person?.has_password === false && (
        <p className="mt-4 text-ink-2 text-sm">
          You have no password yet. <LinkCommands /> Open it in another tab of this browser, then come back.
        </p>
      )}
      <div className="mt-4 border-line border-t pt-4">
        <Button className="w-full" onClick={() => location.assign(`${import.meta.env.BASE_URL}sign-in`)}>
          Sign in as somebody else
        </Button>
      </div>
    </Overlay>
  )
}
