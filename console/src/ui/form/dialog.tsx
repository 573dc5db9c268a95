import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { Button } from '../button.tsx'
import { TextField } from './field.tsx'
import { Overlay } from './overlay.tsx'
import { useUnsaved } from './unsaved.ts'

type Props = {
  readonly open: boolean
  readonly onClose: () => void
  readonly title: string
  /** The consequences of confirming. */
  readonly lead?: ReactNode
  readonly children?: ReactNode
  readonly confirm: string
  readonly onConfirm: () => void
  readonly cancel?: string
  readonly busy?: boolean
  readonly danger?: boolean
  /** Set for two columns or longer text. */
  readonly wide?: boolean
  /** The reason why it cannot be confirmed yet. */
  readonly refusal?: string | null
  /** Set for decisions that can be undone, so that Enter confirms them. */
  readonly confirmsByEnter?: boolean
  /** A phrase to type before confirming an action that cannot be undone. */
  readonly phrase?: string | undefined
  /** The reason why the service refused. */
  readonly error?: string | undefined
}

/** Explains an action and asks for confirmation. Escape asks before discarding input. */
export function ConfirmDialog(props: Props) {
  const { open, onClose, title, lead, children, confirm, onConfirm, cancel = 'Cancel' } = props
  const { busy = false, danger = false, wide = false, confirmsByEnter = false, refusal, phrase, error } = props
  const form = useId()
  const confirmButton = useRef<HTMLButtonElement>(null)
  const [isTyped, setTyped] = useState(false)
  const [isSent, setSent] = useState(false)
  const [isDiscarding, setDiscarding] = useState(false)
  const [typedPhrase, setTypedPhrase] = useState('')
  useUnsaved(open && isTyped && !isSent)
  useEffect(() => {
    if (open) return
    setTyped(false)
    setSent(false)
    setDiscarding(false)
    setTypedPhrase('')
  }, [open])
  // A refused form counts as unsaved again.
  useEffect(() => {
    if (error !== undefined) setSent(false)
  }, [error])
  const missing = refusal ?? (phrase === undefined || typedPhrase === phrase ? null : `Type “${phrase}” first.`)
  const isReady = open && confirmsByEnter && missing === null
  // A button with a refusal is a different element, so the focus on it is lost when the refusal goes away.
  useEffect(() => {
    if (isReady && !document.activeElement?.matches('button, a, input, select, textarea'))
      confirmButton.current?.focus()
  }, [isReady])
  const submit = () => {
    if (missing !== null || busy) return
    setSent(true)
    onConfirm()
  }
  return (
    <Overlay
      open={open}
      onEscape={() => (isTyped && !isDiscarding ? setDiscarding(true) : onClose())}
      title={title}
      lead={lead}
      wide={wide}
      initialFocus={confirmsByEnter ? confirmButton : undefined}
      // Keyed, because a button that React turns into another one during a click would submit the form.
      footer={
        isDiscarding ? (
          <>
            <p role="alert" className="mr-auto text-sm">
              Discard what you typed?
            </p>
            <Button key="keep" onClick={() => setDiscarding(false)} autoFocus>
              Keep editing
            </Button>
            <Button key="discard" tone="danger" onClick={onClose}>
              Discard
            </Button>
          </>
        ) : (
          <>
            <Button key="cancel" onClick={onClose}>
              {cancel}
            </Button>
            <Button
              key="confirm"
              type="submit"
              form={form}
              ref={confirmButton}
              tone={danger ? 'danger' : 'primary'}
              busy={busy}
              refusal={missing}
            >
              {confirm}
            </Button>
          </>
        )
      }
    >
      <form
        id={form}
        onInput={() => {
          setTyped(true)
          setSent(false)
        }}
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
        className="mt-4 space-y-4 empty:hidden"
      >
        {children}
        {phrase !== undefined && (
          <TextField
            name="confirm"
            label={`Type ${phrase} to confirm`}
            value={typedPhrase}
            onChange={setTypedPhrase}
            autoComplete="off"
          />
        )}
        {error !== undefined && (
          <p role="alert" className="rounded-md bg-bad-soft px-3 py-2 text-bad text-sm">
            {error}
          </p>
        )}
      </form>
    </Overlay>
  )
}

type NoticeProps = Pick<Props, 'onClose' | 'title' | 'lead' | 'children' | 'wide'> & {
  /** The label of the only button. */
  readonly close?: string
  /** Set if only the button may close it, because its content is never shown again. */
  readonly mustBeRead?: boolean
}

/** Shows information, with nothing to confirm or cancel. */
export function NoticeDialog({
  onClose,
  title,
  lead,
  children,
  close = 'Close',
  mustBeRead = false,
  wide = false,
}: NoticeProps) {
  useUnsaved(mustBeRead)
  return (
    <Overlay
      onEscape={() => !mustBeRead && onClose()}
      title={title}
      lead={lead}
      wide={wide}
      footer={
        <Button tone="primary" onClick={onClose}>
          {close}
        </Button>
      }
    >
      {children && <div className="mt-4 space-y-4">{children}</div>}
    </Overlay>
  )
}
