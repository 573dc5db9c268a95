/**
 * A verb's way of saying no. It rolls the transaction back; the edge turns the code into a status and a public text
 * (src/refusals.ts). Rooms declare their codes in errors.ts and know no HTTP status.
 */
export class Refusal<Code extends string = string> extends Error {
  readonly code: Code
  readonly field: string | null
  readonly members: Readonly<Record<string, unknown>>
  readonly retryAfterSeconds: number | null

  constructor(code: Code, detail: string, options: RefusalOptions = {}) {
    super(detail)
    this.name = 'Refusal'
    this.code = code
    this.field = options.field ?? null
    this.members = options.members ?? {}
    this.retryAfterSeconds = options.retryAfterSeconds ?? null
  }
}

type RefusalOptions = {
  /** The input field that is at fault; shown in errors[]. */
  readonly field?: string
  /** Further members of the problem body, e.g. the existing user's id. Never anything secret. */
  readonly members?: Readonly<Record<string, unknown>>
  readonly retryAfterSeconds?: number
}
