import { Drawer } from '@base-ui/react/drawer'
import type { ReactNode } from 'react'

/** The sidebar on narrow screens, overlaid on the page. Following a link closes it. */
export default function SideMenu({
  onClose,
  children,
}: {
  readonly onClose: () => void
  readonly children: ReactNode
}) {
  return (
    <Drawer.Root open swipeDirection="left" onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Drawer.Portal>
        <Drawer.Backdrop className="fixed inset-0 z-20 bg-black/40 transition-opacity data-starting-style:opacity-0" />
        <Drawer.Popup
          aria-label="Menu"
          onClick={(event) => event.target instanceof Element && event.target.closest('a') && onClose()}
          className="data-starting-style:-translate-x-full fixed inset-y-0 left-0 z-20 flex w-72 flex-col bg-canvas shadow-pop transition-transform duration-200"
        >
          {children}
        </Drawer.Popup>
      </Drawer.Portal>
    </Drawer.Root>
  )
}
