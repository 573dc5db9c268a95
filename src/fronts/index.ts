/**
 * Fronts: the programs that browsers run. Promises that a browser gets files of one build only, and that its pages load
 * and call nothing but this service.
 */
export { buildConsole } from './build.ts'
export { consoleRoutes } from './routes.ts'
