import SearchIcon from 'lucide-react/icons/search'
import { type ReactNode, useEffect, useRef, useState } from 'react'

/** The filters above a list. Their state is in the URL, so that a filtered list can be shared. */
export function FilterBar({ children }: { readonly children: ReactNode }) {
  return <div className="flex flex-wrap items-center gap-2 border-line border-b p-3">{children}</div>
}

type ChoiceProps<Value extends string> = {
  readonly label: string
  readonly value: Value | undefined
  /** The first option selects everything. */
  readonly options: readonly (readonly [value: Value | undefined, label: string])[]
  readonly onChange: (value: Value | undefined) => void
}

export function Choice<Value extends string>({ label, value, options, onChange }: ChoiceProps<Value>) {
  return (
    <fieldset className="-mx-1 flex min-w-0 gap-0.5 overflow-x-auto px-1 py-0.5 sm:ml-auto">
      <legend className="sr-only">{label}</legend>
      {options.map(([option, text]) => (
        <button
          key={text}
          type="button"
          aria-pressed={value === option}
          onClick={() => onChange(option)}
          className="h-7 cursor-default whitespace-nowrap rounded-md px-2.5 text-ink-2 text-sm hover:bg-sunken aria-pressed:bg-brand-soft aria-pressed:font-medium aria-pressed:text-brand-ink max-sm:h-10"
        >
          {text}
        </button>
      ))}
    </fieldset>
  )
}

// Long enough that typing a word triggers only one request, but short enough to feel immediate.
const TYPING_MS = 250

type SearchProps = { readonly label: string; readonly value: string; readonly onChange: (value: string) => void }

export function SearchBox({ label, value, onChange }: SearchProps) {
  const [draft, setDraft] = useState(value)
  const asked = useRef(value)
  const ask = () => {
    if (asked.current === draft) return
    asked.current = draft
    onChange(draft)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: only typing counts
  useEffect(() => {
    const timer = setTimeout(ask, TYPING_MS)
    return () => clearTimeout(timer)
  }, [draft])
  // Adopts a value set elsewhere, but ignores one typed here, which may come back from the URL while the person is
  // still typing.
  useEffect(() => {
    if (asked.current !== value) setDraft(value)
    asked.current = value
  }, [value])
  return (
    <label className="relative w-full sm:w-72">
      <span className="sr-only">{label}</span>
      <SearchIcon aria-hidden="true" className="-translate-y-1/2 absolute top-1/2 left-2.5 size-4 text-ink-3" />
      <input
        type="search"
        value={draft}
        onChange={(event) => setDraft(event.target.value)}
        // Applies the text when the person moves on to another filter, because they want both.
        onBlur={ask}
        placeholder={label}
        className="h-8 w-full rounded-md border border-line-strong/60 bg-surface pr-2 pl-8 text-sm placeholder:text-ink-3 max-sm:h-11"
      />
    </label>
  )
}

const CONTROL = 'h-8 rounded-md border border-line-strong/60 bg-surface px-2 text-sm max-sm:h-11'

type SelectProps = {
  readonly label: string
  readonly value: string
  readonly options: readonly (readonly [value: string, label: string])[]
  readonly onChange: (value: string) => void
}

/** Uses the browser's native list, for when there are too many choices to show side by side. */
export function SelectFilter({ label, value, options, onChange }: SelectProps) {
  return (
    <select
      aria-label={label}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      className={`${CONTROL} max-w-56`}
    >
      {options.map(([option, text]) => (
        <option key={option} value={option}>
          {text}
        </option>
      ))}
    </select>
  )
}

type DateProps = {
  readonly label: string
  /** A day such as `2026-11-22`, or empty. */
  readonly value: string
  readonly onChange: (value: string | undefined) => void
}

export function DateFilter({ label, value, onChange }: DateProps) {
  return (
    <label className="flex items-center gap-2 text-ink-3 text-sm">
      {label}
      <input
        type="date"
        value={value}
        onChange={(event) => onChange(event.target.value || undefined)}
        className={`${CONTROL} text-ink`}
      />
    </label>
  )
}
