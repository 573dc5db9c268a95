import { createHash, randomInt, randomUUID } from 'node:crypto'
import type { State } from './state.ts'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/**
 * A new id as the provider writes them: 37 case-sensitive characters. So a client whose database folds case is found
 * out.
 */
export function newId(): string {
  let id = ''
  for (let index = 0; index < 37; index++) id += BASE62[randomInt(62)]
  return id
}

/** The same parts always give the same id in the same form. */
export function derivedId(...parts: readonly string[]): string {
  let value = BigInt(`0x${createHash('sha256').update(JSON.stringify(parts)).digest('hex')}`)
  let id = ''
  for (let index = 0; index < 37; index++) {
    id += BASE62[Number(value % 62n)]
    value /= 62n
  }
  return id
}

/** A token names the environment in which it is good. */
export function newToken(state: State, type: 'link' | 'public' | 'access'): string {
  return `${type}-${state.environment ?? 'sandbox'}-${randomUUID()}`
}

/** 15 characters, enough to find a call in a log. */
export function newRequestId(): string {
  return newId().slice(0, 15)
}
