import type { ReactNode } from 'react'
import { dateTime, day } from '../format.ts'
import type { LucideIcon } from './icon.ts'

const DAY_LENGTH = 'yyyy-MM-dd'.length

export type Moment = {
  /** An instant or a calendar day. */
  readonly at: string
  readonly title: string
  readonly text?: ReactNode
  readonly icon: LucideIcon
  /** Set for the single most important moment. */
  readonly gold?: boolean
}

export function Timeline({ moments }: { readonly moments: readonly Moment[] }) {
  return (
    <ol>
      {moments.map(({ at, title, text, icon: Icon, gold }, index) => (
        <li key={`${at} ${title}`} className="relative flex gap-3.5 pb-5 last:pb-1">
          {index < moments.length - 1 && (
            <span aria-hidden="true" className="absolute top-7 bottom-0 left-[13px] w-px bg-line" />
          )}
          <span
            aria-hidden="true"
            className={`grid size-7 shrink-0 place-items-center rounded-full ${gold ? 'bg-gold text-on-gold' : 'bg-sunken text-ink-2'}`}
          >
            <Icon className="size-3.5" />
          </span>
          <div className="min-w-0 flex-1 pt-0.5">
            <div className="flex flex-wrap items-baseline justify-between gap-x-3">
              <h3 className="font-medium text-sm">{title}</h3>
              <time dateTime={at} className="num text-ink-3 text-xs">
                {at.length === DAY_LENGTH ? day(at) : dateTime(at)}
              </time>
            </div>
            {text && <div className="mt-0.5 text-ink-2 text-sm">{text}</div>}
          </div>
        </li>
      ))}
    </ol>
  )
}
