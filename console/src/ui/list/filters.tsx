import SearchIcon from 'lucide-react/icons/search'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'

/** The filters above a list. Their state is in the URL, so that a filtered list can be shared. */
export function FilterBar({ children }: { readonly children: ReactNode }) {
  return <div className="flex flex-wrap items-center gap-2 border-line border-b p-3">{children}</div>
}

type ChoiceProps<Value extends string> = {
  readonly label: string
  readonly value: Value | undefined
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

const CONTROL = 'h-8 min-w-0 rounded-md border border-line-strong/60 bg-surface px-2 text-sm max-sm:h-11 max-sm:w-full'

type SelectProps = {
  readonly label: string
  readonly value: string | undefined
  /** The label of the option that selects everything. Without it, one option is always selected. */
  readonly all?: string
  readonly options: readonly (readonly [value: string, label: string])[]
  readonly onChange: (value: string | undefined) => void
}

/** Selects one of many options in a filter bar. */
export function SelectFilter({ label, value, all, options, onChange }: SelectProps) {
  const id = useId()
  return (
    <Labelled label={label} id={id}>
      <select
        id={id}
        value={value ?? ''}
        onChange={({ target }) => onChange(target.value === '' ? undefined : target.value)}
        className={`${CONTROL} max-w-56 max-sm:max-w-none`}
      >
        {all !== undefined && <option value="">{all}</option>}
        {options.map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </select>
    </Labelled>
  )
}

type DateProps = {
  readonly label: string
  /** yyyy-MM-dd, or yyyy-MM for a month. */
  readonly value: string | undefined
  readonly kind?: 'date' | 'month'
  readonly max?: string
  readonly onChange: (value: string | undefined) => void
}

/** Selects a day or a month in a filter bar. Leaving it empty means no filter. */
export function DateFilter({ label, value, kind = 'date', max, onChange }: DateProps) {
  const id = useId()
  return (
    <Labelled label={label} id={id} shown>
      <input
        id={id}
        type={kind}
        value={value ?? ''}
        max={max}
        onChange={({ target }) => onChange(target.value === '' ? undefined : target.value)}
        className={`num ${CONTROL}`}
      />
    </Labelled>
  )
}

type LabelledProps = {
  readonly label: string
  readonly id: string
  readonly shown?: boolean
  readonly children: ReactNode
}

function Labelled({ label, id, shown = false, children }: LabelledProps) {
  return (
    <div className="flex items-center gap-2 max-sm:w-full">
      <label htmlFor={id} className={shown ? 'whitespace-nowrap text-ink-2 text-sm max-sm:min-w-20' : 'sr-only'}>
        {label}
      </label>
      {children}
    </div>
  )
}
