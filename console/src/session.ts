import { useSyncExternalStore } from 'react'

// The state of the session, for code outside React that learns of its end and for the dialog that asks for a new one.
let hasEnded = false
const listeners = new Set<() => void>()

export function setSessionEnded(ended: boolean): void {
  hasEnded = ended
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export function useSessionEnded(): boolean {
  return useSyncExternalStore(subscribe, () => hasEnded)
}
