import { useMatch } from '@tanstack/react-router'
import { type ReactNode, type RefObject, useEffect, useRef } from 'react'

const SERVICE = 'Laurel console'
/** The path of the last page shown; null while the first one is loading. */
let shownPath: string | null = null

/**
 * Sets the tab's title to the element's text, and focuses the element when the page changes so that screen readers read
 * it. On the first page, focus stays where the browser put it.
 */
export function usePageTitle(element: RefObject<HTMLElement | null>): void {
  // Uses the page's own path, because the URL changes before the next page has loaded. A URL that does not exist has no
  // page.
  const path = useMatch({ strict: false, shouldThrow: false, select: ({ pathname }) => pathname }) ?? null
  useEffect(() => {
    document.title = `${element.current?.textContent} · ${SERVICE}`
  })
  useEffect(() => {
    if (shownPath !== null && shownPath !== path) element.current?.focus({ preventScroll: true })
    shownPath = path
  }, [path, element])
}

/** The heading of a page. */
export function PageTitle({ children }: { readonly children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null)
  usePageTitle(heading)
  return (
    <h1 ref={heading} tabIndex={-1} className="break-words font-semibold text-2xl tracking-[-0.02em] outline-none">
      {children}
    </h1>
  )
}
