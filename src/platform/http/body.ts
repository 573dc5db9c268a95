import { isUtf8 } from 'node:buffer'
import type { FastifyRequest } from 'fastify'
import { membersOf, outlineOf, repeatedName, valueFault } from './json.ts'
import { invalidInput, Problem } from './problems.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * The member of the body whose items the route validates one by one, so that one bad item does not fail the others.
     */
    batch?: string
  }
}

const DEPTH_MAX = 32

/**
 * Parses a JSON body. Depth is limited before parsing, because a body of depth 10,000 parses but makes the next
 * JSON.stringify throw. What parsing would change silently is refused: bytes that are not UTF-8, repeated members (the
 * last would win), and numbers that a double cannot hold. So is what would fail later: `__proto__` members, NUL
 * characters and lone surrogates.
 */
export async function parseJsonBody(request: FastifyRequest, bytes: string | Buffer): Promise<unknown> {
  // A compressed body could expand to many times its size.
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
    throw invalidInput([{ field: repeatedName(json), code: 'repeated_field', message: 'is named twice' }])
  }
  refuseBadValues(body, request.routeOptions.config.batch)
  return body
}

/** @throws Problem invalid_input for values that no body may contain. */
export function refuseBadValues(value: unknown, except?: string): void {
  const fault = valueFault(value, except)
  if (fault !== null) throw invalidInput([fault])
}
