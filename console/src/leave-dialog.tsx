import { ConfirmDialog } from './ui/form/dialog.tsx'

type Props = { readonly onStay: () => void; readonly onLeave: () => void }

export default function LeaveDialog({ onStay, onLeave }: Props) {
  return (
    <ConfirmDialog
      open
      onClose={onStay}
      title="Leave without saving?"
      lead="Your changes on this page will be lost."
      cancel="Stay"
      confirm="Leave"
      danger
      onConfirm={onLeave}
    />
  )
}
