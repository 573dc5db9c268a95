import { AsyncLocalStorage } from 'node:async_hooks'

const owners = new AsyncLocalStorage<string>()

/** Marks the work, and all that it awaits, as done for this publisher or operator, so that turns can be shared fairly. */
export function onBehalfOf<T>(owner: string, work: () => T): T {
  return owners.run(owner, work)
}

/** For whom the present work is done; null for the service's own. */
export function presentOwner(): string | null {
  return owners.getStore() ?? null
}
