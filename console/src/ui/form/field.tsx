import { Field as BaseField } from '@base-ui/react/field'
import type { ReactNode } from 'react'

const CONTROL =
  'w-full text-ellipsis rounded-md border border-line-strong/70 bg-surface px-3 text-base placeholder:text-ink-3 data-invalid:border-bad aria-invalid:border-bad'

type Props = {
  readonly name: string
  readonly label: string
  readonly help?: ReactNode
  readonly error?: string | undefined
  readonly value: string
  readonly onChange: (value: string) => void
  readonly type?: 'text' | 'email' | 'password' | 'date' | 'number'
  readonly autoComplete?: string
  readonly inputMode?: 'numeric' | 'decimal' | 'text'
  readonly required?: boolean
  readonly autoFocus?: boolean
  /** The id of a datalist with common values. */
  readonly list?: string
}

/** A labeled input, with the service's error below it. */
export function TextField({ name, label, help, error, value, onChange, type = 'text', ...rest }: Props) {
  return (
    <BaseField.Root name={name} invalid={error !== undefined}>
      <BaseField.Label className="mb-1.5 block font-medium text-sm">{label}</BaseField.Label>
      <BaseField.Control
        type={type}
        value={value}
        onValueChange={onChange}
        className={`${CONTROL} h-9 max-sm:h-11`}
        {...rest}
      />
      {error !== undefined && (
        <BaseField.Error match className="mt-1.5 block text-bad text-sm">
          {error}
        </BaseField.Error>
      )}
      {help && <BaseField.Description className="mt-1.5 block text-ink-3 text-sm">{help}</BaseField.Description>}
    </BaseField.Root>
  )
}

type AreaProps = Pick<Props, 'name' | 'label' | 'help' | 'error' | 'value' | 'onChange'> & { readonly rows?: number }

export function TextArea({ name, label, help, error, value, onChange, rows = 3 }: AreaProps) {
  return (
    <BaseField.Root name={name} invalid={error !== undefined}>
      <BaseField.Label className="mb-1.5 block font-medium text-sm">{label}</BaseField.Label>
      <BaseField.Control
        value={value}
        onValueChange={onChange}
        render={<textarea rows={rows} />}
        className={`${CONTROL} py-2`}
      />
      {error !== undefined && (
        <BaseField.Error match className="mt-1.5 block text-bad text-sm">
          {error}
        </BaseField.Error>
      )}
      {help && <BaseField.Description className="mt-1.5 block text-ink-3 text-sm">{help}</BaseField.Description>}
    </BaseField.Root>
  )
}

type SelectProps = Pick<Props, 'name' | 'label' | 'help' | 'error' | 'value' | 'onChange'> & {
  readonly options: readonly (readonly [value: string, label: string])[]
}

/** Uses the browser's native list, which works best on phones. */
export function SelectField({ name, label, help, error, value, onChange, options }: SelectProps) {
  return (
    <BaseField.Root name={name} invalid={error !== undefined}>
      <BaseField.Label className="mb-1.5 block font-medium text-sm">{label}</BaseField.Label>
      <BaseField.Control
        value={value}
        onValueChange={onChange}
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
      {error !== undefined && (
        <BaseField.Error match className="mt-1.5 block text-bad text-sm">
          {error}
        </BaseField.Error>
      )}
      {help && <BaseField.Description className="mt-1.5 block text-ink-3 text-sm">{help}</BaseField.Description>}
    </BaseField.Root>
  )
}
