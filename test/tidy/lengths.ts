import { posix } from 'node:path'
import { isTest } from './rooms.ts'
import { lineAt, type Source } from './source.ts'

export const FILE_LINES_MAX = 500
export const FUNCTION_LINES_MAX = 70

// The length of the longest function in these older files, which may not exceed it. The list may only shrink.
const LONG_ONES: Readonly<Record<string, number>> = {
  'src/catalog/catalog/import/import.test.ts': 97,
  'test/journeys/one-purchase.test.ts': 272,
  'test/support/reward-model.ts': 90,
}

export const NAME_COLUMNS_MAX = 100

/** Lists test names that are too long to read at a glance. */
export function longTestNames(sources: readonly Source[]): string[] {
  return sources.flatMap(({ path, text, code }) =>
    [...code.matchAll(/\btest\(\s*(['"`])/g)].flatMap(({ index, 0: head, 1: quote = '' }) => {
      const begins = index + head.length
      const { length } = text.slice(begins, code.indexOf(quote, begins))
      if (length <= NAME_COLUMNS_MAX) return []
      return [`${path}:${lineAt(text, index)} names a test in ${length} characters; ${NAME_COLUMNS_MAX} is the most`]
    }),
  )
}

export function longFiles(sources: readonly Source[]): string[] {
  return sources.flatMap(({ path, text }) => {
    const lines = text.trimEnd().split('\n').length
    return lines > FILE_LINES_MAX ? [`${path} has ${lines} lines; ${FILE_LINES_MAX} is the most`] : []
  })
}

export function longFunctions(sources: readonly Source[], longOnes = LONG_ONES): string[] {
  const longest = new Map<string, number>()
  const crossing = sources.flatMap((source) =>
    findFunctions(source).flatMap(({ line, length }) => {
      const most = longOnes[source.path] ?? FUNCTION_LINES_MAX
      longest.set(source.path, Math.max(length, longest.get(source.path) ?? 0))
      return length > most ? [`${source.path}:${line} is a function of ${length} lines; ${most} is the most`] : []
    }),
  )
  const grownShort = Object.keys(longOnes).filter((path) => (longest.get(path) ?? 0) <= FUNCTION_LINES_MAX)
  return [...crossing, ...grownShort.map((path) => `${path} has no long function any more; take it off the list`)]
}

/**
 * Relies on the formatter. A function ends at the first line that closes a brace with the indentation where the
 * function started.
 */
function findFunctions(source: Source): { line: number; length: number }[] {
  const lines = source.code.split('\n')
  return lines.flatMap((line, index) => {
    if (!line.trimEnd().endsWith('{')) return []
    const begins = findHead(lines, index)
    if (!isFunction(lines.slice(begins, index + 1).join(' '))) return []
    const indent = findIndent(lines[begins] ?? '')
    const ends = lines.findIndex((other, at) => at > index && other.startsWith(`${indent}}`))
    return [{ line: begins + 1, length: ends - begins + 1 }]
  })
}

/**
 * Returns the first line of a function head that spans several lines, which is the last line above with the same
 * indentation.
 */
function findHead(lines: readonly string[], index: number): number {
  const indent = findIndent(lines[index] ?? '')
  if (!/^\s*[)\]>}]/.test(lines[index] ?? '')) return index
  for (let at = index - 1; at >= 0; at--) {
    const line = lines[at] ?? ''
    if (line.trim() !== '' && findIndent(line).length <= indent.length && !/^\s*[)\]>}]/.test(line)) return at
  }
  return index
}

function isFunction(head: string): boolean {
  if (/^\s*(\} )?(if|for|while|switch|else|try|catch|do|class)\b/.test(head)) return false
  return /=>\s*\{\s*$|\bfunction\b/.test(head) || /^\s*(async |get |set |static |#)*[\w#]+\(.*\{\s*$/.test(head)
}

function findIndent(line: string): string {
  return /^ */.exec(line)?.[0] ?? ''
}

const FOLDER_FILES_MAX = 25

/** Lists folders with too many files to read at a glance, not counting tests. */
export function crowdedFolders(sources: readonly Source[]): string[] {
  const files = sources.filter(({ path }) => /^(console\/)?src\//.test(path) && !isTest(path))
  return [...Map.groupBy(files, ({ path }) => posix.dirname(path))]
    .filter(([, inside]) => inside.length > FOLDER_FILES_MAX)
    .map(([folder, inside]) => `${folder} has ${inside.length} files; ${FOLDER_FILES_MAX} is the most`)
}
