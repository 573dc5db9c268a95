import { readShortJson } from '../../platform/http/index.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { UserRefusal } from './errors.ts'

const BYTES_MAX = 16 * 1024
const DEPTH_MAX = 5

/**
 * Returns attributes as the JSON text that is stored and returned.
 * @throws Refusal attributes_invalid for `attributes`
 */
export function formatAttributes(given: Readonly<Record<string, unknown>> | string): string {
  const value = typeof given === 'string' ? parsed(given) : given
  if (value === null || typeof value !== 'object' || Array.isArray(value))
    throw invalid('must be a JSON object, or one serialized as a string')
  if (!fitsIn(value, DEPTH_MAX)) throw invalid('must not be nested more than 5 levels deep')
  const text = JSON.stringify(value)
  if (Buffer.byteLength(text) > BYTES_MAX) throw invalid('must not be larger than 16 KiB')
  return text
}

function parsed(text: string): unknown {
  // JSON inside a string is not covered by the limit on the nesting of the request body.
  if (Buffer.byteLength(text) > BYTES_MAX) throw invalid('must not be larger than 16 KiB')
  try {
    return readShortJson(text)
  } catch (error) {
    throw invalid(
      `must be a JSON object, or one serialized as a string. ${error instanceof Refusal ? error.message : ''}`.trim(),
    )
  }
}

/** Returns true if the value is nested at most `levels` deep. */
function fitsIn(value: unknown, levels: number): boolean {
  if (value === null || typeof value !== 'object') return true
  return levels > 0 && Object.values(value).every((inner) => fitsIn(inner, levels - 1))
}

function invalid(message: string): Refusal<UserRefusal> {
  return new Refusal<UserRefusal>('attributes_invalid', `attributes ${message}`, { field: 'attributes' })
}
