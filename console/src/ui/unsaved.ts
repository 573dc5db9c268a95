import { useEffect } from 'react'

/** The forms on the page that hold something typed and not saved. */
const unsaved = new Set<symbol>()

export function hasUnsaved(): boolean {
  return unsaved.size > 0
}

/** Marks a form as unsaved while it holds changes, so that nobody leaves its page without being asked. */
export function useUnsaved(isUnsaved: boolean): void {
  useEffect(() => {
    if (!isUnsaved) return
    const form = Symbol('unsaved form')
    unsaved.add(form)
    return () => void unsaved.delete(form)
  }, [isUnsaved])
}
