import X from 'lucide-react/icons/x'
import { useState } from 'react'
import { Button, buttonClass } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/form/dialog.tsx'
import { TextField } from '../../ui/form/field.tsx'
import { useFields } from '../../ui/form/use-fields.ts'
import type { TransactionSearch } from './queries.ts'

type View = { readonly name: string; readonly search: TransactionSearch }

const KEY = 'laurel-transaction-views'

/** A view that was saved when two of the filters had other names. */
type OldView = View & { readonly search: { readonly text?: string; readonly user?: string } }

function keptViews(): readonly View[] {
  try {
    const kept: OldView[] = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    return kept.map(({ name, search: { text, user, ...search } }) => {
      return { name, search: { search_text: text, publisher_user_id: user, ...search } }
    })
  } catch {
    // Ignores content that this console did not write.
    return []
  }
}

const isSame = (one: TransactionSearch, other: TransactionSearch) =>
  one.status === other.status &&
  one.search_text === other.search_text &&
  one.publisher_user_id === other.publisher_user_id

type Props = {
  readonly search: TransactionSearch
  readonly isFiltered: boolean
  readonly onOpen: (search: TransactionSearch) => void
}

/** Named filters, stored in this browser. */
export function Views({ search, isFiltered, onOpen }: Props) {
  const [views, setViews] = useState(keptViews)
  const [isNaming, setNaming] = useState(false)
  const keep = (next: readonly View[]) => {
    localStorage.setItem(KEY, JSON.stringify(next))
    setViews(next)
  }
  const isKept = views.some((view) => isSame(view.search, search))
  if (views.length === 0 && !isFiltered) return null
  return (
    <fieldset className="flex flex-wrap items-center gap-2 border-line border-b px-3 py-2">
      <legend className="sr-only">Saved views</legend>
      {views.map((view) => (
        <span key={view.name} className="inline-flex items-center">
          <button
            type="button"
            aria-pressed={isSame(view.search, search)}
            onClick={() => onOpen(view.search)}
            className={buttonClass('ghost', 'aria-pressed:bg-brand-soft aria-pressed:text-brand-ink')}
          >
            {view.name}
          </button>
          <Button
            icon
            tone="ghost"
            aria-label={`Remove the view ${view.name}`}
            onClick={() => keep(views.filter((one) => one !== view))}
          >
            <X aria-hidden="true" className="size-3.5" />
          </Button>
        </span>
      ))}
      {isFiltered && !isKept && <Button onClick={() => setNaming(true)}>Save this view</Button>}
      {isNaming && (
        <NameDialog
          onClose={() => setNaming(false)}
          onName={(name) => keep([...views.filter((view) => view.name !== name), { name, search }])}
        />
      )}
    </fieldset>
  )
}

function NameDialog({ onClose, onName }: { readonly onClose: () => void; readonly onName: (name: string) => void }) {
  const { values, field } = useFields({ name: '' })
  const { name } = values
  return (
    <ConfirmDialog
      onClose={onClose}
      title="Save this view"
      lead="Saves this filter in this browser."
      confirm="Save"
      refusal={name.trim() === '' ? 'Give it a name first.' : null}
      onConfirm={() => {
        onName(name.trim())
        onClose()
      }}
    >
      <TextField {...field('name')} label="Name" required />
    </ConfirmDialog>
  )
}
