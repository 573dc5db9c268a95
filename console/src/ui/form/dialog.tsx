import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { Button } from '../button.tsx'
import { TextField } from './field.tsx'
import { Form, FormError, type FormFault } from './form.tsx'
import { Overlay } from './overlay.tsx'
import { useUnsaved } from './unsaved.ts'

type Props = {
  readonly open?: boolean
  readonly onClose: () => void
  readonly title: string
  /** The consequences of confirming. */
  readonly lead?: ReactNode
  readonly children?: ReactNode
  readonly confirm: string
  /** The change to make on confirmation. */
  readonly change?: {
    readonly isPending: boolean
    readonly error: FormFault
    readonly mutate: (given: never) => void
  }
  /** Called on confirmation. Required if the change takes an argument. */
  readonly onConfirm?: () => void
  readonly cancel?: string
  readonly danger?: boolean
  /** Set if the dialog needs room for two columns or longer text. */
  readonly wide?: boolean
  /** The reason why the dialog cannot be confirmed yet. */
  readonly refusal?: string | null
  /** Set for decisions that can be undone, so that Enter confirms them. */
  readonly confirmsByEnter?: boolean
  /** A phrase to type before confirming an action that cannot be undone. */
  readonly phrase?: string | undefined
}

/** Explains an action and asks for confirmation. Escape asks before discarding input. */
export function ConfirmDialog(props: Props) {
  const { open = true, onClose, title, lead, children, confirm, change } = props
  const { danger = false, wide = false, confirmsByEnter = false, refusal, phrase, cancel = 'Cancel' } = props
  const { onConfirm = () => change?.mutate(undefined as never) } = props
  const { isPending: busy = false, error = null } = change ?? {}
  const form = useId()
  const typing = useTyping(open, error)
  const missing = refusal ?? (phrase === undefined || typing.phrase === phrase ? null : `Type “${phrase}” first.`)
  const confirmButton = useFocusWhenReady(open && confirmsByEnter && missing === null)
  const submit = () => {
    if (missing !== null || busy) return
    typing.send()
    onConfirm()
  }
  return (
    <Overlay
      open={open}
      onEscape={() => (typing.isTyped && !typing.isDiscarding ? typing.setDiscarding(true) : onClose())}
      title={title}
      lead={lead}
      wide={wide}
      initialFocus={confirmsByEnter ? confirmButton : undefined}
      // The keys keep React from reusing one button for another during a click, which would submit the form.
      footer={
        typing.isDiscarding ? (
          <Discarding onKeep={() => typing.setDiscarding(false)} onDiscard={onClose} />
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
      <Form id={form} error={error} onInput={typing.type} onSubmit={submit} className="mt-4 space-y-4 empty:hidden">
        {children}
        {phrase !== undefined && (
          <TextField
            name="confirm"
            label={`Type ${phrase} to confirm`}
            value={typing.phrase}
            onChange={typing.setPhrase}
            autoComplete="off"
          />
        )}
        <FormError error={error} />
      </Form>
    </Overlay>
  )
}

/**
 * Tracks input typed into a dialog but not sent yet. If the service rejects the form, the input counts as unsaved
 * again.
 */
function useTyping(open: boolean, error: Error | null) {
  const [isTyped, setTyped] = useState(false)
  const [isSent, setSent] = useState(false)
  const [isDiscarding, setDiscarding] = useState(false)
  const [phrase, setPhrase] = useState('')
  useUnsaved(open && isTyped && !isSent)
  useEffect(() => {
    if (open) return
    setTyped(false)
    setSent(false)
    setDiscarding(false)
    setPhrase('')
  }, [open])
  useEffect(() => {
    if (error !== null) setSent(false)
  }, [error])
  const type = () => {
    setTyped(true)
    setSent(false)
  }
  return { isTyped, type, send: () => setSent(true), isDiscarding, setDiscarding, phrase, setPhrase }
}

/** Restores focus when the reason for a refusal disappears, because a button with a refusal is a different element. */
function useFocusWhenReady(isReady: boolean) {
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (isReady && !document.activeElement?.matches('button, a, input, select, textarea')) button.current?.focus()
  }, [isReady])
  return button
}

function Discarding({ onKeep, onDiscard }: { readonly onKeep: () => void; readonly onDiscard: () => void }) {
  return (
    <>
      <p role="alert" className="mr-auto text-sm">
        Discard what you typed?
      </p>
      <Button key="keep" onClick={onKeep} autoFocus>
        Keep editing
      </Button>
      <Button key="discard" tone="danger" onClick={onDiscard}>
        Discard
      </Button>
    </>
  )
}

type NoticeProps = Pick<Props, 'onClose' | 'title' | 'lead' | 'children' | 'wide'> & {
  /** The label of the only button in the dialog. */
  readonly close?: string
  /** Set if the dialog can be closed only with its button, because its content is never shown again. */
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
