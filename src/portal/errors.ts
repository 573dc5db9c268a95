/** src/refusals.ts has the status and title of each. */
export type PortalRefusal = 'portal_slug_taken' | 'portal_setting_invalid'

/** What is wrong with a field of a form, as pages say it: `code` names the words. It reaches no API. */
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
