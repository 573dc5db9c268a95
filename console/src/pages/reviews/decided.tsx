import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { post, type Schemas } from '../../api/client.ts'
import { useRefusal } from '../../api/permissions.ts'
import { desk } from '../../api/queries.ts'
import { ChangeDialog } from '../../change-dialog.tsx'
import { ago, plural } from '../../format.ts'
import { useParts } from '../../lists/use-list.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Empty } from '../../ui/empty.tsx'
import { More } from '../../ui/list/more.tsx'
import { type Decided, PastDialog } from './past-dialog.tsx'
import { REVIEWS, review as reviewQuery } from './queries.ts'

type Review = Schemas['OperatorReview']

/** The answers given, with author, time and scope, and a button to undo each. */
export function DecidedReviews() {
  const { rows, more } = useParts(REVIEWS.read({ status: 'DECIDED' }))
  const refusal = useRefusal()('reviews:decide')
  const [undoing, setUndoing] = useState<Review | null>(null)
  const [past, setPast] = useState<Decided | null>(null)
  return (
    <Card>
      {rows.length === 0 ? (
        <Empty title="No review has been answered yet">Answers appear here, and can be undone.</Empty>
      ) : (
        <ul aria-label="Answered reviews" className="divide-y divide-line">
          {rows.map((review) => (
            <li key={review.review_uid} className="flex flex-wrap items-center gap-x-4 gap-y-2 px-5 py-3">
              <div className="min-w-0 flex-1 basis-72">
                <p className="text-sm">
                  <span className="font-medium">{review.template}</span> {describeAnswer(review)}
                </p>
                <p className="text-ink-3 text-xs">
                  {review.is_for_all ? 'All publishers' : review.publisher_name} ·{' '}
                  {plural(review.purchases, 'purchase')} · {review.decided_by}
                  {review.decided_at !== null && `, ${ago(review.decided_at)}`}
                </p>
              </div>
              <Button
                refusal={refusal}
                aria-label={`Undo the answer for ${review.template}`}
                onClick={() => setUndoing(review)}
              >
                Undo
              </Button>
            </li>
          ))}
        </ul>
      )}
      <More query={more} />
      {undoing !== null && (
        <UndoDialog
          review={undoing}
          onClose={() => setUndoing(null)}
          onUndone={(undone) => {
            setUndoing(null)
            setPast(undone)
          }}
        />
      )}
      {past !== null && <PastDialog {...past} onClose={() => setPast(null)} />}
    </Card>
  )
}

export function describeAnswer({ brand_uid, brand_name }: Review): string {
  return brand_uid === null ? 'is another merchant' : `is ${brand_name ?? brand_uid}`
}

type UndoProps = {
  readonly review: Review
  readonly onClose: () => void
  readonly onUndone: (undone: Decided) => void
}

/** Undoes an answer. */
export function UndoDialog({ review, onClose, onUndone }: UndoProps) {
  const client = useQueryClient()
  // Undoing the answer also reopens the reviews that it closed for other publishers.
  const readAlike = () =>
    client.fetchQuery({ ...reviewQuery(review.review_uid), staleTime: 0 }).then(
      ({ alike }) => alike,
      () => [review],
    )
  return (
    <ChangeDialog
      onClose={onClose}
      title="Undo the answer"
      lead={`“${review.template}” is no longer bound${review.is_for_all ? ', at any publisher' : ''}, and waits for review again.`}
      confirm="Undo it"
      act={() => post('/operator/reviews/{review_uid}/undo', { path: { review_uid: review.review_uid } })}
      onDone={async ({ opened, rematch }) =>
        onUndone({ review, rematch, publishers: opened > 1 ? await readAlike() : [review] })
      }
      done={({ opened }) => ['Answer undone', `${plural(opened, 'review')} opened again.`]}
      reload={['/operator/reviews', desk]}
    />
  )
}
