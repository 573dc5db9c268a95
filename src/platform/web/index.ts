/**
 * Front ends: the code that runs in browsers. Guarantees that a browser gets files from a single build only, and that
 * pages neither load from nor call any other service.
 */
export { buildConsole } from './build.ts'
export { consoleRoutes } from './routes.ts'
