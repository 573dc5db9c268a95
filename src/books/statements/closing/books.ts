import type { Publisher } from '../../../tenants/publishers/index.ts'

/** Books to close: one publisher's own, or the books shared by all production publishers. */
export type Books = { readonly name: string; readonly publisher: Publisher | null }
