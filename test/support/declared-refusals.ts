import { subscribe } from 'node:diagnostics_channel'
import type { AnsweredRefusal } from '../../src/platform/http/index.ts'

/**
 * Fails every test in which an operation returns an error that it does not declare, because callers rely on the codes
 * in the API reference.
 */
subscribe('laurel:refusal', (message) => {
  const { code, route, declared } = message as AnsweredRefusal
  if (declared !== null && !declared.includes(code))
    throw new Error(`${route} answers ${code}, which it does not declare: add it to its refusals`)
})
