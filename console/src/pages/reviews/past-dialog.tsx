import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { post, type Schemas } from '../../api/client.ts'
import { useRefusal } from '../../api/permissions.ts'
import { useChange } from '../../api/use-change.ts'
import { plural } from '../../format.ts'
import { ConfirmDialog } from '../../ui/form/dialog.tsx'
import { TextArea } from '../../ui/form/field.tsx'
import { useFields } from '../../ui/form/use-fields.ts'
import { Planned } from '../transactions/planned.tsx'

/** An answer that was given or undone, and the earlier purchases that it affects. */
export type Decided = {
  readonly review: Schemas['OperatorReview']
  readonly rematch: Schemas['DecidedReview']['rematch']
  readonly publishers: readonly Pick<Schemas['OperatorReview'], 'publisher_id' | 'publisher_name'>[]
}

/** Offers to re-match earlier purchases from the merchant, one publisher at a time, after previewing the changes. */
export function PastDialog({ review, rematch, publishers, onClose }: Decided & { readonly onClose: () => void }) {
  const mayRun = useRefusal()('rematches:run')
  const [at, setAt] = useState(0)
  const { values, field } = useFields({ reason: `Review of “${review.template}”` })
  const { reason } = values
  const publisher = publishers[at]
  const filter = { ...rematch, publisher_id: publisher?.publisher_id ?? '' }
  const { data: planned, error } = useQuery({
    queryKey: ['rematch-preview', filter],
    queryFn: () => post('/operator/rematches/preview', { body: filter }),
    enabled: publisher !== undefined,
    gcTime: 0,
    retry: false,
  })
  const next = () => (at + 1 < publishers.length ? setAt(at + 1) : onClose())
  const apply = useChange({
    act: (hash: string) => post('/operator/rematches', { body: { ...filter, reason, hash } }),
    onDone: next,
    done: ({ changed }) => [
      `${plural(changed, 'purchase')} changed at ${publisher?.publisher_name}`,
      'The re-match can be undone.',
    ],
    reload: ['/transactions'],
  })
  const changes = planned?.changed ?? 0
  return (
    <ConfirmDialog
      onClose={next}
      title={`Earlier purchases at ${publisher?.publisher_name}`}
      lead="They keep their outcome unless you match them again."
      cancel={at + 1 < publishers.length ? 'Skip' : 'Leave them as they are'}
      confirm={changes === 0 ? 'Match again' : `Change ${plural(changes, 'purchase')}`}
      change={{ ...apply, error: error ?? apply.error }}
      refusal={
        mayRun ??
        (planned === undefined
          ? 'The preview is still loading.'
          : changes === 0
            ? 'Nothing would change.'
            : reason.trim() === ''
              ? 'Give a reason first.'
              : null)
      }
      onConfirm={() => planned !== undefined && apply.mutate(planned.hash)}
    >
      {planned === undefined ? error === null && <div className="skeleton h-24" /> : <Planned planned={planned} />}
      {changes > 0 && <TextArea {...field('reason')} label="Reason" help="Recorded with the re-match." />}
    </ConfirmDialog>
  )
}
