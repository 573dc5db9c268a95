import { useId } from 'react'

type Props = {
  readonly label: string
  readonly value: number
  readonly max: number
  readonly step: number
  /** The value as displayed. */
  readonly said: string
  readonly onChange: (value: number) => void
  readonly help?: string
}

/** Selects a number from 0 to a maximum, for values that are judged by eye rather than typed. */
export function Slider({ label, value, max, step, said, onChange, help }: Props) {
  const id = useId()
  return (
    <div>
      <div className="mb-1.5 flex justify-between gap-3 text-sm">
        <label htmlFor={id} className="font-medium">
          {label}
        </label>
        <output htmlFor={id} className="num text-ink-2">
          {said}
        </output>
      </div>
      <input
        id={id}
        type="range"
        min={0}
        max={max}
        step={step}
        value={value}
        onChange={(event) => onChange(event.target.valueAsNumber)}
        className="h-6 w-full accent-brand max-sm:h-11"
      />
      {help && <p className="mt-1 text-ink-3 text-sm">{help}</p>}
    </div>
  )
}
