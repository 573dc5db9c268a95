import { exponentOf } from '../platform/money.ts'
import { CURRENCY, KINDS } from './columns.ts'
import { createPlaces, findPlaces } from './records.ts'
import type { ReportFormat } from './schema.ts'
import { type Sink, type Value, writeBytes } from './values.ts'

// Much larger than a line, and what a connection takes at once.
const CHUNK_BYTES = 64 * 1024
// No byte of a record becomes more than the six of \u001f, and the lengths between its values leave room for the rest.
const EXPANSION_MAX = 6

/** Writes rows as lines, from the bytes that PostgreSQL sends to the bytes that are answered, in chunks. */
export function lineWriter(format: ReportFormat): (records: readonly Buffer[]) => Generator<Buffer> {
  const write = recordWriter(format)
  const keysBytes = Buffer.byteLength(format.before.join('') + format.end)
  return function* (records) {
    let sink: Sink = { bytes: Buffer.allocUnsafe(CHUNK_BYTES), end: 0 }
    for (const record of records) {
      const lineMax = record.length * EXPANSION_MAX + keysBytes
      if (sink.end + lineMax > sink.bytes.length) {
        if (sink.end > 0) yield sink.bytes.subarray(0, sink.end)
        sink = { bytes: Buffer.allocUnsafe(Math.max(CHUNK_BYTES, lineMax)), end: 0 }
      }
      write(sink, record)
    }
    if (sink.end > 0) yield sink.bytes.subarray(0, sink.end)
  }
}

function recordWriter(format: ReportFormat): (sink: Sink, record: Buffer) => void {
  const writeText = textWriter(format)
  const before = format.before.map((text) => Buffer.from(text))
  const [end, none, quote] = [Buffer.from(format.end), Buffer.from(format.none), Buffer.from(format.quote)]
  const places = createPlaces(KINDS.length)
  const value: Value = { record: end, start: 0, length: 0, currency: '', exponent: 0 }

  return (sink, record) => {
    findPlaces(record, places)
    value.record = record
    take(CURRENCY)
    findCurrency(value)
    for (let column = 0; column < KINDS.length; column++) {
      writeBytes(sink, before[column] ?? none)
      take(column)
      const kind = KINDS[column]
      if (value.length < 0 || kind === undefined) writeBytes(sink, none)
      else if (kind.is === 'text') writeText(sink, value)
      else {
        if (kind.is === 'word') writeBytes(sink, quote)
        kind.write(sink, value)
        if (kind.is === 'word') writeBytes(sink, quote)
      }
    }
    writeBytes(sink, end)
  }

  function take(column: number): void {
    value.start = places.starts[column] ?? 0
    value.length = places.lengths[column] ?? 0
  }
}

/** The value is the name of a currency; that of the row before is most often the same. */
function findCurrency(value: Value): void {
  const { record, start, length, currency } = value
  let same = length === currency.length
  for (let at = 0; same && at < length; at++) same = record[start + at] === currency.charCodeAt(at)
  if (same && currency !== '') return
  value.currency = record.toString('latin1', start, start + length)
  value.exponent = exponentOf(value.currency)
}

const [NEVER, NOT_FIRST, ALWAYS] = [0, 1, 2]

/** Texts of plain bytes are copied as they are; the few others become a text, which the format writes. */
function textWriter({ quote, textOf }: ReportFormat): (sink: Sink, value: Value) => void {
  const quoteBytes = Buffer.from(quote)
  const plain = Uint8Array.from({ length: 256 }, (_, byte) => {
    // Both formats leave every character beyond ASCII as it is, and such bytes are parts of those.
    const character = byte < 0x80 ? String.fromCharCode(byte) : ''
    const isLeft = (text: string) => textOf(text) === quote + text + quote
    return isLeft(`a${character}`) ? (isLeft(character) ? ALWAYS : NOT_FIRST) : NEVER
  })
  return (sink, { record, start, length }) => {
    const { bytes } = sink
    const begin = sink.end
    writeBytes(sink, quoteBytes)
    let end = sink.end
    let needed = ALWAYS
    for (let at = start; at < start + length; at++) {
      const byte = record[at] ?? 0
      if ((plain[byte] ?? NEVER) < needed) {
        sink.end = begin + bytes.write(textOf(record.toString('utf8', start, start + length)), begin)
        return
      }
      needed = NOT_FIRST
      bytes[end++] = byte
    }
    sink.end = end
    writeBytes(sink, quoteBytes)
  }
}
