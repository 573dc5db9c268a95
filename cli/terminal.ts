import { styleText } from 'node:util'
import { shell } from './shell.ts'

/**
 * Prints results to stdout. All other output goes to stderr, so `--json` leaves exactly one JSON object on stdout and a
 * pipe never swallows an error. Colors depend on NO_COLOR and on whether the stream is a terminal.
 */

export function answer(text: string): void {
  shell().stdout.write(`${harmless(text)}\n`)
}

export function answerJson(value: Readonly<Record<string, unknown>>): void {
  shell().stdout.write(`${JSON.stringify(value, null, shell().stdout.isTTY ? 2 : 0)}\n`)
}

/** Streams long text with backpressure, and stops when the reader closes the pipe. */
export async function printOut(texts: AsyncIterable<string | Buffer> | Iterable<string | Buffer>): Promise<void> {
  for await (const text of texts) {
    const isGone = await new Promise<boolean>((resolve) =>
      shell().stdout.write(text, (error) => resolve(error !== undefined && error !== null)),
    )
    if (isGone) return
  }
}

export function note(text: string): void {
  shell().stderr.write(`${harmless(text)}\n`)
}

const ESCAPE = String.fromCharCode(27)
const STYLES = new RegExp(`${ESCAPE}\\[[0-9;]*m`, 'g')
const STYLE_OR_CONTROL = new RegExp(
  `(${STYLES.source})|[^\\P{Cc}\\n\\t]|[\\p{Zl}\\p{Zp}\\u202A-\\u202E\\u2066-\\u2069]`,
  'gu',
)

/** Replaces characters that move the cursor or reorder text, because names and descriptions are untrusted input. */
function harmless(text: string): string {
  return text.replaceAll(STYLE_OR_CONTROL, (_found, style?: string) => style ?? '�')
}

/** Like `harmless`, but also replaces line breaks and tabs, which would break a table. */
function formatCell(text: string): string {
  return harmless(text).replaceAll(/[\n\t]/g, '�')
}

/** Styles text for stdout. */
export function styled(format: Parameters<typeof styleText>[0], text: string): string {
  return styleText(format, text, { stream: shell().stdout })
}

/** Formats a count with its noun, such as `1 key` or `2 keys`. Pass `many` for irregular plurals. */
export function formatCount(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}

/**
 * Lays out a plain-text table. A column whose title begins with `>` is aligned right. Style sequences in a cell add no
 * width.
 */
export function formatTable(columns: readonly string[], texts: readonly (readonly string[])[]): string[] {
  const rows = texts.map((row) => row.map(formatCell))
  const titles = columns.map((column) => column.replace(/^>/, ''))
  const widths = titles.map((title, index) =>
    Math.max(title.length, ...rows.map((row) => measureWidth(row[index] ?? ''))),
  )
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, index) => {
        const room = ' '.repeat((widths[index] ?? 0) - measureWidth(cell))
        return columns[index]?.startsWith('>') ? room + cell : cell + room
      })
      .join('  ')
      .trimEnd()
  return [styled('dim', line(titles)), ...rows.map(line)]
}

export function answerTable(columns: readonly string[], rows: readonly (readonly string[])[]): void {
  for (const line of formatTable(columns, rows)) answer(line)
}

/** Returns the visible width, not counting style sequences. */
function measureWidth(cell: string): number {
  return [...cell.replaceAll(STYLES, '')].length
}

/** Truncates text to a width so that one long value does not break a table row. */
export function shorten(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, width - 1)}…`
}
