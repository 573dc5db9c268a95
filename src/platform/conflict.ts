import { isDeepStrictEqual } from 'node:util'
import { Refusal } from './refusal.ts'

/**
 * Returns the wire names of the members whose values differ. Null counts as absent, as in the API. Member order is
 * ignored, because jsonb does not preserve it.
 */
export function listDifferingFields(known: object, asked: object): string[] {
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
 * Builds the refusal for a request that reuses a key with different content. The refusal lists the fields that differ,
 * so callers can tell whether they reused the key by mistake or changed the request.
 */
export function buildConflictRefusal<Code extends string>(
  code: Code,
  conflict: {
    /** The start of the message, such as "The redemption A-1 was requested". */
    readonly what: string
    /** The field that holds the key. */
    readonly key: string
    readonly fields: readonly string[]
  },
): Refusal<Code> {
  const { what, key, fields } = conflict
  const others = fields.length === 0 ? 'content' : listed(fields)
  return new Refusal(code, `${what} with a different ${others}. Repeat the same request, or use another ${key}.`, {
    field: fields[0] ?? key,
    members: { differing_fields: fields },
  })
}

function listed(names: readonly string[]): string {
  const last = names.at(-1) ?? ''
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} and ${last}`
}
