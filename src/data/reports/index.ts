/**
 * Reports: exports of past activity, streamed or ordered as files, and users' statements. Never changes any other data.
 * Guarantees that a report is one consistent snapshot however long it takes to read, that memory use is constant, that
 * a file is either complete or absent, and that no file survives the erasure of a user.
 */
export type { ReportRefusal } from './errors.ts'
export { createReportLinks, type ReportLinks } from './orders/links.ts'
export { showReports } from './orders/metrics.ts'
export { REPORT } from './orders/order.ts'
export { reportFileRoutes } from './orders/routes.ts'
export { expireReports } from './orders/service.ts'
export { createReportWork, makeReports, type ReportWorkDeps, removeFiles } from './orders/work.ts'
export { reportRoutes } from './routes.ts'
export { orderAllScheduled, orderScheduled } from './schedules/service.ts'
export { yieldTransactionLines } from './service.ts'
export { readStatement } from './statement.ts'
export { createFolderStorage } from './storage/folder.ts'
export { createS3Storage } from './storage/s3.ts'
export type { ReportStorage } from './storage/storage.ts'
