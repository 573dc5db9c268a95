import { useBlocker } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { hasUnsaved } from './ui/form/unsaved.ts'

// Loaded lazily, because nobody needs the dialog before typing something.
const LeaveDialog = lazy(() => import('./leave-dialog.tsx'))

/**
 * Asks for confirmation before leaving a page with unsaved changes, whether by a link, the browser's buttons or closing
 * the tab.
 */
export function LeaveGuard() {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => hasUnsaved() && current.pathname !== next.pathname,
    enableBeforeUnload: hasUnsaved,
    withResolver: true,
  })
  if (status === 'idle') return null
  return (
    <Suspense>
      <LeaveDialog onStay={reset} onLeave={proceed} />
    </Suspense>
  )
}
