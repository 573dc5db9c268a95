import type { Schemas } from '../../api/client.ts'
import { count, plural, words } from '../../format.ts'
import { FieldChanges } from '../../ui/field-changes.tsx'
import { Pill, type Tone } from '../../ui/pill.tsx'
import { Scroll } from '../../ui/scroll.tsx'
import type { Outcome } from './run.ts'

type Change = Schemas['CatalogChange']
const CHANGES: Readonly<Record<Schemas['CatalogChangeKind'], readonly [label: string, tone: Tone]>> = {
  added: ['Added', 'good'],
  changed: ['Changed', 'info'],
  retired: ['Retired', 'bad'],
}
const KINDS = ['added', 'changed', 'retired', 'unchanged'] as const

/** Shows what a file changes: totals, the effects on users, and each changed brand and offer. */
export function Diff({ outcome: { brands, offers, effects, changes } }: { readonly outcome: Outcome }) {
  const meant = [
    effects.rates > 0 && `rewards of ${plural(effects.rates, 'offer')}`,
    effects.dates > 0 && `dates of ${plural(effects.dates, 'offer')}`,
    effects.conditions > 0 && `conditions of ${plural(effects.conditions, 'offer')}`,
  ].filter(Boolean)
  return (
    <>
      <Scroll label="Sums" className="px-5 py-4">
        <table className="num text-sm">
          <caption className="sr-only">How many brands and offers change</caption>
          <thead>
            <tr>
              <td />
              {KINDS.map((kind) => (
                <th key={kind} scope="col" className="px-3 pb-1 text-right font-normal text-ink-3 text-xs">
                  {words(kind)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {(
              [
                ['Brands', brands],
                ['Offers', offers],
              ] as const
            ).map(([name, counts]) => (
              <tr key={name}>
                <th scope="row" className="pr-6 text-left font-medium">
                  {name}
                </th>
                {KINDS.map((kind) => (
                  <td key={kind} className={`px-3 py-0.5 text-right ${counts[kind] === 0 ? 'text-ink-3' : ''}`}>
                    {count(counts[kind])}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
        {meant.length > 0 && <p className="mt-3 text-ink-2 text-sm">What changes for users: {meant.join(', ')}.</p>}
      </Scroll>
      {changes.length > 0 && (
        <ul aria-label="Changes" className="divide-y divide-line border-line border-t">
          {changes.map((change) => (
            <ChangeRow key={`${change.brand_name} ${change.uid}`} change={change} />
          ))}
        </ul>
      )}
    </>
  )
}

function ChangeRow({ change: { change, name, brand_name, fields } }: { readonly change: Change }) {
  const [label, tone] = CHANGES[change]
  return (
    <li className="px-5 py-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Pill tone={tone}>{label}</Pill>
        <span className="font-medium text-sm">{name}</span>
        {brand_name !== null && <span className="text-ink-3 text-sm">{brand_name}</span>}
      </div>
      {change === 'changed' && <FieldChanges fields={fields} />}
    </li>
  )
}
