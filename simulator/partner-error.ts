/** An error from the bank or the gift card supplier, rendered as its error body. */
export class PartnerError extends Error {
  readonly status: 400 | 401 | 404 | 409 | 422 | 503
  readonly code: string
  readonly field: string | null

  constructor(status: PartnerError['status'], code: string, message: string, field: string | null = null) {
    super(message)
    this.name = 'PartnerError'
    this.status = status
    this.code = code
    this.field = field
  }
}

export function unavailable(): PartnerError {
  return new PartnerError(503, 'unavailable', 'not available; try again later')
}
