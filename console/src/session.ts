import { useSyncExternalStore } from 'react'

// The session state, shared between the code outside React that detects the end of the session and the dialog that
// starts a new one.
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
