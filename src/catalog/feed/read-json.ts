import type { Path, ReadFile } from './file-schema.ts'

/** Reads a JSON catalog. Null members count as absent. */
export function readJsonFile(text: string): ReadFile {
  try {
    return { value: withoutNulls(JSON.parse(text)), lineOf: (path) => lineOfValue(text, path), faults: [] }
  } catch (error) {
    const message = error instanceof Error ? error.message : ''
    const position = /position (\d+)/.exec(message)?.[1]
    const offset = position === undefined ? text.length : Number(position)
    return { value: null, lineOf: () => lineAt(text, offset), faults: [{ path: [], message: 'is not valid JSON' }] }
  }
}

/** Exports write absent members as null. */
export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (value === null || typeof value !== 'object') return value
  const members = Object.entries(value).filter(([, inner]) => inner !== null)
  return Object.fromEntries(members.map(([key, inner]) => [key, withoutNulls(inner)]))
}

/**
 * The line of the value at a path, or of the last part of the path that exists. JSON.parse keeps no positions, so the
 * valid text is walked again, for the few values with faults.
 */
export function lineOfValue(text: string, path: Path): number {
  let at = skipBlank(text, 0)
  for (const step of path) {
    const inner =
      text[at] === '{' ? memberAt(text, at, String(step)) : text[at] === '[' ? itemAt(text, at, Number(step)) : null
    if (inner === null) break
    at = inner
  }
  return lineAt(text, at)
}

function memberAt(text: string, open: number, name: string): number | null {
  let at = skipBlank(text, open + 1)
  while (text[at] === '"') {
    const end = skipValue(text, at)
    const key: unknown = JSON.parse(text.slice(at, end))
    const value = skipBlank(text, skipBlank(text, end) + 1)
    if (key === name) return value
    at = nextAfter(text, skipValue(text, value))
  }
  return null
}

function itemAt(text: string, open: number, index: number): number | null {
  let at = skipBlank(text, open + 1)
  for (let count = 0; at < text.length && text[at] !== ']'; count++) {
    if (count === index) return at
    at = nextAfter(text, skipValue(text, at))
  }
  return null
}

/** After a value: past the comma to the next one, or to the closing bracket. */
function nextAfter(text: string, end: number): number {
  const at = skipBlank(text, end)
  return text[at] === ',' ? skipBlank(text, at + 1) : at
}

function skipBlank(text: string, from: number): number {
  let at = from
  while (at < text.length && ' \t\r\n'.includes(text[at] ?? '')) at++
  return at
}

/** The end of the value that begins here. */
function skipValue(text: string, from: number): number {
  let depth = 0
  for (let at = from; at < text.length; at++) {
    const character = text[at] ?? ''
    if (character === '"') at = closingQuote(text, at)
    else if ('{['.includes(character)) depth++
    else if ('}]'.includes(character)) depth--
    if (depth > 0) continue
    if ('}]"'.includes(character)) return at + 1
    // A number, true, false or null ends before the next delimiter or blank.
    if (/[,}\]\s]/.test(text[at + 1] ?? ' ')) return at + 1
  }
  return text.length
}

function closingQuote(text: string, open: number): number {
  let at = open + 1
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at
}

function lineAt(text: string, offset: number): number {
  let line = 1
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) line++
  return line
}
