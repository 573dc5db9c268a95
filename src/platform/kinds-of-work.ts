/**
 * What a database connection is used for. Each kind has connections and limits of its own, so that slow work delays
 * only its own kind.
 */
export type KindOfWork = 'calls' | 'searches' | 'checks' | 'health' | 'reports' | 'background' | 'webhooks' | 'commands'

export type WorkLimits = {
  readonly connections: number
  /** How many may wait for a connection, and for how long; further work is refused: see turns.ts. */
  readonly waitingMax: number
  readonly waitMaxMs: number
  /** Maximum connections of one owner; half of them if missing. */
  readonly ownerConnections?: number
  /** Maximum milliseconds of each second for one owner's work; if missing, only its connections limit it. */
  readonly ownerMsPerSecond?: number
  /** After how long the server ends a statement, a wait for a lock, and a transaction that waits for us. 0: never. */
  readonly statementMs: number
  readonly lockMs: number
  readonly idleMs: number
}

export const LIMITS: Readonly<Record<KindOfWork, WorkLimits>> = {
  // A caller waits for it. The longest statements, those of a batch of 500 events, take tenths of a second.
  calls: { connections: 10, waitingMax: 200, waitMaxMs: 5_000, statementMs: 10_000, lockMs: 5_000, idleMs: 10_000 },
  // Calls that read up to 100,000 rows for one answer. Few, because each keeps a processor of the server busy; those of
  // one publisher may do so for a third of the time.
  searches: {
    ...{ connections: 2, waitingMax: 50, waitMaxMs: 5_000, ownerMsPerSecond: 333 },
    ...{ statementMs: 10_000, lockMs: 5_000, idleMs: 10_000 },
  },
  // The keys and sessions of callers: single rows, which must not wait behind the work they let in.
  checks: { connections: 2, waitingMax: 1_000, waitMaxMs: 5_000, statementMs: 5_000, lockMs: 5_000, idleMs: 5_000 },
  // The probes of load balancers: one query at a time, whatever else is waiting.
  health: { connections: 1, waitingMax: 1, waitMaxMs: 5_000, statementMs: 5_000, lockMs: 5_000, idleMs: 5_000 },
  // One snapshot each. The statement lasts as long as its reader takes, which src/reports bounds below this limit.
  reports: { connections: 3, waitingMax: 10, waitMaxMs: 5_000, statementMs: 900_000, lockMs: 5_000, idleMs: 60_000 },
  // The worker's loops, the catalog of the process, and operators' imports, which process all rows in one statement.
  background: {
    ...{ connections: 5, waitingMax: 1_000, waitMaxMs: 60_000 },
    ...{ statementMs: 120_000, lockMs: 30_000, idleMs: 60_000 },
  },
  // One each to number events, claim queues and record attempts. These are a few statements that run thousands of
  // times: a large pool would plan them on every connection (measured: 1.6 times the server's work).
  webhooks: {
    ...{ connections: 3, waitingMax: 1_000, waitMaxMs: 60_000 },
    ...{ statementMs: 30_000, lockMs: 10_000, idleMs: 30_000 },
  },
  // A person waits and can interrupt it. Verifying or importing everything takes as long as it takes.
  commands: { connections: 8, waitingMax: 1_000, waitMaxMs: 60_000, statementMs: 0, lockMs: 60_000, idleMs: 600_000 },
}
