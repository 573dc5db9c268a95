import { AsyncLocalStorage } from 'node:async_hooks'

const owners = new AsyncLocalStorage<string>()

/** Runs work, and everything that it awaits, on behalf of a publisher or operator, so that turns can be shared fairly. */
export function onBehalfOf<T>(owner: string, work: () => T): T {
  return owners.run(owner, work)
}

/** The publisher or operator on whose behalf the current work runs; null for the service's own work. */
export function currentOwner(): string | null {
  return owners.getStore() ?? null
}
