import type { Path, ReadFile } from './file-schema.ts'

/** Reads a JSON catalog, treating null members as absent. */
export function readJsonFile(text: string): ReadFile {
  try {
    return { value: removeNulls(JSON.parse(text)), findLine: (path) => findValueLine(text, path), faults: [] }
  } catch (error) {
    const message = error instanceof Error ? error.message : ''
    const position = /position (\d+)/.exec(message)?.[1]
    const offset = position === undefined ? text.length : Number(position)
    return { value: null, findLine: () => lineAt(text, offset), faults: [{ path: [], message: 'is not valid JSON' }] }
  }
}

/** Removes null members, because other systems' exports write absent members as null. */
export function removeNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(removeNulls)
  if (value === null || typeof value !== 'object') return value
  const members = Object.entries(value).filter(([, inner]) => inner !== null)
  return Object.fromEntries(members.map(([key, inner]) => [key, removeNulls(inner)]))
}

const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s{}[\],:"]+/g

/**
 * Returns the line of the value at a path, or of the deepest part of the path that exists. JSON.parse does not report
 * positions, so the text, known to be valid, is scanned again for the few values with errors.
 */
export function findValueLine(text: string, path: Path): number {
  let found = { depth: -1, at: 0 }
  /** The path to the current value: positions in lists, keys of objects, and null where a key is expected next. */
  const steps: (string | number | null)[] = []
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    const last = steps.at(-1)
    if (token === '}' || token === ']') steps.pop()
    else if (token === ',') steps[steps.length - 1] = typeof last === 'number' ? last + 1 : null
    else if (last === null) steps[steps.length - 1] = JSON.parse(token) as string
    else if (token !== ':') {
      const isNext =
        steps.length === found.depth + 1 && steps.every((step, level) => String(step) === String(path[level]))
      if (isNext) found = { depth: steps.length, at: index }
      if (found.depth === path.length) break
      if (token === '{') steps.push(null)
      else if (token === '[') steps.push(0)
    }
  }
  return lineAt(text, found.at)
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length
}
