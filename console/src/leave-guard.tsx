import { useBlocker } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { hasUnsaved } from './ui/unsaved.ts'

// No page needs the dialog before something is typed.
const LeaveDialog = lazy(() => import('./leave-dialog.tsx'))

/** Asks before a page with unsaved changes is left, by a link, the browser's buttons or closing its tab. */
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
