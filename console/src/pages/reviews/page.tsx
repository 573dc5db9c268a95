import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import Check from 'lucide-react/icons/check'
import X from 'lucide-react/icons/x'
import { useEffect, useRef, useState } from 'react'
import { api, bodyOf, type Schemas } from '../../api/client.ts'
import { useRefusalOf } from '../../api/permissions.ts'
import { desk, reviews } from '../../api/queries.ts'
import { ago, count, plural } from '../../format.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Choice } from '../../ui/filters.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { tell } from '../../ui/toast.tsx'
import { nameOfBrand, ReviewDetail } from './detail.tsx'

type Review = Schemas['OperatorReview']
type Answer = {
  readonly review: Review
  readonly accepted: boolean
  readonly scope: Schemas['OperatorReviewAnswerScope']
}

/**
 * Merchants that probably are a brand, decided by keyboard alone: j and k move, y and n decide. The answer is sent while
 * the next one is read; one that is refused comes back to the list.
 */
export default function Reviews() {
  const { data } = useSuspenseQuery(reviews)
  const [decided, setDecided] = useState<ReadonlySet<string>>(new Set())
  const [scope, setScope] = useState<Schemas['OperatorReviewAnswerScope']>('ALL')
  const [chosen, setChosen] = useState(0)
  const refusal = useRefusalOf()('reviews:decide')
  const open = data.content.filter(({ review_uid }) => !decided.has(review_uid))
  const at = Math.min(chosen, open.length - 1)
  const review = open[at]
  const answer = useAnswer((uid, isDecided) =>
    setDecided((old) => (isDecided ? new Set([...old, uid]) : new Set([...old].filter((other) => other !== uid)))),
  )
  const decide = (accepted: boolean) => {
    if (review !== undefined && refusal === null) answer.mutate({ review, accepted, scope })
  }
  useKeys({
    j: () => setChosen(Math.min(at + 1, open.length - 1)),
    k: () => setChosen(Math.max(at - 1, 0)),
    y: () => decide(true),
    n: () => decide(false),
  })
  const left = data.total_elements - (data.content.length - open.length)
  const lead =
    left > 0
      ? `${plural(left, 'merchant')} may be a brand of the catalog.`
      : 'Merchants that may be a brand of the catalog.'
  return (
    <>
      <PageHeader title="Reviews" lead={lead} actions={left > 0 && <Keys />} />
      {review === undefined ? (
        <Card>
          <Empty title="Nothing to review">
            {left > 0
              ? 'These are decided. Reload the page for the next ones.'
              : 'When a purchase probably belongs to a brand but not certainly, its merchant appears here.'}
          </Empty>
        </Card>
      ) : (
        <div className="grid grid-cols-1 items-start gap-5 lg:grid-cols-[340px_minmax(0,1fr)]">
          <Queue open={open} at={at} onChoose={setChosen} />
          <Card aria-live="polite">
            <ReviewDetail review={review} />
            <div className="flex flex-wrap items-center gap-2 border-line border-t px-5 py-3">
              <Button tone="primary" refusal={refusal} onClick={() => decide(true)}>
                <Check aria-hidden="true" className="size-4" /> It is {nameOfBrand(review)}
                <kbd className="ml-1 font-sans text-xs opacity-80 max-sm:hidden">Y</kbd>
              </Button>
              <Button refusal={refusal} onClick={() => decide(false)}>
                <X aria-hidden="true" className="size-4" /> Another merchant
                <kbd className="ml-1 font-sans text-ink-3 text-xs max-sm:hidden">N</kbd>
              </Button>
              <Choice
                label="For whom"
                value={scope}
                options={[
                  ['ALL', 'For all publishers'],
                  ['PUBLISHER', `For ${review.publisher_name} only`],
                ]}
                onChange={(value) => setScope(value ?? 'ALL')}
              />
            </div>
          </Card>
        </div>
      )}
    </>
  )
}

function useAnswer(onDecided: (uid: string, isDecided: boolean) => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ review, accepted, scope }: Answer) =>
      bodyOf(
        api.POST('/operator/reviews/{review_uid}/decide', {
          params: { path: { review_uid: review.review_uid } },
          body: { brand_uid: accepted ? review.proposed_brand_uid : null, scope },
        }),
      ),
    meta: { shown: true },
    onMutate: ({ review }) => onDecided(review.review_uid, true),
    onError: (error, { review }) => {
      onDecided(review.review_uid, false)
      tell(`“${review.template}” is not decided`, error.message)
    },
    onSuccess: () => client.invalidateQueries({ queryKey: desk.queryKey }),
  })
}

/** Single keys, unless something is being typed or a modifier is held. */
function useKeys(actions: Readonly<Record<string, () => void>>): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const typing = event.target instanceof Element && event.target.closest('input, textarea, select, [role="dialog"]')
      if (typing || event.metaKey || event.ctrlKey || event.altKey) return
      actions[event.key.toLowerCase()]?.()
    }
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  })
}

const SHORTCUTS = [
  ['J', 'next'],
  ['K', 'previous'],
  ['Y', 'yes'],
  ['N', 'no'],
] as const

function Keys() {
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-ink-3 text-sm max-sm:hidden">
      {SHORTCUTS.map(([key, meaning]) => (
        <span key={key} className="inline-flex items-center gap-1.5">
          <kbd className="grid h-5 min-w-5 place-items-center rounded border border-line bg-surface px-1 font-sans text-ink-2 text-xs">
            {key}
          </kbd>
          {meaning}
        </span>
      ))}
    </p>
  )
}

type QueueProps = { readonly open: readonly Review[]; readonly at: number; readonly onChoose: (at: number) => void }

function Queue({ open, at, onChoose }: QueueProps) {
  const chosen = useRef<HTMLButtonElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another one is chosen
  useEffect(() => chosen.current?.scrollIntoView({ block: 'nearest' }), [at])
  return (
    <Card className="overflow-hidden">
      <ol aria-label="Waiting" className="max-h-[30dvh] divide-y divide-line overflow-y-auto lg:max-h-[68dvh]">
        {open.map((review, index) => (
          <li key={review.review_uid}>
            <button
              ref={index === at ? chosen : null}
              type="button"
              aria-current={index === at || undefined}
              onClick={() => onChoose(index)}
              className="block w-full cursor-default px-4 py-2.5 text-left hover:bg-sunken/60 aria-[current=true]:bg-brand-soft"
            >
              <span className="block truncate font-medium text-sm">{review.template}</span>
              <span className="mt-0.5 block truncate text-ink-2 text-xs">
                {nameOfBrand(review)}? {count(review.purchases)}× · {ago(review.last_seen_at)}
              </span>
            </button>
          </li>
        ))}
      </ol>
    </Card>
  )
}
