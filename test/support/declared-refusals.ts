import { subscribe } from 'node:diagnostics_channel'
import type { AnsweredRefusal } from '../../src/platform/http/index.ts'

/**
 * Whatever a test is about: a refusal that its operation does not declare fails it, because callers decide by the codes
 * that the API reference lists.
 */
subscribe('laurel:refusal', (message) => {
  const { code, route, declared } = message as AnsweredRefusal
  if (declared !== null && !declared.includes(code))
    throw new Error(`${route} answers ${code}, which it does not declare: add it to its refusals`)
})
