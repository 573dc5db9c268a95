import { EDITED_LENGTH_MAX, editsFrom } from '../text/edit-distance.ts'
import { SETTINGS } from './settings.ts'

const PREFIX = 'LAUREL_'
const KNOWN: ReadonlySet<string> = new Set(SETTINGS.map(({ name }) => name))

/**
 * Returns a warning about each variable that looks like a setting but is not one, because a typo would otherwise
 * silently leave the default in place.
 */
export function findUnknownSettings(env: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(env)
    .filter(([name, value]) => name.startsWith(PREFIX) && !KNOWN.has(name) && !isServiceLink(name, value))
    .map(([name]) => {
      const nearest = findNearest(withoutPrefix(name))
      return `${name} is not a setting of Laurel${nearest === null ? '.' : `; did you mean ${nearest}?`}`
    })
}

/** Returns true for variables that Kubernetes and Docker set for a service named laurel. */
function isServiceLink(name: string, value = ''): boolean {
  return /^LAUREL_(SERVICE_(HOST|PORT)|PORT_\d)/.test(name) || /^(tcp|udp):/.test(value)
}

/** Strips the prefix before names are compared, because some settings have none. */
function withoutPrefix(name: string): string {
  return name.startsWith(PREFIX) ? name.slice(PREFIX.length) : name
}

/** Finds the setting with the smallest edit distance, allowing at most one edit per three letters. */
function findNearest(word: string): string | null {
  if (word === '' || word.length > EDITED_LENGTH_MAX) return null
  const edits = editsFrom(word)
  const [nearest] = SETTINGS.map(({ name }) => ({ name, mistakes: edits(withoutPrefix(name)) })).toSorted(
    (a, b) => a.mistakes - b.mistakes,
  )
  return nearest !== undefined && nearest.mistakes * 3 <= word.length ? nearest.name : null
}
