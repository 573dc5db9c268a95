import { Dialog as BaseDialog } from '@base-ui/react/dialog'
import type { ReactNode, RefObject } from 'react'
import { cx } from '../cx.ts'

type OverlayProps = {
  readonly open?: boolean
  /** Called on Escape. Clicking outside does nothing, because it would discard input or content. */
  readonly onEscape: () => void
  readonly title: string
  readonly lead?: ReactNode
  readonly wide?: boolean
  /** Receives focus when the dialog opens. Defaults to the first control. */
  readonly initialFocus?: RefObject<HTMLElement | null> | undefined
  readonly children: ReactNode
  readonly footer?: ReactNode
}

/** A modal dialog. */
export function Overlay(props: OverlayProps) {
  const { open = true, onEscape, title, lead, wide = false, initialFocus, children, footer } = props
  return (
    <BaseDialog.Root open={open} disablePointerDismissal onOpenChange={(isOpen) => !isOpen && onEscape()}>
      <BaseDialog.Portal>
        <BaseDialog.Backdrop className="fixed inset-0 z-30 bg-black/40 transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <BaseDialog.Popup
          initialFocus={initialFocus}
          className={cx(
            '-translate-x-1/2 -translate-y-1/2 fixed top-1/2 left-1/2 z-30 max-h-[90dvh] w-[calc(100vw-2rem)] overflow-auto rounded-lg bg-surface shadow-pop outline-none transition-[opacity,scale] duration-150 data-ending-style:scale-95 data-starting-style:scale-95 data-ending-style:opacity-0 data-starting-style:opacity-0',
            wide ? 'max-w-2xl' : 'max-w-md',
          )}
        >
          <div className="p-5">
            <BaseDialog.Title className="font-semibold text-lg tracking-[-0.01em]">{title}</BaseDialog.Title>
            {lead && <BaseDialog.Description className="mt-1.5 break-words text-ink-2">{lead}</BaseDialog.Description>}
            {children}
          </div>
          {footer && (
            <div className="flex flex-wrap items-center justify-end gap-2 border-line border-t px-5 py-3">{footer}</div>
          )}
        </BaseDialog.Popup>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  )
}
