import type { Scope } from '../../src/tenants/publishers/index.ts'

/** A valid request to an operation. Every input test starts from it and breaks one part. */
export type Row = {
  /**
   * The scope that the key needs; null if any key works. `open` needs no key, `operator` an operator's key, and
   * `session` a person's session.
   */
  readonly scope: Scope | null | 'open' | 'operator' | 'session'
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, string>>
  /** True if the operation accepts undeclared query parameters, because links to it come from outside. */
  readonly lenientQuery?: true
}
