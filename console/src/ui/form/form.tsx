import { createContext, type ReactNode, useContext } from 'react'

type Errors = Readonly<Record<string, string>>
export type FormFault = (Error & { readonly fields?: Errors }) | null

const FieldErrors = createContext<Errors>({})

/** Returns the service's error for a field of the form, or for a member of that field. */
export function useFieldError(name: string): string | undefined {
  const errors = useContext(FieldErrors)
  return errors[name] ?? Object.entries(errors).find(([field]) => field.startsWith(`${name}.`))?.[1]
}

type Props = {
  /** The reason why the service rejected the form. */
  readonly error: FormFault
  readonly onSubmit: () => void
  readonly onInput?: () => void
  readonly id?: string
  readonly className?: string
  readonly children: ReactNode
}

/**
 * A form whose fields show the service's errors. The component library's form would not submit again until the rejected
 * field is changed, although the fix might be in another field.
 */
export function Form({ error, onSubmit, children, ...form }: Props) {
  return (
    <form
      {...form}
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      <FieldErrors value={error?.fields ?? {}}>{children}</FieldErrors>
    </form>
  )
}

/** Shows why the service rejected the form, above the button that was pressed. The fields show the details. */
export function FormError({ error }: { readonly error: FormFault }) {
  if (error === null) return null
  return (
    <p role="alert" className="rounded-md bg-bad-soft px-3 py-2 text-bad text-sm">
      {error.message}
    </p>
  )
}
