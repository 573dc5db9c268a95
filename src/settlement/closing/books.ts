import type { Publisher } from '../../publishers/index.ts'

/** Books to close: those of a publisher, or what the publishers of production share. */
export type Books = { readonly name: string; readonly publisher: Publisher | null }
