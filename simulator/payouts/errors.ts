/** A refusal by the bank, which becomes its error body. */
export class BankError extends Error {
  readonly status: 400 | 401 | 409 | 422 | 503
  readonly code: string
  readonly field: string | null

  constructor(status: BankError['status'], code: string, message: string, field: string | null = null) {
    super(message)
    this.name = 'BankError'
    this.status = status
    this.code = code
    this.field = field
  }
}

export function unavailable(): BankError {
  return new BankError(503, 'unavailable', 'the bank is not available; try again later')
}
