import { type ReactNode, useState } from 'react'
import { desk } from '../../api/queries.ts'
import type { Reloaded } from '../../api/use-change.ts'
import { ChangeDialog } from '../../change-dialog.tsx'
import { TextArea } from '../../ui/form/field.tsx'

type Props = {
  readonly title: string
  /** The consequences of confirming. */
  readonly lead: string
  readonly label?: string
  /** The request field that carries the reason. */
  readonly name?: string
  readonly confirm: string
  /** The toast shown on success. */
  readonly done: string
  readonly danger?: boolean
  /** The reason why the dialog cannot be confirmed yet. */
  readonly refusal?: string | null
  /** The list that the item is removed from. */
  readonly list: Reloaded
  readonly act: (reason: string) => Promise<unknown>
  readonly onClose: () => void
  /** Additional fields above the reason. */
  readonly children?: ReactNode
}

/** Removes an item from a list and records the reason. */
export function ReasonDialog({ label = 'Reason', name = 'reason', list, act, children, ...dialog }: Props) {
  const [reason, setReason] = useState('')
  return (
    <ChangeDialog {...dialog} act={() => act(reason)} reload={[list, desk]}>
      {children}
      <TextArea name={name} label={label} value={reason} onChange={setReason} help="Recorded in the audit log." />
    </ChangeDialog>
  )
}
