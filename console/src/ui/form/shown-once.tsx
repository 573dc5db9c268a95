import { Copyable } from '../copyable.tsx'
import { NoticeDialog } from './dialog.tsx'

type Props = {
  readonly title: string
  readonly lead: string
  readonly secret: string
  readonly onClose: () => void
}

/** Shows a secret that is never shown again. */
export function ShownOnce({ title, lead, secret, onClose }: Props) {
  return (
    <NoticeDialog mustBeRead onClose={onClose} title={title} lead={lead} close="I have saved it">
      <Copyable text={secret} />
    </NoticeDialog>
  )
}
