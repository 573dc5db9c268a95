import type { Scope } from '../../src/publishers/index.ts'

/** One sound request of an operation: every test of the door begins with it and spoils one thing. */
export type Row = {
  /** The scope of the key; null: any key; open: none; operator: an operator's; session: that of a person. */
  readonly scope: Scope | null | 'open' | 'operator' | 'session'
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, string>>
  /** The operation accepts query parameters that are not declared, because its links come from outside. */
  readonly lenientQuery?: true
}
