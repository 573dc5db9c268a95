type Props<Value extends string> = {
  readonly legend: string
  readonly options: readonly (readonly [value: Value, label: string])[]
  readonly chosen: readonly Value[]
  readonly onChange: (chosen: readonly Value[]) => void
  readonly help?: string | undefined
  readonly disabled?: boolean
}

/** Checkboxes for any number of choices. The chosen values are kept in the order of the options. */
export function Checks<Value extends string>({ legend, options, chosen, onChange, help, disabled }: Props<Value>) {
  const toggle = (value: Value) =>
    onChange(
      options
        .map(([option]) => option)
        .filter((option) => (option === value ? !chosen.includes(value) : chosen.includes(option))),
    )
  return (
    <fieldset disabled={disabled} className="min-w-0">
      <legend className="mb-1.5 font-medium text-sm">{legend}</legend>
      <div className={`grid gap-x-4 gap-y-1 ${options.length > 1 ? 'sm:grid-cols-2' : ''}`}>
        {options.map(([value, label]) => (
          <label key={value} className="flex min-h-7 items-center gap-2 text-sm max-sm:min-h-11">
            <input
              type="checkbox"
              checked={chosen.includes(value)}
              onChange={() => toggle(value)}
              className="size-4 shrink-0 accent-brand"
            />
            <span className="wrap-anywhere min-w-0">{label}</span>
          </label>
        ))}
      </div>
      {help && <p className="mt-1.5 text-ink-3 text-sm">{help}</p>}
    </fieldset>
  )
}
