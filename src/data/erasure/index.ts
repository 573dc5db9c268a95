/**
 * Leaving: a user's archive, their erasure and its proof. Guarantees that everything identifying an erased user is gone
 * within a day, wherever it was stored, and that balances, statements and the feed are the same as without the erasure.
 */
export { streamArchive } from './archive.ts'
export type { LeavingRefusal } from './errors.ts'
export { leavingRoutes } from './routes.ts'
export { ErasedUserSchema } from './schema.ts'
export { requestErasure } from './service.ts'
export { createErasures } from './work.ts'
