import { EDITED_LENGTH_MAX, editsFrom } from './edit-distance.ts'
import { SETTINGS } from './settings.ts'

const PREFIX = 'LAUREL_'
const KNOWN: ReadonlySet<string> = new Set(SETTINGS.map(({ name }) => name))

/** A sentence for each variable that looks like a setting and is none: a typo would otherwise leave the default. */
export function unknownSettings(env: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(env)
    .filter(([name, value]) => name.startsWith(PREFIX) && !KNOWN.has(name) && !isServiceLink(name, value))
    .map(([name]) => {
      const nearest = nearestOf(bare(name))
      return `${name} is not a setting of Laurel${nearest === null ? '.' : `; did you mean ${nearest}?`}`
    })
}

/** Kubernetes and Docker set such variables for a service that is called laurel. */
function isServiceLink(name: string, value = ''): boolean {
  return /^LAUREL_(SERVICE_(HOST|PORT)|PORT_\d)/.test(name) || /^(tcp|udp):/.test(value)
}

/** The prefix says nothing: some settings have none. */
function bare(name: string): string {
  return name.startsWith(PREFIX) ? name.slice(PREFIX.length) : name
}

/** The setting with the fewest typing mistakes, at most one in three letters. */
function nearestOf(word: string): string | null {
  if (word === '' || word.length > EDITED_LENGTH_MAX) return null
  const edits = editsFrom(word)
  const [nearest] = SETTINGS.map(({ name }) => ({ name, mistakes: edits(bare(name)) })).toSorted(
    (a, b) => a.mistakes - b.mistakes,
  )
  return nearest !== undefined && nearest.mistakes * 3 <= word.length ? nearest.name : null
}
