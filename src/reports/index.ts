/**
 * Reports: exports of what happened, and users' statements; reads only.
 * Promises one consistent snapshot however long the reading takes, in memory that does not grow with its length.
 */
export { reportRoutes } from './routes.ts'
