import { runAtOnce } from '../slices.ts'
import type { FieldCode, FieldError } from './field-errors.ts'
import { invalidInput, Problem } from './problems.ts'

const DEPTH_MAX = 32
// Several times as many as in the largest legitimate body. Batches of larger items set `valuesMax`. Validating this
// many takes about ten milliseconds.
const VALUES_MAX = 10_000
// Longer than any legitimate string. Text with escapes is slow to read.
const STRING_LENGTH_MAX = 1_000_000
// The limit for one item of a batch, or for a body that turns out not to be a batch. It equals the limit for any other
// body.
const ITEM_LENGTH_MAX = 1024 * 1024
// Errors beyond this position are reported by character offset instead of line and column.
const COUNTED_LENGTH_MAX = 100_000
// Reading either amount takes a few milliseconds.
const VALUES_A_SLICE = 4_000
const LENGTH_A_SLICE = 1_000_000

/** Top-level lists of a body that are read item by item, each subject to the limits of an entire body. */
export type BatchLists = {
  readonly members: readonly string[]
  readonly itemsMax: number
  /** The maximum number of values in one item. */
  readonly valuesMax?: number
  /**
   * Set if an invalid item must not fail the others. The item is replaced with the Problem that describes the error.
   */
  readonly alone?: true
}

type Frame = {
  /** The names seen so far; null in a list. */
  readonly names: Set<string> | null
  /** The current member or item. */
  step: string | number
  /** The items read so far; null unless this is a list of the batch. */
  readonly items: unknown[] | null
}
type Reading = {
  readonly json: string
  readonly batch: BatchLists | null
  at: number
  readonly open: Frame[]
  /** Values read so far in the body or the current item. */
  values: number
  itemFrom: number
  itemFault: Problem | null
  readonly lists: Map<string, unknown[]>
  /** The text before `restFrom`, without the lists of the batch. */
  rest: string
  restFrom: number
}

/**
 * Parses JSON in linear time, pausing so that the caller can let other work run. Returns undefined for blank text.
 * Rejects anything that parsing would silently change: repeated members (the last would win) and numbers that a double
 * cannot hold. Also rejects anything that would fail later: deep nesting, too many values, `__proto__` members, NUL
 * characters and lone surrogates.
 * @throws Problem body_unreadable with the position, invalid_input with the field, body_too_large if an oversized body
 * is not a batch
 */
export function* readJson(json: string, batch: BatchLists | null = null): Generator<undefined, unknown> {
  const reading: Reading = {
    json,
    batch,
    at: 0,
    open: [],
    values: 0,
    itemFrom: 0,
    itemFault: null,
    lists: new Map(),
    rest: '',
    restFrom: 0,
  }
  skipBlanks(reading)
  if (reading.at === json.length) return undefined
  for (let count = 1, from = 0; enterValue(reading) || leaveValue(reading); count++) {
    if (count % VALUES_A_SLICE !== 0 && reading.at - from < LENGTH_A_SLICE) continue
    from = reading.at
    yield
  }
  yield
  if (reading.at < json.length) throw unreadable(reading, 'the end of the body')
  if (reading.lists.size === 0) {
    if (batch !== null && json.length > ITEM_LENGTH_MAX)
      throw new Problem('body_too_large', `Only a batch may exceed ${ITEM_LENGTH_MAX} characters.`)
    return JSON.parse(json)
  }
  const body = JSON.parse(reading.rest + json.slice(reading.restFrom))
  for (const [name, items] of reading.lists) body[name] = items
  return body
}

/** Parses short text like readJson, but without pauses. */
export function readShortJson(json: string): unknown {
  return runAtOnce(readJson(json))
}

/** Reads a value. For a list or an object, reads only the opening bracket and returns true. */
function enterValue(reading: Reading): boolean {
  const { json, open, at } = reading
  if (open.length === 2 && open[1]?.items) {
    reading.itemFrom = at
    reading.values = 0
    reading.itemFault = null
  }
  if (++reading.values > VALUES_MAX) countMany(reading)
  const code = json.charCodeAt(at)
  if (code === BRACE || code === BRACKET) return enterContainer(reading, code)
  if (code === QUOTE) {
    if (isBadText(readString(reading))) reportBadText(reading)
  } else if (code === MINUS || (code >= ZERO && code <= NINE)) readNumber(reading)
  else readLiteral(reading)
  return false
}

function countMany(reading: Reading): void {
  const max = (isInItem(reading) && reading.batch?.valuesMax) || VALUES_MAX
  if (reading.values > max) report(reading, 'too_many', `must not have more than ${max} values`)
}

function enterContainer(reading: Reading, code: number): boolean {
  const { json, open, batch, lists } = reading
  if (open.length === DEPTH_MAX)
    throw new Problem('body_unreadable', `The body is nested more than ${DEPTH_MAX} levels deep.`)
  const name = open.length === 1 ? open[0]?.step : null
  const isList = code === BRACKET && typeof name === 'string' && batch?.members.includes(name) === true
  const items: unknown[] | null = isList ? [] : null
  if (items !== null && typeof name === 'string') {
    lists.set(name, items)
    reading.rest += json.slice(reading.restFrom, reading.at)
  }
  open.push({ names: code === BRACE ? new Set() : null, step: 0, items })
  reading.at++
  skipBlanks(reading)
  if (json.charCodeAt(reading.at) === code + TO_CLOSER) {
    leaveContainer(reading)
    return false
  }
  if (code === BRACE) readName(reading)
  return true
}

function leaveContainer(reading: Reading): void {
  reading.at++
  if (reading.open.pop()?.items) {
    reading.values = 0
    reading.rest += '[]'
    reading.restFrom = reading.at
  }
}

/** Reads from the end of one value to the start of the next. Returns false at the end of the text. */
function leaveValue(reading: Reading): boolean {
  const { json, open } = reading
  for (;;) {
    const top = open.at(-1)
    if (top?.items) leaveItem(reading, top.items)
    skipBlanks(reading)
    if (top === undefined) return false
    const code = json.charCodeAt(reading.at)
    if (code === COMMA) {
      reading.at++
      skipBlanks(reading)
      if (typeof top.step === 'number' && top.names === null) top.step++
      else readName(reading)
      return true
    }
    const closer = top.names === null ? ']' : '}'
    if (json[reading.at] !== closer) throw unreadable(reading, `, or ${closer}`)
    leaveContainer(reading)
  }
}

function leaveItem(reading: Reading, items: unknown[]): void {
  const { json, itemFrom, at, batch } = reading
  if (batch?.alone === true && at - itemFrom > ITEM_LENGTH_MAX)
    report(reading, 'too_long', `must not have more than ${ITEM_LENGTH_MAX} characters`)
  const { itemFault } = reading
  items.push(itemFault ?? JSON.parse(json.slice(itemFrom, at)))
  if (items.length > (batch?.itemsMax ?? 0)) {
    const [list] = reading.open
    throw invalidInput([
      { field: String(list?.step), code: 'too_many', message: `must not have more than ${batch?.itemsMax} items` },
    ])
  }
}

/** Reads the name of a member and the colon after it. */
function readName(reading: Reading): void {
  const top = reading.open.at(-1)
  if (reading.json.charCodeAt(reading.at) !== QUOTE) throw unreadable(reading, 'a quoted member name')
  const name = readString(reading)
  if (top !== undefined) top.step = name
  if (top?.names?.has(name)) report(reading, 'repeated_field', 'appears twice')
  top?.names?.add(name)
  // Applies even to items that may have more values: object members take far longer to check than list items.
  if ((top?.names?.size ?? 0) > VALUES_MAX) report(reading, 'too_many', `must not have more than ${VALUES_MAX} members`)
  if (name === '__proto__' || isBadText(name)) reportBadText(reading)
  skipBlanks(reading)
  if (reading.json.charCodeAt(reading.at) !== COLON) throw unreadable(reading, 'a colon')
  reading.at++
  skipBlanks(reading)
}

function readString(reading: Reading): string {
  const { json, at: from } = reading
  let hasEscapes = false
  let at = from + 1
  for (let code = json.charCodeAt(at); code !== QUOTE; code = json.charCodeAt(++at)) {
    if (code === BACKSLASH) {
      hasEscapes = true
      at++
    } else if (!(code >= BLANK)) {
      reading.at = at
      throw unreadable(reading, 'a closing quote')
    }
  }
  reading.at = at + 1
  if (at - from > STRING_LENGTH_MAX) {
    report(reading, 'too_long', `must not have more than ${STRING_LENGTH_MAX} characters`)
    return ''
  }
  if (!hasEscapes) return json.slice(from + 1, at)
  try {
    return JSON.parse(json.slice(from, at + 1))
  } catch {
    reading.at = from
    throw unreadable(reading, 'a string with valid escapes')
  }
}

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y

// The shortest decimal form of a double never has more digits.
const DIGITS_MAX = 17
const LENGTH_OF_NUMBER_MAX = 100

/**
 * Rejects numbers that would change: 9007199254740993 would be read as ...992, 1e400 as infinity, and
 * 1.0000000000000000001 as 1.
 */
function readNumber(reading: Reading): void {
  NUMBER.lastIndex = reading.at
  const [text] = NUMBER.exec(reading.json) ?? []
  if (text === undefined) throw unreadable(reading, 'a number')
  reading.at += text.length
  const value = Number(text)
  if (!Number.isSafeInteger(value) && (!Number.isFinite(value) || Number.isInteger(value)))
    report(reading, 'out_of_range', 'is a number too large to be represented exactly')
  if (countDigits(text) > DIGITS_MAX) report(reading, 'out_of_range', `must not have more than ${DIGITS_MAX} digits`)
}

/** Counts the significant digits of a number, ignoring trailing zeros. */
function countDigits(number: string): number {
  if (number.length > LENGTH_OF_NUMBER_MAX) return number.length
  const [mantissa = ''] = number.split(/e/i)
  return mantissa.replaceAll(/[-.]/g, '').replaceAll(/^0+|0+$/g, '').length
}

function readLiteral(reading: Reading): void {
  const word = ['true', 'false', 'null'].find((one) => reading.json.startsWith(one, reading.at))
  if (word === undefined) throw unreadable(reading, 'a value')
  reading.at += word.length
}

const NO_BLANK = /[^ \t\n\r]/g

function skipBlanks(reading: Reading): void {
  const { json, at } = reading
  if (json.charCodeAt(at) > BLANK) return
  NO_BLANK.lastIndex = at
  reading.at = NO_BLANK.exec(json)?.index ?? json.length
}

function isInItem({ open }: Reading): boolean {
  return open.length > 1 && open[1]?.items != null
}

/** Rejects only the invalid item, or the entire body if the error is outside the items. */
function report(reading: Reading, code: FieldCode, message: string): void {
  const isAlone = isInItem(reading) && reading.batch?.alone === true
  // The first error is enough. Reporting each of ten thousand would cost more than reading them.
  if (isAlone && reading.itemFault !== null) return
  const field = reading.open
    .slice(isAlone ? 2 : 0)
    .map(({ step }) => step)
    .join('.')
  const fault = invalidInput([{ ...buildTextError(field), code, message }])
  if (!isAlone) throw fault
  reading.itemFault = fault
}

function reportBadText(reading: Reading): void {
  const { code, message } = buildTextError('')
  report(reading, code, message)
}

function unreadable({ json, at }: Reading, expected: string): Problem {
  const lines = at < COUNTED_LENGTH_MAX ? json.slice(0, at).split('\n') : []
  const place =
    lines.length === 0 ? `character ${at + 1}` : `line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`
  const found = at < json.length ? JSON.stringify(json[at]) : 'the end of the body'
  return new Problem('body_unreadable', `The body is not valid JSON: ${place} has ${found} instead of ${expected}.`)
}

/** Returns true if the text contains NUL or lone surrogates. */
export function isBadText(text: string): boolean {
  return text.includes('\u0000') || !text.isWellFormed()
}

export function buildTextError(field: string): FieldError {
  return {
    field: field.replaceAll('\u0000', '').toWellFormed(),
    code: 'invalid_characters',
    message: 'must not contain NUL or broken Unicode',
  }
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a
const MINUS = 0x2d
const ZERO = 0x30
const NINE = 0x39
const BLANK = 0x20
const BRACE = 0x7b
const BRACKET = 0x5b
/** The difference between the character codes of an opening bracket or brace and its closing one. */
const TO_CLOSER = 2
