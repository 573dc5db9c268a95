import { useQuery } from '@tanstack/react-query'
import { post, type Schemas } from '../../api/client.ts'
import { desk } from '../../api/queries.ts'
import { useChange, useReload } from '../../api/use-change.ts'
import { count, plural } from '../../format.ts'
import { ConfirmDialog } from '../../ui/form/dialog.tsx'
import { getBrandName } from './detail.tsx'
import type { Decided } from './past-dialog.tsx'
import { review as reviewQuery } from './queries.ts'

type Review = Schemas['OperatorReview']
export type Answer = {
  readonly review: Review
  readonly accepted: boolean
  readonly scope: Schemas['OperatorReviewAnswerScope']
}
type Props = Answer & { readonly onClose: () => void; readonly onDecided: (decided: Decided) => void }

/**
 * Shows the effects of an answer before it is sent: the merchant, the publishers, and the number of purchases waiting
 * for it.
 */
export function AnswerDialog({ review, accepted, scope, onClose, onDecided }: Props) {
  const reload = useReload()
  const { data, error: unread } = useQuery(reviewQuery(review.review_uid))
  const isForAll = scope === 'ALL'
  const bound = isForAll ? data?.alike : [review]
  const decide = useChange({
    act: () =>
      post('/operator/reviews/{review_uid}/decide', {
        path: { review_uid: review.review_uid },
        body: { brand_uid: accepted ? review.proposed_brand_uid : null, scope },
      }),
    onDone: async ({ review: decided, rematch }) => {
      // Refreshes before the dialog closes, because a key pressed right afterwards would otherwise reopen the same
      // review.
      await reload('/operator/reviews', desk)
      onDecided({ review: { ...review, ...decided, is_for_all: isForAll }, rematch, publishers: bound ?? [review] })
    },
  })
  const brand = getBrandName(review)
  const merchant = `“${review.template}”`
  return (
    <ConfirmDialog
      onClose={onClose}
      title={accepted ? `${merchant} is ${brand}?` : `${merchant} is not a brand in the catalog?`}
      lead={`From now on, every purchase at this merchant ${accepted ? `counts as ${brand}` : 'earns nothing'}, ${isForAll ? 'at every publisher' : `at ${review.publisher_name}`}. You can undo this.`}
      confirm={accepted ? `Yes, it is ${brand}` : 'Yes, another merchant'}
      confirmsByEnter
      change={{ ...decide, error: decide.error ?? (bound === undefined ? unread : null) }}
      refusal={bound === undefined ? 'Its effects are not known yet.' : null}
    >
      {bound === undefined ? (
        unread === null && <div className="skeleton h-10" />
      ) : (
        <div className="text-sm">
          <p>
            {plural(
              bound.reduce((sum, { purchases }) => sum + purchases, 0),
              'purchase',
            )}{' '}
            waiting at {plural(bound.length, 'publisher')}:
          </p>
          <ul className="mt-1 max-h-40 overflow-y-auto text-ink-2">
            {bound.map(({ publisher_id, publisher_name, purchases }) => (
              <li key={publisher_id} className="flex justify-between gap-4">
                <span>{publisher_name}</span>
                <span className="num">{count(purchases)}</span>
              </li>
            ))}
          </ul>
        </div>
      )}
    </ConfirmDialog>
  )
}
