/**
 * Postgres: the embedded PostgreSQL server of a data folder. Guarantees that all processes of a data folder share one
 * server, that a server left running by a killed process is adopted, and that the last process to leave shuts it down.
 */
export { backUpCluster, restoreCluster } from './backup.ts'
export { isAlive } from './cluster.ts'
export { hasDatabase } from './data-location.ts'
export { findEmbeddedPostgres, startEmbeddedPostgres } from './server.ts'
