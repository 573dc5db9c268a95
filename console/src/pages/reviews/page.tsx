import { useQuery } from '@tanstack/react-query'
import Check from 'lucide-react/icons/check'
import X from 'lucide-react/icons/x'
import { type ComponentProps, useEffect, useRef, useState } from 'react'
import type { Schemas } from '../../api/client.ts'
import { useRefusal } from '../../api/permissions.ts'
import { desk } from '../../api/queries.ts'
import { ago, count, plural } from '../../format.ts'
import { useList, useParts } from '../../lists/use-list.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Choice } from '../../ui/list/filters.tsx'
import { More } from '../../ui/list/more.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { type Answer, AnswerDialog } from './answer-dialog.tsx'
import { DecidedReviews, describeAnswer, UndoDialog } from './decided.tsx'
import { getBrandName, ReviewDetail } from './detail.tsx'
import { type Decided, PastDialog } from './past-dialog.tsx'
import { REVIEWS } from './queries.ts'

type Review = Schemas['OperatorReview']

/** Merchants that probably belong to a brand, either awaiting an answer or already answered. */
export default function Reviews() {
  const { isFiltered, list } = useList(REVIEWS)
  const { rows, more } = useParts(REVIEWS.read())
  const { data: waiting } = useQuery(desk)
  const counted = waiting?.content.find(({ what }) => what === 'reviews')?.count
  const left = more.hasNextPage && counted !== undefined ? counted : rows.length
  return (
    <>
      <PageHeader
        title="Reviews"
        lead={
          left > 0
            ? `${plural(left, 'merchant')} may match a brand in the catalog.`
            : 'No merchant is waiting for review.'
        }
        actions={
          <>
            {left > 0 && !isFiltered && <Keys />}
            {list.filters}
          </>
        }
      />
      {isFiltered ? <DecidedReviews /> : <Waiting open={rows} more={more} />}
    </>
  )
}

type Open = { readonly open: readonly Review[]; readonly more: ComponentProps<typeof More>['query'] }

/** The open reviews, which can be worked through entirely by keyboard: j and k move, y and n answer, Enter confirms. */
function Waiting({ open, more }: Open) {
  const [scope, setScope] = useState<Schemas['OperatorReviewAnswerScope']>('ALL')
  const [chosen, setChosen] = useState(0)
  const [answer, setAnswer] = useState<Answer | null>(null)
  const [last, setLast] = useState<Decided | null>(null)
  const refusal = useRefusal()('reviews:decide')
  const at = Math.min(chosen, open.length - 1)
  const review = open[at]
  const ask = (accepted: boolean) => {
    if (review !== undefined && refusal === null) setAnswer({ review, accepted, scope })
  }
  useKeys({
    j: () => setChosen(Math.min(at + 1, open.length - 1)),
    k: () => setChosen(Math.max(at - 1, 0)),
    y: () => ask(true),
    n: () => ask(false),
  })
  return (
    <>
      {last !== null && <LastAnswer decided={last} onUndone={() => setLast(null)} />}
      {review === undefined ? (
        <Card>
          <Empty title="Nothing to review">
            When a purchase resembles a brand, but not closely enough to be sure, its merchant appears here.
          </Empty>
        </Card>
      ) : (
        <div className="grid grid-cols-1 items-start gap-5 lg:grid-cols-[340px_minmax(0,1fr)]">
          <Queue open={open} more={more} at={at} onChoose={setChosen} />
          <Card aria-live="polite">
            <ReviewDetail review={review} />
            <div className="flex flex-wrap items-center gap-2 border-line border-t px-5 py-3">
              <Button tone="primary" refusal={refusal} onClick={() => ask(true)}>
                <Check aria-hidden="true" className="size-4" /> It is {getBrandName(review)}
                <kbd className="ml-1 font-sans text-xs opacity-80 max-sm:hidden">Y</kbd>
              </Button>
              <Button refusal={refusal} onClick={() => ask(false)}>
                <X aria-hidden="true" className="size-4" /> Another merchant
                <kbd className="ml-1 font-sans text-ink-3 text-xs max-sm:hidden">N</kbd>
              </Button>
              <Choice
                label="Applies to"
                value={scope}
                options={[
                  ['ALL', 'All publishers'],
                  ['PUBLISHER', `Only ${review.publisher_name}`],
                ]}
                onChange={(value) => setScope(value ?? 'ALL')}
              />
            </div>
          </Card>
        </div>
      )}
      {answer !== null && (
        <AnswerDialog
          {...answer}
          onClose={() => setAnswer(null)}
          onDecided={(decided) => {
            setAnswer(null)
            setLast(decided)
          }}
        />
      )}
    </>
  )
}

/** The latest answer, with buttons to undo it and to apply it to earlier purchases. */
function LastAnswer({ decided, onUndone }: { readonly decided: Decided; readonly onUndone: () => void }) {
  const [asked, setAsked] = useState<'undo' | 'past' | null>(null)
  const { review } = decided
  const close = () => setAsked(null)
  return (
    <div role="status" className="mb-5 flex flex-wrap items-center gap-3 rounded-md bg-ok-soft px-4 py-2.5 text-sm">
      <p className="min-w-0 flex-1 basis-72">
        “{review.template}” {describeAnswer(review)}. Earlier purchases keep their outcome until they are matched again.
      </p>
      <Button onClick={() => setAsked('past')}>Match earlier purchases</Button>
      <Button onClick={() => setAsked('undo')}>Undo</Button>
      {asked === 'past' && <PastDialog {...decided} onClose={close} />}
      {asked === 'undo' && <UndoDialog review={review} onClose={close} onUndone={onUndone} />}
    </div>
  )
}

/** Handles single-key shortcuts, unless something is being typed or a modifier is held. */
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

type QueueProps = Open & { readonly at: number; readonly onChoose: (at: number) => void }

function Queue({ open, more, at, onChoose }: QueueProps) {
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
                {getBrandName(review)}? {count(review.purchases)}× · {ago(review.last_seen_at)}
              </span>
            </button>
          </li>
        ))}
      </ol>
      <More query={more} />
    </Card>
  )
}
