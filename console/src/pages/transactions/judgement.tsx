import Check from 'lucide-react/icons/check'
import X from 'lucide-react/icons/x'
import type { Schemas } from '../../api/client.ts'
import { money, percent, words } from '../../format.ts'
import { Card, CardList, CardTitle } from '../../ui/card.tsx'
import { Copyable, shorten } from '../../ui/copyable.tsx'
import { Monogram } from '../../ui/monogram.tsx'
import { Pill } from '../../ui/pill.tsx'

type Match = Schemas['BrandMatch']
const BANDS = {
  automatic: ['Certain', 'good'],
  review: ['Uncertain', 'waiting'],
  none: ['None', 'neutral'],
} as const satisfies Readonly<Record<Schemas['BrandMatchBand'], unknown>>

/** Shows how the brand was found in the reported merchant data. */
export function Evidence({ matching }: { readonly matching: Match }) {
  const [label, tone] = BANDS[matching.band ?? 'none']
  return (
    <Card>
      <CardTitle aside={<Pill tone={tone}>{label}</Pill>}>How the brand was found</CardTitle>
      <p className="px-5 pt-1 text-ink-2 text-sm">
        By {words(matching.method).toLowerCase()}, with a score of {percent(matching.score ?? 0)}.
        {matching.reason !== null && ` ${words(matching.reason)}.`}
      </p>
      {matching.evidence.length === 0 ? (
        <p className="px-5 pt-2 pb-5 text-ink-3 text-sm">Nothing in the reports matches a brand in the catalog.</p>
      ) : (
        <dl className="mt-3 divide-y divide-line border-line border-t">
          {matching.evidence.map(({ field, value, matched }) => (
            <div
              key={`${field} ${value} ${matched}`}
              className="grid gap-x-4 px-5 py-2.5 text-sm sm:grid-cols-[180px_1fr]"
            >
              <dt className="text-ink-3">{words(field)}</dt>
              <dd className="min-w-0 break-words">
                <span className="font-mono text-xs">{value}</span>
                {matched !== value && (
                  <>
                    {' '}
                    <span className="text-ink-3">fits</span> <span className="font-mono text-xs">{matched}</span>
                  </>
                )}
              </dd>
            </div>
          ))}
        </dl>
      )}
    </Card>
  )
}

type Candidate = Schemas['DecisionCandidate']

type CandidatesProps = {
  readonly decision: Schemas['Decision']
  /** The name of the matched brand. */
  readonly brand: string
  readonly currency: string
}

/** Every offer that was considered, with the actual value and the required bound for each rule. */
export function Candidates({ decision, brand, currency }: CandidatesProps) {
  const { candidates, chosen, more_candidates: more, user_reward: reward } = decision
  return (
    <CardList
      title="Which offer applies"
      rows={candidates}
      empty="No offer was judged, because no brand with an offer was found."
      foot={more > 0 && <p className="border-line border-t px-5 py-3 text-ink-3 text-sm">{more} more were judged.</p>}
    >
      {(candidate) => (
        <Judged
          key={candidate.offer_uid}
          candidate={candidate}
          brand={brand}
          paid={candidate.offer_uid === chosen ? reward : null}
          currency={currency}
        />
      )}
    </CardList>
  )
}

type JudgedProps = Omit<CandidatesProps, 'decision'> & {
  readonly candidate: Candidate
  /** The user's reward from this offer; null if this offer does not pay. */
  readonly paid: number | null
}

function Judged({ candidate, brand, paid, currency }: JudgedProps) {
  const isChosen = paid !== null
  const reward = paid ?? candidate.would_earn ?? candidate.user_cashback
  const failed = candidate.rules.filter(({ passed }) => !passed).length
  return (
    <li>
      <details open={isChosen || undefined}>
        <summary className="flex min-h-11 cursor-default flex-wrap items-center gap-x-3 gap-y-1 px-5 py-2.5 hover:bg-sunken/60">
          <Monogram name={brand} />
          <span className="min-w-0 break-words font-medium text-sm">
            {candidate.offer_name ?? <code className="font-mono text-xs">{shorten(candidate.offer_uid)}</code>}
          </span>
          <Pill tone={isChosen ? 'good' : candidate.eligible ? 'info' : 'neutral'}>
            {isChosen ? 'Pays' : candidate.eligible ? 'Eligible' : words(candidate.status_reason ?? 'not eligible')}
          </Pill>
          <span className="num ml-auto text-ink-2 text-sm">
            {candidate.eligible ? money(reward, currency) : `${failed} of ${candidate.rules.length} rules not met`}
          </span>
        </summary>
        <div className="overflow-x-auto px-5 pb-3">
          <Copyable text={candidate.offer_uid} />
          <table className="w-full text-sm">
            <caption className="sr-only">Rules of the offer {candidate.offer_name ?? candidate.offer_uid}</caption>
            <thead>
              <tr className="text-left text-ink-3 text-xs">
                <th scope="col" className="h-8 pr-3 font-normal">
                  Rule
                </th>
                <th scope="col" className="pr-3 font-normal">
                  Seen
                </th>
                <th scope="col" className="pr-3 font-normal">
                  Asked for
                </th>
                <th scope="col" className="text-right font-normal">
                  Met
                </th>
              </tr>
            </thead>
            <tbody>
              {candidate.rules.map(({ rule, value, bound, passed }) => (
                <tr key={rule} className="border-line border-t">
                  <th scope="row" className="h-9 pr-3 text-left font-normal text-ink-2">
                    {words(rule)}
                  </th>
                  <td className="pr-3 break-words">{value ?? '–'}</td>
                  <td className="pr-3 break-words text-ink-2">{bound ?? '–'}</td>
                  <td className="text-right">
                    <Verdict passed={passed} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </li>
  )
}

function Verdict({ passed }: { readonly passed: boolean }) {
  const Icon = passed ? Check : X
  return (
    <span className={passed ? 'text-ok' : 'text-bad'}>
      <Icon aria-hidden="true" className="inline size-4" />
      <span className="sr-only">{passed ? 'Yes' : 'No'}</span>
    </span>
  )
}
