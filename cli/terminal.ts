import { styleText } from 'node:util'
import { shell } from './shell.ts'

/**
 * Results go to stdout, everything else to stderr, so that `--json` leaves exactly one JSON object on stdout and a
 * pipe never swallows a complaint. Colours follow NO_COLOR and whether the stream is a terminal.
 */
export function answer(text: string): void {
  shell().stdout.write(`${harmless(text)}\n`)
}

export function answerJson(value: Readonly<Record<string, unknown>>): void {
  shell().stdout.write(`${JSON.stringify(value, null, shell().stdout.isTTY ? 2 : 0)}\n`)
}

/** Prints a long text bit by bit, no faster than it is read; stops when the reader closes it. */
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

/** Removes characters that move the cursor or reorder text: names and descriptions come from outside. */
function harmless(text: string): string {
  return text.replaceAll(STYLE_OR_CONTROL, (_found, style?: string) => style ?? '�')
}

/** The same for a cell of a table, without line breaks and tabs, too. */
function cellOf(text: string): string {
  return harmless(text).replaceAll(/[\n\t]/g, '�')
}

/** Styles text that is meant for stdout. */
export function styled(format: Parameters<typeof styleText>[0], text: string): string {
  return styleText(format, text, { stream: shell().stdout })
}

/** A count with its noun: `1 key`, `2 keys`. Where more than one are no `…s`, their noun is given. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}

/** The title of a column, or of one that is aligned to the right. */
type Column = string | { readonly right: string }

/** Lines of a table in plain characters; a cell may be styled, which takes no room. */
export function tableOf(columns: readonly Column[], texts: readonly (readonly string[])[]): string[] {
  const rows = texts.map((row) => row.map(cellOf))
  const titles = columns.map((column) => (typeof column === 'string' ? column : column.right))
  const widths = titles.map((title, index) => Math.max(title.length, ...rows.map((row) => widthOf(row[index] ?? ''))))
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, index) => {
        const room = ' '.repeat((widths[index] ?? 0) - widthOf(cell))
        return typeof columns[index] === 'object' ? room + cell : cell + room
      })
      .join('  ')
      .trimEnd()
  return [styled('dim', line(titles)), ...rows.map(line)]
}

export function answerTable(columns: readonly Column[], rows: readonly (readonly string[])[]): void {
  for (const line of tableOf(columns, rows)) answer(line)
}

/** Control sequences are written, but not seen. */
function widthOf(cell: string): number {
  return [...cell.replaceAll(STYLES, '')].length
}

/** Cuts a text to a width, so that one long value does not break the lines of a table. */
export function shortened(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, width - 1)}…`
}
