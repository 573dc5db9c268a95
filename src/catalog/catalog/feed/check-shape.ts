import type { Static, TSchema } from 'typebox'
import { checkInput, Problem } from '../../../platform/http/index.ts'
import type { Fault, Path } from './file-schema.ts'

export type Checked<T> = { readonly shaped: T } | { readonly faults: readonly Fault[] }

/** Checks part of a feed against its schema. Error paths start at the root of the feed. */
export function createShapeCheck<Schema extends TSchema>(
  schema: Schema,
): (value: unknown, path: Path) => Checked<Static<Schema>> {
  const check = checkInput(schema)
  return (value, path) => {
    try {
      return { shaped: check(value) }
    } catch (error) {
      if (!(error instanceof Problem) || error.errors === null) throw error
      const faults = error.errors.map(({ field, message }) => ({
        path: field === 'body' ? path : [...path, ...field.split('.')],
        message,
      }))
      const { moreErrors } = error
      return { faults: moreErrors === 0 ? faults : [...faults, { path, message: `has ${moreErrors} more errors` }] }
    }
  }
}
