/**
 * Settings of the embedded server, passed on its command line at each start, so that a newer Laurel applies its own
 * settings to an old data folder and no postgresql.conf has to be merged.
 */
const SETTINGS: Readonly<Record<string, string>> = {
  // Loopback only. No unix socket: its path may be at most 107 bytes, and a data folder may be deeper than that.
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  password_encryption: 'scram-sha-256',
  // Three Laurel processes with 25 connections each, the command line and a person with psql.
  max_connections: '100',
  // Holds the hot part of a million users' balances and fits a machine with 1 GB.
  shared_buffers: '128MB',
  effective_cache_size: '512MB',
  // Sorts and hashes of a 500-event batch stay in memory; 100 connections times this is still bearable.
  work_mem: '8MB',
  maintenance_work_mem: '64MB',
  // Full-page images are most of our WAL between checkpoints, and they compress well.
  wal_compression: 'on',
  // During a large import, checkpoints are triggered by time rather than by volume.
  max_wal_size: '2GB',
  // Data folders are on solid-state disks; the default cost is that of a spinning one.
  random_page_cost: '1.1',
  // Our statements are short; compiling one would take longer than running it.
  jit: 'off',
  // Parallel workers exchange rows through /dev/shm, which has only 64 MB in many containers.
  max_parallel_workers_per_gather: '0',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // The log must contain no e-mail, token or key: no statements, no row values, and no messages of failed statements,
  // which quote values. Laurel logs its own failures.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
  log_line_prefix: '%m [%p] ',
}

// For databases of tests, which may be lost in a crash of the machine. Several test files share one server, and each
// may start several processes with a pool of its own.
const NOT_DURABLE: Readonly<Record<string, string>> = {
  max_connections: '300',
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  // In the cluster's folder. Over TCP, tests that mostly ask the database take a third more processor time.
  unix_socket_directories: '.',
}

export function serverArguments(options: { readonly port: number; readonly durable: boolean }): string[] {
  const settings = { ...SETTINGS, ...(options.durable ? {} : NOT_DURABLE), port: String(options.port) }
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}
