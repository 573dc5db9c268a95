import { isUtf8 } from 'node:buffer'
import type { FastifyRequest } from 'fastify'
import type { FieldError } from './field-errors.ts'
import { membersOf, outlineOf, repeatedName, valueFault } from './json.ts'
import { Problem } from './problems.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The member of the body whose items the route judges one by one, because a bad one must not fail the others. */
    batch?: string
  }
}

const DEPTH_MAX = 32

/**
 * Reads a JSON body. Depth is bounded before parsing, because a body that parses at depth 10,000 makes the next
 * JSON.stringify throw. Whatever reading would change is refused instead: bytes that are not UTF-8, a member named
 * twice (the last would win), numbers that a double cannot hold; and so is what fails later and elsewhere:
 * `__proto__` members, NUL characters and halves of surrogate pairs.
 */
export async function parseJsonBody(request: FastifyRequest, bytes: string | Buffer): Promise<unknown> {
  // What unfolds to many times its size is not taken in at all.
  if ((request.headers['content-encoding'] ?? 'identity') !== 'identity')
    throw new Problem('unsupported_media_type', 'Send the body without a Content-Encoding.')
  if (typeof bytes !== 'string' && !isUtf8(bytes)) throw new Problem('body_unreadable', 'The body is not UTF-8.')
  const json = bytes.toString()
  if (json.trim() === '') return undefined
  const { depth, members } = outlineOf(json)
  if (depth > DEPTH_MAX) throw new Problem('body_unreadable', `The body is nested deeper than ${DEPTH_MAX} levels.`)
  let body: unknown
  try {
    body = JSON.parse(json)
  } catch {
    throw new Problem('body_unreadable', 'The body is not valid JSON.')
  }
  if (membersOf(body) !== members) {
    throw invalidInput({ field: repeatedName(json), code: 'repeated_field', message: 'is named twice' })
  }
  refuseBadValues(body, request.routeOptions.config.batch)
  return body
}

/** @throws Problem invalid_input for what a body may not hold, whatever the operation. */
export function refuseBadValues(value: unknown, except?: string): void {
  const fault = valueFault(value, except)
  if (fault !== null) throw invalidInput(fault)
}

export function invalidInput(fault: FieldError): Problem {
  return new Problem('invalid_input', `${fault.field} ${fault.message}`.trim(), { errors: [fault] })
}
