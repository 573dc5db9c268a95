import { Copyable } from './copyable.tsx'
import { ConfirmDialog } from './dialog.tsx'

type Props = {
  readonly title: string
  readonly lead: string
  readonly secret: string
  readonly onClose: () => void
}

/** A secret that is never shown again. */
export function ShownOnce({ title, lead, secret, onClose }: Props) {
  return (
    <ConfirmDialog open onClose={onClose} title={title} lead={lead} confirm="I have saved it" onConfirm={onClose}>
      <Copyable text={secret} />
    </ConfirmDialog>
  )
}
