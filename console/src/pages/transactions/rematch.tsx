import { useState } from 'react'
import { post, type Schemas } from '../../api/client.ts'
import { useRefusal } from '../../api/permissions.ts'
import { useChange } from '../../api/use-change.ts'
import { dayIn, plural } from '../../format.ts'
import { usePublisher } from '../../publisher.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/form/dialog.tsx'
import { TextArea } from '../../ui/form/field.tsx'
import { useFields } from '../../ui/form/use-fields.ts'
import { Planned } from './planned.tsx'

type Props = { readonly publisher: string; readonly transaction: Schemas['Transaction'] }

/** Decides purchases at the same brand on the same day again with the current catalog, after previewing the changes. */
export function Rematch(props: Props) {
  const [isOpen, setOpen] = useState(false)
  const mayPreview = useRefusal()('rematches:read')
  return (
    <>
      <Button refusal={mayPreview} onClick={() => setOpen(true)}>
        Match again
      </Button>
      {isOpen && <RematchDialog {...props} onClose={() => setOpen(false)} />}
    </>
  )
}

function RematchDialog({ publisher, transaction, onClose }: Props & { readonly onClose: () => void }) {
  const mayRun = useRefusal()('rematches:run')
  const { values, field } = useFields({ reason: '' })
  const { reason } = values
  const day = dayIn(transaction.transaction_date_time, usePublisher()?.time_zone ?? 'UTC')
  const filter = {
    publisher_id: publisher,
    since: day,
    until: day,
    ...(transaction.brand_uid === null ? {} : { brand_uid: transaction.brand_uid }),
  }
  const preview = useChange({ act: () => post('/operator/rematches/preview', { body: filter }) })
  const apply = useChange({
    act: (hash: string) => post('/operator/rematches', { body: { ...filter, reason, hash } }),
    onDone: onClose,
    done: ({ changed }) => [`${plural(changed, 'purchase')} changed`, 'The re-match can be undone.'],
    reload: ['/'],
  })
  const planned = preview.data
  const which = transaction.brand_uid === null ? 'All purchases' : 'All purchases at this brand'
  return (
    <ConfirmDialog
      onClose={onClose}
      title="Match again"
      lead={`${which} on ${day} are decided again with the current catalog. You first see what would change.`}
      confirm={planned === undefined ? 'Show what would change' : `Change ${plural(planned.changed, 'purchase')}`}
      change={planned === undefined ? preview : apply}
      refusal={
        planned === undefined
          ? null
          : (mayRun ??
            (planned.changed === 0 ? 'Nothing would change.' : reason.trim() === '' ? 'Give a reason first.' : null))
      }
      onConfirm={() => (planned === undefined ? preview.mutate() : apply.mutate(planned.hash))}
    >
      {planned !== undefined && (
        <>
          <Planned planned={planned} />
          {planned.changed > 0 && <TextArea {...field('reason')} label="Reason" help="Recorded with the re-match." />}
        </>
      )}
    </ConfirmDialog>
  )
}
