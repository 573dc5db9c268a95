import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { TakeoutFault } from './errors.ts'

/**
 * A row of an archive. An archive consists of gzipped lines of JSON: the manifest, the rows, and an end line that
 * proves that nothing is missing or changed. Each row is written exactly as `{"table":…,"sealed":{…},"row":{…}}`,
 * without `sealed` if it is empty. The contents of `row` are never parsed, because its numbers can exceed the precision
 * of JavaScript.
 */
export type ArchivedRow = {
  readonly table: string
  /** The values of sealed columns, in hexadecimal. */
  readonly sealed: Readonly<Record<string, string>>
  /** The row as JSON. */
  readonly text: string
}

export const isSealed = (column: string): boolean => column.startsWith('sealed_')

export function formatRow({ table, sealed, text }: ArchivedRow): string {
  const middle = Object.keys(sealed).length === 0 ? '' : `"sealed":${JSON.stringify(sealed)},`
  return `{"table":"${table}",${middle}"row":${text}}`
}

/** @throws TakeoutFault if formatRow could not have written the line */
export function readRow(line: string): ArchivedRow {
  const [whole, table = '', sealed = '{}'] =
    /^\{"table":"(\w+)",(?:"sealed":(\{[\w":,]*\}),)?"row":(?=\{".*\}\}$)/.exec(line) ?? []
  if (whole === undefined) throw new TakeoutFault('The archive contains a line that is not a row.')
  return { table, sealed: JSON.parse(sealed), text: line.slice(whole.length, -1) }
}

/** The end line of an archive: the number of preceding lines and their seal. */
type ArchiveEnd = { readonly lines: number; readonly seal: string }

export function endLine(end: ArchiveEnd): string {
  return JSON.stringify({ end })
}

/** Parses the end line. Returns null for any other line. */
export function readEnd(line: string): ArchiveEnd | null {
  return line.startsWith('{"end":') ? JSON.parse(line).end : null
}

export async function* zipLines(lines: AsyncIterable<string>): AsyncGenerator<Buffer> {
  // Rows are so repetitive that a low compression level suffices. At higher levels, compression would take longer than
  // writing the rows.
  const gzip = createGzip({ level: 3 })
  const fed = pipeline(lines, gzip)
  // The consumer of the stream receives the error anyway.
  fed.catch(() => undefined)
  yield* gzip
  await fed
}

const NEWLINE = 0x0a
// Far longer than any row.
const LINE_BYTES_MAX = 256 * 1024 * 1024

/**
 * Yields the lines of a gzipped file.
 * @throws TakeoutFault if it cannot be read or is truncated
 */
export async function* readLines(file: string): AsyncGenerator<string> {
  const gunzip = createGunzip()
  const fed = pipeline(createReadStream(file), gunzip)
  fed.catch(() => undefined)
  let parts: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of gunzip as AsyncIterable<Buffer>) {
      let from = 0
      for (let to = chunk.indexOf(NEWLINE); to >= 0; to = chunk.indexOf(NEWLINE, from)) {
        yield Buffer.concat([...parts, chunk.subarray(from, to)]).toString('utf8')
        parts = []
        bytes = 0
        from = to + 1
      }
      if (from < chunk.length) parts.push(chunk.subarray(from))
      bytes += chunk.length - from
      if (bytes > LINE_BYTES_MAX) throw new TakeoutFault(`${file} is not a takeout.`)
    }
    await fed
  } catch (error) {
    throw toFault(file, error)
  }
  if (parts.length > 0) throw cutShort(file)
}

export function cutShort(file: string): TakeoutFault {
  return new TakeoutFault(`${file} is truncated. Copy it again.`)
}

function toFault(file: string, error: unknown): unknown {
  const { code = '' } = error as { code?: string }
  if (code === 'ENOENT') return new TakeoutFault(`There is no file ${file}.`)
  if (code === 'Z_BUF_ERROR') return cutShort(file)
  if (/^(Z_|EISDIR|EACCES)/.test(code)) return new TakeoutFault(`${file} cannot be read as a takeout (${code}).`)
  return error
}
