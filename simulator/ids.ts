import { createHash, randomInt, randomUUID } from 'node:crypto'
import type { State } from './state.ts'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/**
 * Generates an id like the provider's: 37 case-sensitive characters. The mixed case exposes clients whose database
 * ignores case.
 */
export function newId(): string {
  let id = ''
  for (let index = 0; index < 37; index++) id += BASE62[randomInt(62)]
  return id
}

/** Derives an id in the same format. The same parts always yield the same id. */
export function deriveId(...parts: readonly string[]): string {
  let value = BigInt(`0x${createHash('sha256').update(JSON.stringify(parts)).digest('hex')}`)
  let id = ''
  for (let index = 0; index < 37; index++) {
    id += BASE62[Number(value % 62n)]
    value /= 62n
  }
  return id
}

/** Generates a token that contains the name of its environment. */
export function newToken(state: State, type: 'link' | 'public' | 'access'): string {
  return `${type}-${state.environment ?? 'sandbox'}-${randomUUID()}`
}

/** Generates a 15-character id, long enough to identify a call in a log. */
export function newRequestId(): string {
  return newId().slice(0, 15)
}
