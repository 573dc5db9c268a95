import { Dialog as BaseDialog } from '@base-ui/react/dialog'
import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { cx } from './cx.ts'

type Props = {
  readonly open: boolean
  readonly onClose: () => void
  readonly title: string
  /** What will happen. */
  readonly lead?: ReactNode
  readonly children?: ReactNode
  readonly confirm: string
  readonly onConfirm: () => void
  readonly busy?: boolean
  readonly danger?: boolean
  /** For two columns of words, or for what is read. */
  readonly wide?: boolean
  /** Why it cannot be confirmed yet. */
  readonly refusal?: string | null
  /** Why the service refused. */
  readonly error?: string | undefined
}

/** Asks before something happens, and says what will. */
export function ConfirmDialog(props: Props) {
  const { open, onClose, title, lead, children, confirm, onConfirm, busy = false, danger = false, wide = false } = props
  const { refusal, error } = props
  return (
    <BaseDialog.Root open={open} onOpenChange={(isOpen) => !isOpen && onClose()}>
      <BaseDialog.Portal>
        <BaseDialog.Backdrop className="fixed inset-0 z-30 bg-black/40 transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <BaseDialog.Popup
          className={cx(
            '-translate-x-1/2 -translate-y-1/2 fixed top-1/2 left-1/2 z-30 max-h-[90dvh] w-[calc(100vw-2rem)] overflow-auto rounded-lg bg-surface shadow-pop outline-none transition-[opacity,scale] duration-150 data-ending-style:scale-95 data-starting-style:scale-95 data-ending-style:opacity-0 data-starting-style:opacity-0',
            wide ? 'max-w-2xl' : 'max-w-md',
          )}
        >
          <form
            onSubmit={(event) => {
              event.preventDefault()
              if (!refusal) onConfirm()
            }}
          >
            <div className="p-5">
              <BaseDialog.Title className="font-semibold text-lg tracking-[-0.01em]">{title}</BaseDialog.Title>
              {lead && (
                <BaseDialog.Description className="mt-1.5 break-words text-ink-2">{lead}</BaseDialog.Description>
              )}
              {children && <div className="mt-4 space-y-4">{children}</div>}
              {error !== undefined && (
                <p role="alert" className="mt-4 rounded-md bg-bad-soft px-3 py-2 text-bad text-sm">
                  {error}
                </p>
              )}
            </div>
            <div className="flex justify-end gap-2 border-line border-t px-5 py-3">
              <Button onClick={onClose}>Cancel</Button>
              <Button type="submit" tone={danger ? 'danger' : 'primary'} busy={busy} refusal={refusal}>
                {confirm}
              </Button>
            </div>
          </form>
        </BaseDialog.Popup>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  )
}
