import type { FieldError } from './field-errors.ts'

/** The depth and the number of members of a JSON text, in linear time and without parsing it. */
export function outlineOf(json: string): { readonly depth: number; readonly members: number } {
  let depth = 0
  let deepest = 0
  let members = 0
  let inString = false
  for (let index = 0; index < json.length; index++) {
    const code = json.charCodeAt(index)
    if (inString) {
      if (code === 0x5c) index++
      else if (code === 0x22) inString = false
    } else if (code === 0x22) inString = true
    else if (code === 0x3a) members++
    else if (code === 0x7b || code === 0x5b) deepest = Math.max(deepest, ++depth)
    else if (code === 0x7d || code === 0x5d) depth--
  }
  return { depth: deepest, members }
}

/** The number of members of a parsed value: less than in its text if a name was repeated. */
export function membersOf(value: unknown): number {
  if (value === null || typeof value !== 'object') return 0
  const inner = Object.values(value)
  let count = Array.isArray(value) ? 0 : inner.length
  for (const one of inner) count += membersOf(one)
  return count
}

/** The path of the first repeated member of an object in a valid text. */
export function repeatedName(json: string): string {
  const open: { readonly names: Set<string> | null; step: string | number }[] = []
  for (const [token] of json.matchAll(/"(?:[^"\\]|\\.)*"(?:\s*:)?|[[\]{},]/g)) {
    const top = open.at(-1)
    if (token === '{') open.push({ names: new Set(), step: '' })
    else if (token === '[') open.push({ names: null, step: 0 })
    else if (token === '}' || token === ']') open.pop()
    else if (token === ',' && typeof top?.step === 'number') top.step++
    else if (token.endsWith(':') && top?.names) {
      const name: string = JSON.parse(token.slice(0, -1))
      top.step = name
      if (top.names.has(name)) break
      top.names.add(name)
    }
  }
  return open.map(({ step }) => step).join('.')
}

/**
 * The first value that could not be stored as it was written: text that PostgreSQL or a later reader rejects, or a
 * number that parsing changed. Null when there is none. `except` names a member that is not checked.
 */
export function valueFault(value: unknown, except?: string): FieldError | null {
  if (typeof value === 'string') return isBadText(value) ? badTextAt('') : null
  if (typeof value === 'number') return isHeldExactly(value) ? null : INEXACT
  if (value === null || typeof value !== 'object') return null
  for (const [name, inner] of Object.entries(value)) {
    if (name === '__proto__' || isBadText(name)) return badTextAt(name)
    const fault = name === except ? null : valueFault(inner)
    if (fault !== null) return { ...fault, field: fault.field === '' ? name : `${name}.${fault.field}` }
  }
  return null
}

/** NUL and lone surrogates. */
export function isBadText(text: string): boolean {
  return text.includes('\u0000') || !text.isWellFormed()
}

export function badTextAt(field: string): FieldError {
  return {
    field: field.replaceAll('\u0000', '').toWellFormed(),
    code: 'invalid_characters',
    message: 'must not contain NUL or broken Unicode',
  }
}

/** 9007199254740993 would be read as ...992 and 1e400 as infinity. */
function isHeldExactly(value: number): boolean {
  return Number.isSafeInteger(value) || (Number.isFinite(value) && !Number.isInteger(value))
}

const INEXACT: FieldError = { field: '', code: 'out_of_range', message: 'is a larger number than can be held exactly' }
