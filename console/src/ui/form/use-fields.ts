import { useState } from 'react'

/** Holds the values of a form's fields, keyed by their names in the service's errors. */
export function useFields<Values extends Readonly<Record<string, string>>>(start: Values) {
  const [values, setValues] = useState(start)
  const set = (changes: Partial<Values>) => setValues((old) => ({ ...old, ...changes }))
  return {
    values,
    set,
    /** Connects a field: `<TextField {...field('name')} …>`. */
    field: <Name extends keyof Values & string>(name: Name) => ({
      name,
      value: values[name],
      onChange: (value: Values[Name]) => set({ [name]: value } as unknown as Partial<Values>),
    }),
  }
}
