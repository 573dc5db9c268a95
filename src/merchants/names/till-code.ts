import { ownersOf } from '../brands/brand-index.ts'
import { isPlain, stateCodes } from '../packs/words.ts'
import { endOfWords, type Hit, type NameSearch, nameStart } from './find-name.ts'

// Names onto which a till prints a code before the number: a letter for the register (`KFCJ433018`), what part of the
// house it stands in (`KROGERFUEL0412`), or the state whose shops are numbered by themselves (`VELMORATX418`).

const registers: ReadonlySet<string> = new Set(['f', 'j', 'q', 't', 'x'])
const parts = ['fuelctr', 'fuelcenter', 'fuel', 'gas', 'mkt', 'market', 'pharmacy', 'pharm', 'supercenter', 'ctr']
const fewestDigits = 4
const fewestOfState = 3
const shortestStem = 3
const shortestStemOfState = 6

/** The name before such a code; null: there is none. */
export function tillCodeHit({ index, tokens, location, sellsHere }: NameSearch, from: number): Hit | null {
  const first = nameStart(tokens, from, location.end)
  const to = endOfWords(tokens, first, location.end)
  if (to === first || to >= location.end || tokens.gaps[to] !== 'glued') return null
  const digits = (tokens.texts[to] ?? '').length
  if (digits < fewestOfState) return null
  const text = tokens.squeezed.slice(tokens.offsets[first], tokens.offsets[to])
  for (const stem of digits < fewestDigits ? stemsOfState(text) : [...stemsOf(text), ...stemsOfState(text)]) {
    const owners = ownersOf(index.byForm, stem).filter(
      ({ entry, kind }) => sellsHere(entry) && !entry.isNameOnly && kind !== 'exact' && kind !== 'short',
    )
    if (owners.length > 0) return { owners, form: stem, how: 'words', from: first, to, split: 0 }
  }
  return null
}

function stemsOfState(text: string): string[] {
  const stem = text.slice(0, -2)
  return stem.length >= shortestStemOfState && stateCodes.has(text.slice(-2)) && !isPlain(stem) ? [stem] : []
}

function stemsOf(text: string): string[] {
  const stems = parts.filter((part) => text.endsWith(part)).map((part) => text.slice(0, -part.length))
  if (registers.has(text.slice(-1))) stems.push(text.slice(0, -1))
  return stems.filter((stem) => stem.length >= shortestStem)
}
