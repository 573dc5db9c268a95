import { words } from '../../format.ts'

type Field = { readonly field: string; readonly from: unknown; readonly to: unknown }

/** The members of a brand or an offer that differ, each as it was and as it is. */
export function FieldChanges({ fields }: { readonly fields: readonly Field[] }) {
  if (fields.length === 0) return null
  return (
    <dl className="mt-2 space-y-1.5 rounded-md bg-sunken p-3">
      {fields.map(({ field, from, to }) => (
        <div key={field} className="grid gap-x-4 sm:grid-cols-[180px_minmax(0,1fr)]">
          <dt className="text-ink-2 text-xs">{words(field)}</dt>
          <dd className="min-w-0 break-words font-mono text-xs">
            <span className="sr-only">before </span>
            <del className="text-bad">{shown(from)}</del>
            <span aria-hidden="true" className="mx-2 text-ink-3">
              →
            </span>
            <span className="sr-only"> after </span>
            <ins className="text-ok no-underline">{shown(to)}</ins>
          </dd>
        </div>
      ))}
    </dl>
  )
}

function shown(value: unknown): string {
  if (value === undefined || value === null) return '–'
  return typeof value === 'string' ? value : JSON.stringify(value)
}
