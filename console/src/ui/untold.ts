import { useSyncExternalStore } from 'react'

type Toast = { readonly title: string; readonly description?: string }

let untold: readonly Toast[] = []
const listeners = new Set<() => void>()

function change(toasts: readonly Toast[]): void {
  untold = toasts
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Shows a brief message about the outcome of an action. */
export function tell(title: string, description?: string): void {
  change([...untold, { title, ...(description === undefined ? {} : { description }) }])
}

/** Returns and clears the toasts that have not been shown yet. */
export function takeUntold(): readonly Toast[] {
  const taken = untold
  if (taken.length > 0) change([])
  return taken
}

export function useUntold(): readonly Toast[] {
  return useSyncExternalStore(subscribe, () => untold)
}
