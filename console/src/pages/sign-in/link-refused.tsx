import { Link } from '@tanstack/react-router'
import { buttonClass } from '../../ui/button.tsx'
import { Entrance } from '../../ui/page/entrance.tsx'
import { LinkCommands } from './link-commands.tsx'

/** Shown if the sign-in link has already been used, has expired, or is incomplete. */
export function LinkRefused({ error }: { readonly error: unknown }) {
  return (
    <Entrance
      title="This link does not work"
      lead={error instanceof Error ? error.message : String(error)}
      foot={
        <p>
          <LinkCommands />
        </p>
      }
    >
      <Link to="/sign-in" className={buttonClass('primary', 'w-full')}>
        Sign in
      </Link>
    </Entrance>
  )
}
