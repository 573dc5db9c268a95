import { Field as BaseField } from '@base-ui/react/field'
import type { ReactNode } from 'react'
import { useFieldError } from './form.tsx'

const CONTROL =
  'w-full text-ellipsis rounded-md border border-line-strong/70 bg-surface px-3 text-base placeholder:text-ink-3 data-invalid:border-bad aria-invalid:border-bad'

type Props<Value extends string> = {
  /** The field's name in the service's errors. */
  readonly name: string
  readonly label: string
  readonly help?: ReactNode
  /** Takes precedence over the service's error. */
  readonly error?: string | undefined
  readonly value: Value
  readonly onChange: (value: Value) => void
}

type FrameProps = Pick<Props<string>, 'name' | 'label' | 'help' | 'error'> & { readonly children: ReactNode }

/** A control with a label above it, and its error and help text below it. */
function Frame({ name, label, help, error: ownError, children }: FrameProps) {
  const refused = useFieldError(name)
  const error = ownError ?? refused
  return (
    <BaseField.Root name={name} invalid={error !== undefined}>
      <BaseField.Label className="mb-1.5 block font-medium text-sm">{label}</BaseField.Label>
      {children}
      {error !== undefined && (
        <BaseField.Error match className="mt-1.5 block text-bad text-sm">
          {error}
        </BaseField.Error>
      )}
      {help && <BaseField.Description className="mt-1.5 block text-ink-3 text-sm">{help}</BaseField.Description>}
    </BaseField.Root>
  )
}

type TextProps = Props<string> & {
  readonly type?: 'text' | 'email' | 'password' | 'date' | 'number'
  readonly autoComplete?: string
  readonly inputMode?: 'numeric' | 'decimal' | 'text'
  readonly required?: boolean
  readonly autoFocus?: boolean
  /** The id of a datalist with common values. */
  readonly list?: string
}

export function TextField({ name, label, help, error, value, onChange, type = 'text', ...rest }: TextProps) {
  return (
    <Frame name={name} label={label} help={help} error={error}>
      <BaseField.Control
        type={type}
        value={value}
        onValueChange={onChange}
        className={`${CONTROL} h-9 max-sm:h-11`}
        {...rest}
      />
    </Frame>
  )
}

export function TextArea({ value, onChange, rows = 3, ...frame }: Props<string> & { readonly rows?: number }) {
  return (
    <Frame {...frame}>
      <BaseField.Control
        value={value}
        onValueChange={onChange}
        render={<textarea rows={rows} />}
        className={`${CONTROL} py-2`}
      />
    </Frame>
  )
}

type SelectProps<Value extends string> = Props<Value> & {
  readonly options: readonly (readonly [value: Value, label: string])[]
}

/** Uses the browser's native list, which works best on phones. */
export function SelectField<Value extends string>({ value, onChange, options, ...frame }: SelectProps<Value>) {
  const choose = (chosen: string) => {
    const option = options.find(([known]) => known === chosen)
    if (option !== undefined) onChange(option[0])
  }
  return (
    <Frame {...frame}>
      <BaseField.Control
        value={value}
        onValueChange={choose}
        render={
          <select>
            {options.map(([option, text]) => (
              <option key={option} value={option}>
                {text}
              </option>
            ))}
          </select>
        }
        className={`${CONTROL} h-9 max-sm:h-11`}
      />
    </Frame>
  )
}
