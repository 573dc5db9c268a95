/**
 * Front ends: the code that runs in browsers. Guarantees that a browser only gets files from a single build, and that
 * pages load from and call this service only.
 */
export { buildConsole } from './build.ts'
export { consoleRoutes } from './routes.ts'
