import { useEffect } from 'react'

/** The forms on the page with unsaved input. */
const unsaved = new Set<symbol>()

export function hasUnsaved(): boolean {
  return unsaved.size > 0
}

/** Marks a form as unsaved while it has changes, so that people are asked before leaving the page. */
export function useUnsaved(isUnsaved: boolean): void {
  useEffect(() => {
    if (!isUnsaved) return
    const form = Symbol('unsaved form')
    unsaved.add(form)
    return () => void unsaved.delete(form)
  }, [isUnsaved])
}
