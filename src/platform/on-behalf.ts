import { AsyncLocalStorage } from 'node:async_hooks'

/** Identifies who the current work is for, so that shared resources are divided fairly. */
export type WorkCaller = {
  /**
   * The owner whose share of the connections is used: a publisher, an operator, or all strangers together; null if
   * unlimited.
   */
  readonly owner: string | null
  /** One of several users of that share, such as a network or a portal user; null if the owner has no members. */
  readonly member: string | null
  /**
   * Names of entities that are changed one at a time, such as a user. The work waits in these lines before it takes a
   * connection.
   */
  readonly lines: readonly string[]
}

const callers = new AsyncLocalStorage<WorkCaller>()

/** Runs work and everything it awaits on behalf of a caller, so that connections are shared fairly. */
export function runFor<T>(
  { owner, member = null, lines = [] }: Pick<WorkCaller, 'owner'> & Partial<WorkCaller>,
  work: () => T,
): T {
  return callers.run({ owner, member, lines }, work)
}

/** Runs work on behalf of the current caller. The work's transactions wait in these lines. */
export function runInLines<T>(lines: readonly string[], work: () => T): T {
  return callers.run({ owner: null, member: null, ...callers.getStore(), lines }, work)
}

/** Returns the caller of the current work; null for the service's own work. */
export function getCurrentCaller(): WorkCaller | null {
  return callers.getStore() ?? null
}

/**
 * Returns the caller for unauthenticated work. All such callers together get one publisher's share, divided by network.
 */
export function strangerFrom(network: string): Pick<WorkCaller, 'owner' | 'member'> {
  return { owner: 'strangers', member: network }
}
