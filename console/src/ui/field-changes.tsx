import { words } from '../format.ts'

/** A member before and after a change. `from` is undefined if there was nothing before. */
type Field = { readonly field: string; readonly from: unknown; readonly to: unknown }

/** Shows the members that differ, before and after. */
export function FieldChanges({ fields }: { readonly fields: readonly Field[] }) {
  const changed = fields.flatMap((field) => findDifferences({ ...field, field: words(field.field) }))
  if (changed.length === 0) return null
  return (
    <dl className="mt-2 space-y-1.5 rounded-md bg-sunken p-3">
      {changed.map(({ field, from, to }) => (
        <div key={field} className="grid gap-x-4 sm:grid-cols-[180px_minmax(0,1fr)]">
          <dt className="text-ink-2 text-xs">{field}</dt>
          <dd className="min-w-0 break-words font-mono text-xs">
            {from !== undefined && (
              <>
                <span className="sr-only">before </span>
                <del className="text-bad">{shown(from)}</del>
                <span aria-hidden="true" className="mx-2 text-ink-3">
                  →
                </span>
                <span className="sr-only"> after </span>
              </>
            )}
            <ins className="text-ok no-underline">{shown(to)}</ins>
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** Breaks a change down into single values, because nobody would spot one changed limit in two lines of JSON. */
function findDifferences({ field, from, to }: Field): Field[] {
  const [before, after] = [toMembers(from), toMembers(to)]
  if (before === null || after === null || (isNothing(from) && isNothing(to)))
    return shown(from) === shown(to) ? [] : [{ field, from, to }]
  const absent = from === undefined ? undefined : null
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((name) =>
    findDifferences({
      field: `${field} › ${words(name)}`,
      from: before[name] ?? absent,
      to: after[name] ?? null,
    }),
  )
}

const isNothing = (value: unknown): boolean => value === undefined || value === null

/** Returns the members of an object, or the objects in a list, keyed by position; null for a single value. */
function toMembers(value: unknown): Readonly<Record<string, unknown>> | null {
  if (isNothing(value)) return {}
  if (typeof value !== 'object') return null
  if (!Array.isArray(value)) return value as Record<string, unknown>
  if (!value.some((one) => typeof one === 'object')) return value.length === 0 ? {} : null
  return Object.fromEntries(value.map((one, index) => [`${index + 1}`, one]))
}

function shown(value: unknown): string {
  if (value === undefined || value === null) return '–'
  if (Array.isArray(value) && toMembers(value) === null) return value.join(', ')
  return typeof value === 'string' ? value : JSON.stringify(value)
}
