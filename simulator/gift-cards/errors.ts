/** A refusal by the supplier, which becomes its error body. */
export class SupplierError extends Error {
  readonly status: 400 | 401 | 404 | 409 | 422 | 503
  readonly code: string
  readonly field: string | null

  constructor(status: SupplierError['status'], code: string, message: string, field: string | null = null) {
    super(message)
    this.name = 'SupplierError'
    this.status = status
    this.code = code
    this.field = field
  }
}

export function unavailable(): SupplierError {
  return new SupplierError(503, 'unavailable', 'the supplier is not available; try again later')
}
