import type { QueryKey } from '@tanstack/react-query'
import type { ComponentProps } from 'react'
import { type Change, useChange } from './api/use-change.ts'
import { ConfirmDialog } from './ui/form/dialog.tsx'

type Props<Answer, Fresh, Key extends QueryKey> = Change<Answer, void, Fresh, Key> &
  Omit<ComponentProps<typeof ConfirmDialog>, 'change' | 'onConfirm'>

/** A dialog that makes a change on confirmation. It then closes, unless `onDone` does something else. */
export function ChangeDialog<Answer, Fresh = unknown, Key extends QueryKey = QueryKey>(
  props: Props<Answer, Fresh, Key>,
) {
  const change = useChange({ onDone: props.onClose, ...props })
  return <ConfirmDialog {...props} change={change} />
}
