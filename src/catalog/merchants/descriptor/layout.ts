import { isState } from '../packs/geography.ts'
import { gluedPhrases } from '../text/bank-words.ts'
import { tokenize } from '../text/tokens.ts'
import { endOfBankPrefix } from './bank-prefix.ts'

// Undoes the layout that banks and networks give descriptors: fixed-width columns, words run together, and the purchase
// date in the middle. Only adds spaces or blanks out words.

type Layout = {
  readonly text: string
  /** Where the city column begins; -1 if the text has no columns. */
  readonly cityColumn: number
  /** Where the name was cut off by its column or the day; -1 if it was not. */
  readonly brokenAt: number
}

export function undoLayout(folded: string): Layout {
  const cityColumn = findCityColumn(folded)
  const isGlued = cityColumn > 0 && folded[cityColumn - 1] !== ' '
  const columned = isGlued ? spaced(folded, cityColumn) : folded
  const dayAt = folded.indexOf(dayEnding)
  if (dayAt < 0) return { text: unglued(columned), cityColumn, brokenAt: isGlued ? cityColumn : -1 }
  const single = unglued(withoutFirstName(columned))
  const text = withoutDay(single)
  const brokenAt = text === single ? (isGlued ? cityColumn : -1) : single.indexOf(dayEnding)
  return { text, cityColumn, brokenAt }
}

const spaced = (text: string, at: number) => `${text.slice(0, at)} ${text.slice(at)}`

// The widths of the name and city columns in front of a state. Networks pad them to this total length, and a longer
// name is cut off where the city begins (`APLPAY VELMORA OUTFITROUND ROCK          TX`).
const columns = [
  { name: 20, city: 20 },
  { name: 25, city: 13 },
]

function findCityColumn(text: string): number {
  const column = columns.find(({ name, city }) => text.length === name + city + 2)
  if (column === undefined || !isState(text.slice(-2))) return -1
  const { name, city } = column
  const isPadded = [name, name + city].some((end) => text.slice(end - 2, end) === '  ')
  return isPadded && /[a-z]/.test(text[name] ?? '') ? name : -1
}

const dayEnding = ' purchase '
const dayPattern = /^ \d\d\/\d\d$/
const dayLength = ' 03/04'.length
const referenceBeforePurchase = / \d\d\/\d\d #\d{9}$/

/** Blanks out the first, shorter name: `VELMORA OUTF 03/04 #000000012 PURCHASE VELMORA OUTFITTE SALEM OR`. */
function withoutFirstName(text: string): string {
  const at = text.indexOf(dayEnding)
  if (!referenceBeforePurchase.test(text.slice(0, at))) return text
  const start = at + dayEnding.length
  return ' '.repeat(start) + text.slice(start)
}

/** Inserts the missing space: `SHOPAPPLE PAY ENDING IN 0123` and `SALEM ORDATE 06/04/25`. */
function unglued(folded: string): string {
  let text = folded
  for (const phrase of gluedPhrases) {
    const at = text.indexOf(phrase)
    if (at > 0 && text[at - 1] !== ' ') text = spaced(text, at)
  }
  const at = text.indexOf('date ')
  const isGlued = at > 2 && text[at - 3] === ' ' && isState(text.slice(at - 2, at))
  return isGlued ? spaced(text, at) : text
}

/** Blanks out the day and the word between name and place: `SHOP 03/04 PURCHASE SALEM OR`. */
function withoutDay(text: string): string {
  const at = text.indexOf(dayEnding)
  const start = at - dayLength
  if (start <= 0 || !isState(text.slice(text.lastIndexOf(' ') + 1))) return text
  if (!dayPattern.test(text.slice(start, at))) return text
  const name = `${text.slice(0, start)} x`
  if (endOfBankPrefix(tokenize(name), name) > 0) return text
  const end = at + dayEnding.length
  return text.slice(0, start) + ' '.repeat(end - start) + text.slice(end)
}
