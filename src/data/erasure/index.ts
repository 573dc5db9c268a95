/**
 * Leaving: a user's archive and erasure, and the proof of erasure. Guarantees that everything identifying an erased
 * user is gone within a day, wherever it was stored, that balances and statements are unaffected, and that the feed
 * keeps its sequence.
 */
export { streamArchive } from './archive.ts'
export type { LeavingRefusal } from './errors.ts'
export { leavingRoutes } from './routes.ts'
export { ErasedUserSchema } from './schema.ts'
export { requestErasure } from './service.ts'
export { createErasures } from './work.ts'
