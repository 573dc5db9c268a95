/**
 * The purpose of a database connection. Each kind has its own connections and limits, so that slow work delays only
 * work of its own kind.
 */
export type KindOfWork = 'calls' | 'searches' | 'checks' | 'health' | 'reports' | 'background' | 'webhooks' | 'commands'

export type WorkLimits = {
  readonly connections: number
  /**
   * The most work of one owner that may wait for a connection, and the longest wait. Work beyond either limit is
   * refused (see pacing.ts).
   */
  readonly waitingMax: number
  readonly waitMaxMs: number
  /** Maximum number of connections per owner. Defaults to half of the pool. */
  readonly ownerConnections?: number
  /** Maximum milliseconds of work per owner each second. If unset, only the number of connections limits an owner. */
  readonly ownerMsPerSecond?: number
  /** Time limits after which the server ends a statement, a lock wait or an idle transaction; 0 for none. */
  readonly statementMs: number
  readonly lockMs: number
  readonly idleMs: number
}

export const LIMITS: Readonly<Record<KindOfWork, WorkLimits>> = {
  // A caller is waiting. The longest statements, those for a batch of 500 events, take tenths of a second.
  calls: { connections: 10, waitingMax: 200, waitMaxMs: 5_000, statementMs: 10_000, lockMs: 5_000, idleMs: 10_000 },
  // Calls that read up to 100,000 rows for one response. Connections are few because each keeps a server CPU busy. One
  // publisher's calls may use a third of the time.
  searches: {
    connections: 2,
    waitingMax: 50,
    waitMaxMs: 5_000,
    ownerMsPerSecond: 333,
    statementMs: 10_000,
    lockMs: 5_000,
    idleMs: 10_000,
  },
  // Lookups of callers' keys and sessions: single rows that must not wait behind the work they admit.
  checks: { connections: 2, waitingMax: 1_000, waitMaxMs: 5_000, statementMs: 5_000, lockMs: 5_000, idleMs: 5_000 },
  // Load balancer probes: one query at a time, regardless of other waiting work.
  health: { connections: 1, waitingMax: 1, waitMaxMs: 5_000, statementMs: 5_000, lockMs: 5_000, idleMs: 5_000 },
  // One snapshot each. A statement lasts as long as its reader takes, which streamed-snapshot.ts limits to less than
  // `statementMs`.
  reports: { connections: 3, waitingMax: 10, waitMaxMs: 5_000, statementMs: 900_000, lockMs: 5_000, idleMs: 60_000 },
  // The worker's loops, the process's catalog, and operator imports, which process all rows in one statement.
  background: {
    connections: 5,
    waitingMax: 1_000,
    waitMaxMs: 60_000,
    statementMs: 120_000,
    lockMs: 30_000,
    idleMs: 60_000,
  },
  // One connection each for numbering events, claiming queues and recording attempts. These are a few statements that
  // run thousands of times, and a large pool would plan them on every connection (measured: 1.6 times the server load).
  webhooks: {
    connections: 3,
    waitingMax: 1_000,
    waitMaxMs: 60_000,
    statementMs: 30_000,
    lockMs: 10_000,
    idleMs: 30_000,
  },
  // A person is waiting and can interrupt the command. Verifying or importing everything has no time limit.
  commands: { connections: 8, waitingMax: 1_000, waitMaxMs: 60_000, statementMs: 0, lockMs: 60_000, idleMs: 600_000 },
}
