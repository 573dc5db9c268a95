import type { ReactNode } from 'react'
import type { Schemas } from '../../api/client.ts'
import { money, words } from '../../format.ts'
import { CardList } from '../../ui/card.tsx'
import { Time } from '../../ui/time.tsx'

type Line = Schemas['UserStatement']['content'][number]
const BALANCES = ['pending', 'available', 'held', 'debt'] as const

type Props = {
  readonly title: string
  readonly aside?: ReactNode
  readonly lines: readonly Line[]
  readonly currency: string
  /** Shown if there are no lines. */
  readonly empty: string
  readonly foot?: string | undefined
}

/** The lines of the user's statement. */
export function Lines({ title, aside, lines, currency, empty, foot }: Props) {
  return (
    <CardList
      title={title}
      aside={aside}
      rows={lines}
      empty={empty}
      ordered
      foot={foot !== undefined && <p className="num border-line border-t px-5 py-3 text-ink-3 text-sm">{foot}</p>}
    >
      {(line) => (
        <li
          key={line.journal_id}
          className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 px-5 py-2.5 text-sm"
        >
          <div className="min-w-0">
            <span className="font-medium">{words(line.kind)}</span>{' '}
            <span className="text-ink-2">{line.description}</span>
            <Time at={line.effective_at} className="num block text-ink-3 text-xs" />
          </div>
          <div className="num flex flex-wrap gap-x-4 text-right">
            {BALANCES.filter((name) => line.changes[name] !== 0).map((name) => (
              <span key={name}>
                <span className="text-ink-3 text-xs">{words(name)}</span> {line.changes[name] > 0 ? '+' : ''}
                {money(line.changes[name], currency)}
              </span>
            ))}
          </div>
        </li>
      )}
    </CardList>
  )
}
