import { ExplainedError } from './explained-error.ts'

/**
 * Thrown when a domain function refuses a request, which rolls the transaction back. src/refusals.ts maps the code to a
 * status and title. Rooms declare their codes in errors.ts and do not depend on HTTP.
 */
export class Refusal<Code extends string = string> extends ExplainedError {
  readonly code: Code
  readonly field: string | null
  readonly members: Readonly<Record<string, unknown>>
  readonly retryAfterSeconds: number | null
  readonly holdMs: number

  constructor(code: Code, detail: string, options: RefusalOptions = {}) {
    super(detail)
    this.name = 'Refusal'
    this.code = code
    this.field = options.field ?? null
    this.members = options.members ?? {}
    this.retryAfterSeconds = options.retryAfterSeconds ?? null
    this.holdMs = options.holdMs ?? 0
  }
}

type RefusalOptions = {
  /** The invalid input field, shown in errors[]. */
  readonly field?: string
  /** Additional members of the problem body, such as the id of the existing user. Must not contain secrets. */
  readonly members?: Readonly<Record<string, unknown>>
  readonly retryAfterSeconds?: number
  /** The time for which the response is held back (http/hold-refusals.ts). */
  readonly holdMs?: number
}

/** Returns the refusal for when too much work is already waiting. The response tells the caller when to retry. */
export function overloaded(): Refusal<'overloaded'> {
  return new Refusal('overloaded', 'The service is busy. Try again in a moment.')
}
