import type { FieldName, Fields } from '../formats/format.ts'
import type { Content } from '../rules.ts'

/** A field of a report and the name it was found under, or its first name if the field is missing. */
type Found = { readonly name: string; readonly value: unknown }
export type Find = (field: FieldName) => Found

/** Returns a function that finds fields in a report by the network's names for them. */
export function createFieldFinder(content: Content, fields: Fields): Find {
  return (field) => {
    const names = fields[field] ?? []
    for (const name of names) {
      if (name.startsWith('=')) return { name: field, value: name.slice(1) }
      const value = getValueAt(content, name)
      if (!isAbsent(value)) return { name, value }
    }
    return { name: names[0] ?? field, value: names[0] === undefined ? undefined : getValueAt(content, names[0]) }
  }
}

export function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || value === ''
}

/**
 * Returns the value under a name or a path. Networks spell a name in several ways, such as `Order ID` and `orderId`.
 */
export function getValueAt(value: unknown, path: string): unknown {
  if (path === '') return value
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const members = value as Content
  if (Object.hasOwn(members, path)) return members[path]
  const wanted = plain(path)
  const alike = Object.keys(members).find((name) => plain(name) === wanted)
  if (alike !== undefined) return members[alike]
  const [first = '', ...rest] = path.split('.')
  return rest.length === 0 ? undefined : getValueAt(getValueAt(members, first), rest.join('.'))
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[\s_-]/g, '')
}
