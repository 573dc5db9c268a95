import { writeIdSuffix } from '../platform/ids.ts'
import { toJsonNumber } from '../platform/money.ts'

/** Bytes that are being written, as far as they are filled. */
export type Sink = { readonly bytes: Buffer; end: number }

/** A value as PostgreSQL sends it in binary; the exponent is that of the currency of its row. */
export type Value = { record: Buffer; start: number; length: number; currency: string; exponent: number }

export type Write = (sink: Sink, value: Value) => void

/** TypeID of a UUID. */
export function idWriter(prefix: string): Write {
  const head = Buffer.from(`${prefix}_`)
  return (sink, { record, start }) => {
    writeBytes(sink, head)
    sink.end = writeIdSuffix(sink.bytes, sink.end, record, start)
  }
}

export function writeInteger(sink: Sink, { record, start }: Value): void {
  const number = record.readInt32BE(start)
  if (number < 0) sink.bytes[sink.end++] = MINUS
  writeWhole(sink, Math.abs(number))
}

/** Minor units, an int8, as the number that `toJsonNumber` makes of them prints. */
export function writeMoney(sink: Sink, { record, start, currency, exponent }: Value): void {
  const high = record.readInt32BE(start)
  const units = high * 2 ** 32 + record.readUInt32BE(start + 4)
  // Up to 15 digits a double prints as it was written; beyond them the conversion itself has to say what it prints.
  if (units >= DIGITS_15 || units <= -DIGITS_15) {
    const text = String(toJsonNumber(record.readBigInt64BE(start), currency))
    sink.end += sink.bytes.write(text, sink.end, 'latin1')
    return
  }
  const scale = SCALES[exponent] ?? 10 ** exponent
  const size = Math.abs(units)
  const whole = Math.floor(size / scale)
  if (units < 0) sink.bytes[sink.end++] = MINUS
  writeWhole(sink, whole)
  if (size > whole * scale) writeDecimals(sink, size - whole * scale, scale)
}

/** An instant as `toISOString` writes it: milliseconds, rounded down. */
export function writeInstant(sink: Sink, { record, start }: Value): void {
  const ms = msOf(record, start)
  const day = Math.floor(ms / DAY_MS)
  // Less than 31 bits, and what follows is several times faster for the engine to know it.
  const time = (ms - day * DAY_MS) | 0
  writeBytes(sink, dayBytes(day))
  const { bytes } = sink
  const at = sink.end
  bytes[at] = LETTER_T
  writePair(bytes, at + 1, (time / 3_600_000) | 0)
  bytes[at + 3] = COLON
  writePair(bytes, at + 4, ((time / 60_000) | 0) % 60)
  bytes[at + 6] = COLON
  writePair(bytes, at + 7, ((time / 1_000) | 0) % 60)
  bytes[at + 9] = POINT
  bytes[at + 10] = ZERO + (((time % 1_000) / 100) | 0)
  writePair(bytes, at + 11, time % 100)
  bytes[at + 13] = LETTER_Z
  sink.end = at + 14
}

export function writeDay(sink: Sink, { record, start }: Value): void {
  writeBytes(sink, dayBytes(record.readInt32BE(start)))
}

export function writeBytes(sink: Sink, from: Uint8Array): void {
  const { bytes } = sink
  let end = sink.end
  // These are a few bytes each, for which a call out of the engine takes longer.
  for (let at = 0; at < from.length; at++) bytes[end++] = from[at] ?? 0
  sink.end = end
}

const [ZERO, MINUS, POINT, COLON, LETTER_T, LETTER_Z] = [0x30, 0x2d, 0x2e, 0x3a, 0x54, 0x5a]
const DIGITS_15 = 1e15
const SCALES = [1, 10, 100, 1_000, 10_000]

// A remainder of doubles takes the engine ten times as long as a division that is rounded down; up to 15 digits both are exact.
function writeWhole(sink: Sink, number: number): void {
  let at = sink.end + 1
  for (let power = 10; power <= number; power *= 10) at++
  sink.end = at
  let rest = number
  do {
    const tenth = Math.floor(rest / 10)
    sink.bytes[--at] = ZERO + rest - tenth * 10
    rest = tenth
  } while (rest > 0)
}

/** The decimals of a fraction of the scale, as far as they are not zero. */
function writeDecimals(sink: Sink, fraction: number, scale: number): void {
  sink.bytes[sink.end++] = POINT
  let rest = fraction
  for (let power = scale / 10; rest > 0; power /= 10) {
    const digit = Math.floor(rest / power)
    sink.bytes[sink.end++] = ZERO + digit
    rest -= digit * power
  }
}

function writePair(bytes: Buffer, at: number, number: number): void {
  bytes[at] = ZERO + ((number / 10) | 0)
  bytes[at + 1] = ZERO + (number % 10)
}

// PostgreSQL counts days and microseconds from here.
const EPOCH_MS = Date.UTC(2000, 0, 1)
const DAY_MS = 86_400_000
// More than the days of ten years; what lies outside of them is met rarely.
const DAYS_MAX = 5_000
const days = new Map<number, Buffer>()

/** yyyy-MM-dd of a day, kept, because many rows share it. @throws RangeError for infinity and what no calendar holds */
function dayBytes(day: number): Buffer {
  const known = days.get(day)
  if (known !== undefined) return known
  // Years of more than four digits have a sign in ISO 8601, and none in PostgreSQL.
  const text = new Date(EPOCH_MS + day * DAY_MS).toISOString().replace(/^\+0*|T.*/g, '')
  const bytes = Buffer.from(text)
  if (days.size === DAYS_MAX) days.clear()
  days.set(day, bytes)
  return bytes
}

/** The milliseconds of an int8 of microseconds, rounded down. */
function msOf(record: Buffer, start: number): number {
  const micros = record.readInt32BE(start) * 2 ** 32 + record.readUInt32BE(start + 4)
  if (Number.isSafeInteger(micros)) {
    const ms = Math.floor(micros / 1_000)
    return ms * 1_000 > micros ? ms - 1 : ms
  }
  const exact = record.readBigInt64BE(start)
  return Number((exact % 1_000n < 0n ? exact - 1_000n : exact) / 1_000n)
}
