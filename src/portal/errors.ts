/** Statuses and titles are in src/refusals-access.ts. */
export type PortalRefusal = 'portal_slug_taken' | 'portal_setting_invalid'

/** An error in a form field, as displayed on pages. `code` selects the wording. Never returned by the API. */
export class FieldFault extends Error {
  readonly field: string
  readonly code: string
  readonly members: Readonly<Record<string, unknown>> = {}

  constructor(field: string, code: string) {
    super(`${field}: ${code}`)
    this.name = 'FieldFault'
    this.field = field
    this.code = code
  }
}
