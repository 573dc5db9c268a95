import { useState } from 'react'
import { Button } from '../../ui/button.tsx'

type Found = { readonly publisher_user_id: string | undefined; readonly email: string | undefined }
type Props = {
  readonly user: string | undefined
  readonly email: string | undefined
  readonly onChange: (found: Found) => void
}

/** Finds a user by their complete email address or by the publisher's id for them. */
export function UserSearchBox({ user, email, onChange }: Props) {
  const shown = email ?? user ?? ''
  const [draft, setDraft] = useState(shown)
  const typed = draft.trim()
  return (
    <form
      className="flex w-full gap-2 sm:w-auto"
      onSubmit={(event) => {
        event.preventDefault()
        onChange({
          email: typed.includes('@') ? typed : undefined,
          publisher_user_id: typed === '' || typed.includes('@') ? undefined : typed,
        })
      }}
    >
      <input
        type="search"
        aria-label="Email or the publisher’s id for a user"
        placeholder="Email or the publisher’s id"
        value={draft}
        onChange={(event) => setDraft(event.target.value)}
        className="h-8 w-full min-w-0 rounded-md border border-line-strong/60 bg-surface px-2.5 text-sm placeholder:text-ink-3 max-sm:h-11 sm:w-64"
      />
      <Button type="submit">Find</Button>
      {shown !== '' && (
        <Button
          tone="ghost"
          onClick={() => {
            setDraft('')
            onChange({ email: undefined, publisher_user_id: undefined })
          }}
        >
          Clear
        </Button>
      )}
    </form>
  )
}
