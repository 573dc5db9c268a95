import type { QueryKey } from '@tanstack/react-query'
import { useState } from 'react'
import { Refused } from '../../api/client.ts'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { TextArea } from '../../ui/field.tsx'
import { useDecision } from './use-decision.ts'

type Props = {
  readonly title: string
  /** What will happen. */
  readonly lead: string
  readonly label?: string
  readonly confirm: string
  /** Said when it is done. */
  readonly done: string
  readonly danger?: boolean
  /** The list that it leaves. */
  readonly list: QueryKey
  readonly act: (reason: string) => Promise<unknown>
  readonly onClose: () => void
}

/** Takes something off a list for a reason that is kept. */
export function ReasonDialog({
  title,
  lead,
  label = 'Reason',
  confirm,
  done,
  danger = false,
  list,
  act,
  onClose,
}: Props) {
  const [reason, setReason] = useState('')
  const decide = useDecision({ act: () => act(reason), list, done, onClose })
  const field = decide.error instanceof Refused ? Object.values(decide.error.fields)[0] : undefined
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={title}
      lead={lead}
      confirm={confirm}
      danger={danger}
      busy={decide.isPending}
      error={field === undefined ? decide.error?.message : undefined}
      onConfirm={() => decide.mutate()}
    >
      <TextArea
        name="reason"
        label={label}
        value={reason}
        onChange={setReason}
        error={field}
        help="It is kept in the audit log."
      />
    </ConfirmDialog>
  )
}
