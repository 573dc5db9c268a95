import { useMatch } from '@tanstack/react-router'
import { type ReactNode, type RefObject, useEffect, useRef } from 'react'

const SERVICE = 'Laurel console'
/** The page that was shown last; null while the first one is loading. */
let shownPath: string | null = null

/**
 * Names the browser's tab after the element, and moves the focus to it when another page is shown, so that a screen
 * reader reads its title. The first page keeps the browser's own focus.
 */
export function usePageTitle(element: RefObject<HTMLElement | null>): void {
  // The page's own path: the address is already the next one's while the next page loads.
  // An address that leads nowhere has no page.
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
