import { lazy, Suspense, useState } from 'react'
import { useUntold } from './untold.ts'

// The component loads with the first toast.
const Toasts = lazy(() => import('./toasts.tsx'))

export function ToastArea() {
  const untoldNow = useUntold()
  const [isNeeded, setNeeded] = useState(false)
  if (!isNeeded && untoldNow.length > 0) setNeeded(true)
  if (!isNeeded) return null
  return (
    <Suspense>
      <Toasts />
    </Suspense>
  )
}
