import { type ReactNode, useId } from 'react'

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
      <label htmlFor={id} className={shown ? 'whitespace-nowrap text-ink-2 text-sm max-sm:w-20' : 'sr-only'}>
        {label}
      </label>
      {children}
    </div>
  )
}
