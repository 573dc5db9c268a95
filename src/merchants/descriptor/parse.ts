import {
  bankSuffixes,
  mostPrefixTokens,
  neverPhrases,
  type Prefix,
  paymentPhrases,
  phraseAt,
  prefixes,
  startsPhrase,
} from '../packs/packs.ts'
import { stateCodes } from '../packs/words.ts'
import { isNumeric, type Tokens, tokenize } from '../text/tokens.ts'
import { endOfBankPrefix } from './bank-prefix.ts'
import { transferOf } from './bank-transfer.ts'

// A descriptor taken apart: what the bank says around the merchant, who passes the money on, and where the merchant's
// name may begin. What banks, processors and wallets put there is in the packs.

/** One way to read a descriptor: from which token on it may name the merchant. */
export type Reading = {
  readonly from: number
  /** The processor, marketplace or parent that stands before the name. */
  readonly prefix: Prefix | null
  /** Somebody whom no pack knows stands before the star. */
  readonly isAfterUnknownPrefix: boolean
  /** A store number stood before the name. */
  readonly numbered: boolean
}

export type Parsed = {
  /** The text to which the tokens' places refer. */
  readonly folded: string
  readonly tokens: Tokens
  /** Best first. */
  readonly readings: readonly Reading[]
  /** Where the merchant's field begins, with its head. */
  readonly field: number
  /** Where the bank's own words begin again. */
  readonly end: number
  /** Where a phrase begins that no purchase at a merchant carries; -1: nowhere. */
  readonly neverAt: number
  /** Behind that phrase. */
  readonly neverTo: number
  /** Where words begin that say a bill or a card was paid; -1: nowhere. */
  readonly paymentAt: number
  /** It names the fields of an entry between banks: wages, payouts and bills, but no purchase. */
  readonly isAch: boolean
  /** The money went from account to account, not by card; a shop may be paid so, a bank or a loan mostly is. */
  readonly isEntry: boolean
  /** Where the name ended because its column did, or because the bank said when it was bought; -1: nowhere. */
  readonly brokenAt: number
  /** Where the column of the city begins; -1: the text has no columns. */
  readonly cityAt: number
  /** The category code that some banks print. */
  readonly mcc: string | undefined
}

// Two processors in a row happen (`SQU*SQ *SHOP`); more do not.
const mostLayers = 3

export function parseDescriptor(folded: string): Parsed {
  const column = cityColumn(folded)
  const columned = apart(folded, column)
  const isDayTold = folded.includes(dayEnding)
  const glueless = unglued(isDayTold ? withoutFirstName(columned) : columned)
  const text = isDayTold ? withoutDay(glueless) : glueless
  const tokens = tokenize(text)
  const cityAt = column < 0 ? -1 : tokens.starts.findIndex((start) => start >= column)
  const { texts } = tokens
  const field = endOfBankPrefix(tokens, text)
  const phrases = phrasesFrom(tokens, field)
  const { end, paymentAt } = phrases
  const { isEntry, isAch, isNever } = transferOf(text, tokens, field, end)
  const isTraded = texts.length > field + 1 && shareTrades.some((trade) => text.endsWith(trade))
  return {
    folded: text,
    tokens,
    readings: readingsFrom(tokens, field, end),
    field,
    end,
    neverAt: isNever ? end : isTraded ? texts.length - 1 : phrases.neverAt,
    neverTo: isNever || isTraded ? texts.length : phrases.neverTo,
    paymentAt,
    isAch,
    isEntry,
    brokenAt:
      text === glueless
        ? columned === folded
          ? -1
          : cityAt
        : tokens.starts.findIndex((start) => start >= glueless.indexOf(dayEnding)),
    cityAt,
    mcc: printedMcc(texts, end) ?? timedMcc(text, tokens.starts[field] ?? 0),
  }
}

// Brokers print it behind the company whose share was traded.
const shareTrades = [' - sell', ' - buy', ' - sold', ' - bought']

// The widths of the columns for name and city in front of the state: networks pad them, so the text has their length, and a
// longer name is cut off where the city begins (`APLPAY VELMORA OUTFITROUND ROCK          TX`).
const columns = [
  { name: 20, city: 20 },
  { name: 25, city: 13 },
]

/** Where the city begins in a text of such columns; -1: it is none, or what stands there is no city. */
function cityColumn(text: string): number {
  for (const { name, city } of columns) {
    if (text.length !== name + city + 2 || !stateCodes.has(text.slice(-2))) continue
    const opening = text.charCodeAt(name)
    const isPadded = [name, name + city].some((end) => text.slice(end - 2, end) === '  ')
    return isPadded && opening >= 97 && opening <= 122 ? name : -1
  }
  return -1
}

function apart(text: string, column: number): string {
  return column < 0 || text[column - 1] === ' ' ? text : `${text.slice(0, column)} ${text.slice(column)}`
}

// `VELMORA OUTF 03/04 #000000012 PURCHASE VELMORA OUTFITTE SALEM OR`: the name stands twice, the first time cut shorter.
function withoutFirstName(text: string): string {
  const at = text.indexOf(dayEnding)
  if (!/ \d\d\/\d\d #\d{9}$/.test(text.slice(0, at))) return text
  const start = at + dayEnding.length
  return ' '.repeat(start) + text.slice(start)
}

// Wallets and banks print their words onto the end of the field without a space.
const gluedPhrases = ['apple pay ending', 'google pay ending', 'debit card purchase', 'debit card withdrawal']

function unglued(folded: string): string {
  let text = folded
  for (const phrase of gluedPhrases) {
    const at = text.indexOf(phrase)
    if (at > 0 && text.charCodeAt(at - 1) !== 32) text = `${text.slice(0, at)} ${text.slice(at)}`
  }
  const at = text.indexOf(gluedDate)
  const isGlued = at > 2 && text.charCodeAt(at - 3) === 32 && stateCodes.has(text.slice(at - 2, at))
  return isGlued ? `${text.slice(0, at)} ${text.slice(at)}` : text
}

// Behind a state (`SALEM ORDATE 06/04/25`).
const gluedDate = 'date '

// `SHOP 03/04 PURCHASE SALEM OR`: between the name and the place the bank says when. Spaces in its stead leave every other
// word where it was.
function withoutDay(text: string): string {
  const at = text.indexOf(dayEnding)
  const start = at - dayLength
  if (start <= 0 || !stateCodes.has(text.slice(text.lastIndexOf(' ') + 1))) return text
  if (!/^ \d\d\/\d\d$/.test(text.slice(start, at))) return text
  const name = `${text.slice(0, start)} x`
  if (endOfBankPrefix(tokenize(name), name) > 0) return text
  const end = at + dayEnding.length
  return text.slice(0, start) + ' '.repeat(end - start) + text.slice(end)
}

const dayEnding = ' purchase '
const dayLength = ' 03/04'.length

// One pass finds where the bank's words begin again and which phrases stand before them.
function phrasesFrom(
  { texts, gaps }: Tokens,
  field: number,
): Pick<Parsed, 'end' | 'neverAt' | 'neverTo' | 'paymentAt'> {
  let neverAt = -1
  let neverTo = -1
  let paymentAt = -1
  for (let at = field; at < texts.length; at += 1) {
    const text = texts[at] ?? ''
    if (at > field && isCardOrDate(texts, gaps, at)) return { end: at, neverAt, neverTo, paymentAt }
    if (!startsPhrase(text)) continue
    const never = neverAt < 0 ? phraseAt(neverPhrases, texts, at, texts.length) : 0
    const after = at > field ? phraseAt(bankSuffixes, texts, at, texts.length) : 0
    // `purchase return` says more than `purchase`.
    if (never > after) {
      neverAt = at
      neverTo = at + never
    }
    if (after > 0) return { end: at, neverAt, neverTo, paymentAt }
    if (at > field && paymentAt < 0 && phraseAt(paymentPhrases, texts, at, texts.length) > 0) paymentAt = at
  }
  return { end: texts.length, neverAt, neverTo, paymentAt }
}

// `CARD 1234`, `ON 052625` and `DATE 05/26/25`.
function isCardOrDate(texts: readonly string[], gaps: Tokens['gaps'], at: number): boolean {
  const text = texts[at]
  if (text === 'date') return gaps[at + 2] === 'mark' && gaps[at + 3] === 'mark' && areDays(texts.slice(at + 1, at + 4))
  if (text !== 'card' && text !== 'on') return false
  const next = texts[at + 1] ?? ''
  return isNumeric(next) && (text === 'card' ? gaps[at] !== 'glued' : next.length === 6)
}

const areDays = (texts: readonly string[]) => texts.every((text) => text.length === 2 && isNumeric(text))

// `MERCHANT CATEGORY CODE 5411`; and last before the card: `DATE 06/04/25 0 5155335474 0 5411 CARD 0123`.
function printedMcc(texts: readonly string[], end: number): string | undefined {
  const isCategory = texts[end] === 'merchant' && texts[end + 1] === 'category'
  const isDated = texts[end] === 'date' && texts[end + datedCode + 1] === 'card'
  if (!isCategory && !isDated) return undefined
  const code = texts[end + (isCategory ? 3 : datedCode)] ?? ''
  return /^\d{4}$/.test(code) ? code : undefined
}

const datedCode = 7

// `POS PURCHASE ON 11/15 @ 06:46  5411 ` before the name.
function timedMcc(text: string, until: number): string | undefined {
  const at = text.indexOf('@ ')
  return at < 0 || at > until ? undefined : /^@ \d\d:\d\d +(\d{4}) +$/.exec(text.slice(at, until))?.[1]
}

function readingsFrom(tokens: Tokens, field: number, end: number): Reading[] {
  const { texts } = tokens
  const readings = afterPrefixes(tokens, { from: field, numbered: false }, end)
  let bare = field
  while (bare < end && isNumeric(texts[bare] ?? '')) bare += 1
  if (bare === field || bare === end || isRange(tokens, field)) return readings
  return [...readings, ...afterPrefixes(tokens, { from: bare, numbered: bare === field + 1 }, end)]
}

// `4-5 STAR MARKET` is called so.
function isRange({ texts, gaps }: Tokens, at: number): boolean {
  return (
    texts[at]?.length === 1 && texts[at + 1]?.length === 1 && gaps[at + 1] === 'mark' && isNumeric(texts[at + 1] ?? '')
  )
}

function afterPrefixes(tokens: Tokens, start: Pick<Reading, 'from' | 'numbered'>, end: number): Reading[] {
  let { from } = start
  let prefix: Prefix | null = null
  for (let layer = 0; layer < mostLayers; layer += 1) {
    const found = prefixAt(tokens, from, end)
    if (found === null || (found.next >= end && found.prefix.means === 'processor')) break
    prefix = found.prefix
    from = found.next
    if (prefix.means !== 'processor') break
  }
  const { numbered } = start
  const below: Reading = { from, prefix, isAfterUnknownPrefix: false, numbered }
  // Who has a head of its own may also be called so.
  if (prefix?.glued === true) return [below, { ...below, from: start.from, prefix: null }]
  // `ABC*0042-VELMORA GYM`: who is paid through it has a number there.
  const isNumbered =
    prefix?.means === 'processor' && isNumeric(tokens.texts[from] ?? '') && tokens.gaps[from + 1] === 'mark'
  if (isNumbered && from + 1 < end) return [below, { ...below, from: from + 1, numbered: true }]
  if (prefix !== null) return [below]
  const stranger = afterUnknownPrefix(tokens, from, end)
  return stranger === 0 ? [below] : [below, { from: stranger, prefix: null, isAfterUnknownPrefix: true, numbered }]
}

const gluedPrefixes = [...prefixes.values()].filter((prefix) => prefix.glued === true)
const gluedOpenings: ReadonlySet<number> = new Set(gluedPrefixes.map(({ prefix }) => prefix.charCodeAt(0)))

function prefixAt({ texts, gaps }: Tokens, from: number, end: number): { prefix: Prefix; next: number } | null {
  let key = ''
  const isStarred = gaps[from + 1] === 'star' || gaps[from + 2] === 'star' || gaps[from + 3] === 'star'
  for (
    let at = isStarred || prefixes.get(texts[from] ?? '')?.bare === true ? from : end;
    at < Math.min(end, from + mostPrefixTokens);
    at += 1
  ) {
    key += texts[at] ?? ''
    const prefix = prefixes.get(key)
    const isBefore = at + 1 < end && (gaps[at + 1] === 'star' || (prefix?.bare === true && gaps[at + 1] !== 'glued'))
    if (prefix !== undefined && isBefore) return { prefix, next: at + 1 }
  }
  if (!gluedOpenings.has(texts[from]?.charCodeAt(0) ?? 0)) return null
  const opening = (texts[from] ?? '') + (texts[from + 1] ?? '')
  for (const prefix of gluedPrefixes) {
    if (!opening.startsWith(prefix.prefix)) continue
    // What is glued to the head begins within its token, which then is not read again.
    let length = 0
    let at = from
    while (at < end && length < prefix.prefix.length) {
      length += (texts[at] ?? '').length
      at += 1
    }
    return { prefix, next: at }
  }
  return null
}

const longestStranger = 10

/** The token behind a star that follows a few letters nobody knows; 0: none. */
function afterUnknownPrefix({ texts, gaps }: Tokens, from: number, end: number): number {
  let length = 0
  for (let at = from; at < Math.min(end, from + mostPrefixTokens + 1); at += 1) {
    if (at > from && gaps[at] === 'star') return length <= longestStranger ? at : 0
    length += (texts[at] ?? '').length
  }
  return 0
}
