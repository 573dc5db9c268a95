import type { Scope } from '../../src/tenants/publishers/index.ts'

/** One valid request of an operation. Every input test starts from it and breaks one thing. */
export type Row = {
  /**
   * The scope the key needs; null if any key works. `open` needs no key, `operator` an operator's, `session` a
   * person's.
   */
  readonly scope: Scope | null | 'open' | 'operator' | 'session'
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, string>>
  /** Set when the operation accepts undeclared query parameters, because its links come from outside. */
  readonly lenientQuery?: true
}
