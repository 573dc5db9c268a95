import { Toast } from '@base-ui/react/toast'
import { useEffect } from 'react'
import { takeUntold, useUntold } from './untold.ts'

const manager = Toast.createToastManager()

export default function Toasts() {
  const untold = useUntold()
  // biome-ignore lint/correctness/useExhaustiveDependencies: each time there are new ones
  useEffect(() => {
    for (const toast of takeUntold()) manager.add(toast)
  }, [untold])
  return (
    <Toast.Provider toastManager={manager}>
      <Toast.Portal>
        <Toast.Viewport className="fixed right-4 bottom-4 z-40 flex w-[calc(100vw-2rem)] max-w-sm flex-col gap-2">
          <Shown />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  )
}

function Shown() {
  const { toasts } = Toast.useToastManager()
  return toasts.map((toast) => (
    <Toast.Root
      key={toast.id}
      toast={toast}
      className="rounded-lg bg-surface px-4 py-3 shadow-pop transition-[opacity,translate] data-ending-style:translate-y-2 data-starting-style:translate-y-2 data-ending-style:opacity-0 data-starting-style:opacity-0"
    >
      <Toast.Title className="font-medium text-sm" />
      <Toast.Description className="mt-0.5 text-ink-2 text-sm" />
    </Toast.Root>
  ))
}
