import { isState } from '../packs/geography.ts'
import { departments, isPlain, registers } from '../packs/words.ts'
import { endOfWords, findStrongOwnersHere, type Hit, type NameSearch } from '../search.ts'

const fewestDigits = 4
const fewestOfState = 3
const shortestName = 3
const shortestNameBeforeState = 6

/**
 * Reads a name run together with a till's code before the number: a letter for the register (`KFCJ433018`), a
 * department (`KROGERFUEL0412`), or a state, if stores are numbered by state (`VELMORATX418`).
 */
export function findTillCode(search: NameSearch): Hit | null {
  const { tokens, location, from } = search
  const to = endOfWords(tokens, from, location.end)
  if (to === from || to >= location.end || tokens.gaps[to] !== 'glued') return null
  const digits = (tokens.texts[to] ?? '').length
  if (digits < fewestOfState) return null
  const text = tokens.squeezed.slice(tokens.offsets[from], tokens.offsets[to])
  for (const form of digits < fewestDigits ? beforeState(text) : [...beforeCode(text), ...beforeState(text)]) {
    const owners = findStrongOwnersHere(search, form)
    if (owners.length > 0) return { strategy: 'till_code', owners, form, from, to, split: 0 }
  }
  return null
}

function beforeState(text: string): string[] {
  const name = text.slice(0, -2)
  return name.length >= shortestNameBeforeState && isState(text.slice(-2)) && !isPlain(name) ? [name] : []
}

function beforeCode(text: string): string[] {
  const codes = departments.filter((department) => text.endsWith(department))
  if (registers.has(text.slice(-1))) codes.push(text.slice(-1))
  return codes.map((code) => text.slice(0, -code.length)).filter((name) => name.length >= shortestName)
}
