/**
 * Leaving: the archive of a user, their erasure, and the proof of it.
 * Promises that everything that identifies an erased user is gone within a day, wherever it stood, and that balances,
 * statements and the feed are as they would be without the erasure.
 */
export { streamArchive } from './archive.ts'
export type { LeavingRefusal } from './errors.ts'
export { leavingRoutes } from './routes.ts'
export { ErasedUserSchema } from './schema.ts'
export { requestErasure } from './service.ts'
export { eraseNext } from './work.ts'
