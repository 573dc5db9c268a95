import { useEffect, useState } from 'react'

// Long enough that typing a word triggers only one request.
const TYPING_MS = 200

/** Returns true if the text has just changed, so that a request for it should wait. */
export function useIsTyping(typed: string): boolean {
  const [settled, setSettled] = useState(typed)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(typed), TYPING_MS)
    return () => clearTimeout(timer)
  }, [typed])
  return settled !== typed
}
