import type { QueryKey } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Refused } from '../../api/client.ts'
import { ConfirmDialog } from '../../ui/form/dialog.tsx'
import { TextArea } from '../../ui/form/field.tsx'
import { useDecision } from './use-decision.ts'

type Props = {
  readonly title: string
  /** The consequences of confirming. */
  readonly lead: string
  readonly label?: string
  readonly confirm: string
  /** The toast shown on success. */
  readonly done: string
  readonly danger?: boolean
  /** The reason why it cannot be confirmed yet. */
  readonly refusal?: string | null
  /** The list that the item is removed from. */
  readonly list: QueryKey
  readonly act: (reason: string) => Promise<unknown>
  readonly onClose: () => void
  /** Renders additional fields, given the error of each. */
  readonly children?: (faults: Refused['fields']) => ReactNode
}

/** Takes an item off a list, for a reason that is recorded. */
export function ReasonDialog({ label = 'Reason', list, act, done, onClose, children, ...dialog }: Props) {
  const [reason, setReason] = useState('')
  const decide = useDecision({ act: () => act(reason), list, done, onClose })
  const faults = decide.error instanceof Refused ? decide.error.fields : {}
  const fault = children === undefined ? Object.values(faults)[0] : faults['reason']
  return (
    <ConfirmDialog
      {...dialog}
      open
      onClose={onClose}
      busy={decide.isPending}
      error={fault === undefined ? decide.error?.message : undefined}
      onConfirm={() => decide.mutate()}
    >
      {children?.(faults)}
      <TextArea
        name="reason"
        label={label}
        value={reason}
        onChange={setReason}
        error={fault}
        help="Kept in the audit log."
      />
    </ConfirmDialog>
  )
}
