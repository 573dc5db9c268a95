import { useState } from 'react'

/** Stores a boolean choice in this browser. */
export function useRemembered(key: string, byDefault: boolean): [boolean, (isSo: boolean) => void] {
  const [kept, setKept] = useState(() => localStorage.getItem(key))
  const choose = (isSo: boolean) => {
    localStorage.setItem(key, String(isSo))
    setKept(String(isSo))
  }
  return [kept === null ? byDefault : kept === 'true', choose]
}
