import { isDeepStrictEqual } from 'node:util'
import { Refusal } from './refusal.ts'

/**
 * The names, as on the wire, of the members whose values differ. Null and absent are equal, as in the API, and so are
 * values that differ only in the order of their members: PostgreSQL keeps another one in jsonb.
 */
export function differingFields(known: object, asked: object): string[] {
  const before = new Map(Object.entries(known))
  const after = new Map(Object.entries(asked))
  return [...new Set([...after.keys(), ...before.keys()])]
    .filter((name) => !isDeepStrictEqual(asJson(before.get(name)), asJson(after.get(name))))
    .map((name) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`))
}

function asJson(value: unknown): unknown {
  const text = JSON.stringify(value ?? null, (_name, inner: unknown) =>
    typeof inner === 'bigint' ? String(inner) : inner,
  )
  return JSON.parse(text)
}

/**
 * Refuses a request whose key was already used with different content. The refusal names the fields that differ, so
 * that callers see whether they reused the key or changed the request.
 */
export function conflictRefusal<Code extends string>(
  code: Code,
  conflict: {
    /** The start of the sentence, such as "The redemption A-1 was requested". */
    readonly what: string
    /** The field with the key. */
    readonly key: string
    readonly fields: readonly string[]
  },
): Refusal<Code> {
  const { what, key, fields } = conflict
  const others = fields.length === 0 ? 'content' : listed(fields)
  return new Refusal(code, `${what} with a different ${others}; send the same again, or another ${key}.`, {
    field: fields[0] ?? key,
    members: { differing_fields: fields },
  })
}

function listed(names: readonly string[]): string {
  const last = names.at(-1) ?? ''
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} and ${last}`
}
