import type { ReactNode } from 'react'
import { Fragment } from 'react'
import { Card } from './card.tsx'

type Fact = readonly [name: string, value: ReactNode]

/** Name-value pairs, one below the other. Facts without a value are omitted. */
export function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl className="space-y-2.5 text-sm">
      {facts
        .filter(([, value]) => value !== null && value !== undefined && value !== '')
        .map(([name, value]) => (
          <div key={name}>
            <dt className="text-ink-3 text-xs">{name}</dt>
            <dd className="mt-0.5 break-words">{value}</dd>
          </div>
        ))}
    </dl>
  )
}

/** A card with name-value pairs. */
export function FactsCard({ title = 'Details', facts }: { readonly title?: string; readonly facts: readonly Fact[] }) {
  return (
    <Card className="p-5">
      <h2 className="mb-3 font-medium text-base">{title}</h2>
      <Facts facts={facts} />
    </Card>
  )
}

/** A column of amounts that add up to the last one. */
export function Sum({ rows }: { readonly rows: readonly (readonly [name: string, amount: string])[] }) {
  return (
    <dl className="num grid grid-cols-[1fr_auto] gap-x-4 gap-y-1.5 text-sm">
      {rows.map(([name, amount], index) => {
        const isTotal = index === rows.length - 1
        const line = isTotal ? 'border-line border-t pt-1.5 font-medium' : ''
        return (
          <Fragment key={name}>
            <dt className={isTotal ? line : 'text-ink-2'}>{name}</dt>
            <dd className={`text-right ${line}`}>{amount}</dd>
          </Fragment>
        )
      })}
    </dl>
  )
}
