import { AsyncLocalStorage } from 'node:async_hooks'

/** The queues in which a request waits for shared resources. */
export type WorkCaller = {
  /**
   * The owner whose share of the connections it uses: a publisher, an operator, or all strangers; null if unlimited.
   */
  readonly owner: string | null
  /** One of several users of that share, such as a network or a portal user; null if the owner has no members. */
  readonly member: string | null
  /** Names of the things it changes one at a time, such as a user; it waits for them before it takes a connection. */
  readonly lines: readonly string[]
}

const callers = new AsyncLocalStorage<WorkCaller>()

/** Runs work, and everything that it awaits, on behalf of a caller, so that connections are shared fairly. */
export function onBehalfOf<T>(
  { owner, member = null, lines = [] }: Pick<WorkCaller, 'owner'> & Partial<WorkCaller>,
  work: () => T,
): T {
  return callers.run({ owner, member, lines }, work)
}

/** Runs work on behalf of the same caller, with its transactions waiting in these lines. */
export function inLinesOf<T>(lines: readonly string[], work: () => T): T {
  return callers.run({ owner: null, member: null, ...callers.getStore(), lines }, work)
}

/** The caller of the current work; null for the service's own work. */
export function currentCaller(): WorkCaller | null {
  return callers.getStore() ?? null
}

/** Unauthenticated callers together have the share of one publisher, and each network has a part of it. */
export function strangerFrom(network: string): Pick<WorkCaller, 'owner' | 'member'> {
  return { owner: 'strangers', member: network }
}
