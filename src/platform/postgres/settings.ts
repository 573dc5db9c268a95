/**
 * Settings of the embedded server. They are passed on the command line at each start, so a newer Laurel applies its own
 * settings to an old data folder without merging postgresql.conf.
 */
const SETTINGS: Readonly<Record<string, string>> = {
  // Loopback only. A Unix socket path is limited to 107 bytes, and a data folder's path can be longer than that.
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  password_encryption: 'scram-sha-256',
  // Three Laurel processes with fewer than 30 connections each, plus the command line and a psql session.
  max_connections: '100',
  // Holds the working set of a million users' balances and fits a machine with 1 GB of memory.
  shared_buffers: '128MB',
  effective_cache_size: '512MB',
  // Enough for the sorts and hashes of a 500-event batch, and still affordable for 100 connections.
  work_mem: '8MB',
  maintenance_work_mem: '64MB',
  // Full-page images make up most of our WAL between checkpoints, and they compress well.
  wal_compression: 'on',
  // During a large import, checkpoints are triggered by time rather than volume.
  max_wal_size: '2GB',
  // Data folders are on SSDs, but the default cost assumes a spinning disk.
  random_page_cost: '1.1',
  // Our statements are short, and compiling one would take longer than running it.
  jit: 'off',
  // Parallel workers exchange rows through /dev/shm, which is limited to 64 MB in many containers.
  max_parallel_workers_per_gather: '0',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // The log must not contain emails, tokens or keys. It therefore omits statements, row values and the messages of
  // failed statements, which quote values. Laurel logs its own failures.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
  log_line_prefix: '%m [%p] ',
}

// For test databases, which may be lost in a machine crash. Several test files share a server, and each can start
// several processes with their own pools.
const NOT_DURABLE: Readonly<Record<string, string>> = {
  max_connections: '300',
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  // In the cluster's folder. Query-heavy tests take a third more CPU time over TCP.
  unix_socket_directories: '.',
}

export function buildServerArguments(options: { readonly port: number; readonly durable: boolean }): string[] {
  const settings = { ...SETTINGS, ...(options.durable ? {} : NOT_DURABLE), port: String(options.port) }
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}
