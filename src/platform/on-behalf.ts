import { AsyncLocalStorage } from 'node:async_hooks'

/** Where a request waits for its turns at what requests share. */
export type WorkCaller = {
  /** Whose share of the connections it uses: a publisher, an operator, or all strangers together; null: no limits. */
  readonly owner: string | null
  /** One of several who use that share, such as a network or a portal user; null if they need not be told apart. */
  readonly member: string | null
  /** Whatever its transactions change one at a time, such as a user: they wait for that before they take a connection. */
  readonly lines: readonly string[]
}

const callers = new AsyncLocalStorage<WorkCaller>()

/** Runs work, and everything that it awaits, on behalf of a caller, so that turns can be shared fairly. */
export function onBehalfOf<T>(
  { owner, member = null, lines = [] }: Pick<WorkCaller, 'owner'> & Partial<WorkCaller>,
  work: () => T,
): T {
  return callers.run({ owner, member, lines }, work)
}

/** Runs work on behalf of the same caller, whose transactions wait in these lines. */
export function inLinesOf<T>(lines: readonly string[], work: () => T): T {
  return callers.run({ owner: null, member: null, ...callers.getStore(), lines }, work)
}

/** On whose behalf the current work runs; null for the service's own work. */
export function currentCaller(): WorkCaller | null {
  return callers.getStore() ?? null
}

/** Callers who have not said who they are have a publisher's share together, and each network has a part of it. */
export function strangerFrom(network: string): Pick<WorkCaller, 'owner' | 'member'> {
  return { owner: 'strangers', member: network }
}
