import { Link } from '@tanstack/react-router'
import { buttonClass } from '../../ui/button.tsx'
import { Entrance } from '../../ui/entrance.tsx'

/** A link that signs in once was used before, is too old or incomplete. */
export function LinkRefused({ error }: { readonly error: unknown }) {
  const commands = (
    <p>
      New links come from <Command>laurel accounts link</Command> and, in a sandbox, from <Command>laurel demo</Command>
      .
    </p>
  )
  return (
    <Entrance
      title="This link does not work"
      lead={error instanceof Error ? error.message : String(error)}
      foot={commands}
    >
      <Link to="/sign-in" className={buttonClass('primary', 'w-full')}>
        Sign in
      </Link>
    </Entrance>
  )
}

function Command({ children }: { readonly children: string }) {
  return <code className="font-mono text-xs">{children}</code>
}
