import { isLanguage, LANGUAGES, type Language } from '../../platform/text/languages.ts'
import { DE } from './de.ts'
import { EN, type PortalWords } from './en.ts'
import { ES } from './es.ts'

export { isLanguage, LANGUAGES, type Language, type PortalWords }

export const WORDS: Readonly<Record<Language, PortalWords>> = {
  en: withSingleStops(EN),
  es: withSingleStops(ES),
  de: withSingleStops(DE),
}

/**
 * Collapses double periods at the end of a sentence. A text inserted there may itself end in a period, such as `Acorn
 * Inc.`, a code, or the month in `29. Dez.`
 */
function withSingleStops<T>(words: T): T {
  if (typeof words === 'string') return words.replaceAll(/(?<!\.)\.\.(?=\s|$)/g, '.') as T
  if (typeof words === 'function') return ((...given: unknown[]) => withSingleStops(words(...given))) as T
  if (Array.isArray(words)) return words.map(withSingleStops) as T
  if (typeof words !== 'object' || words === null) return words
  return Object.fromEntries(Object.entries(words).map(([name, one]) => [name, withSingleStops(one)])) as T
}

/**
 * Returns the browser's most preferred language among those we support. It is the first match, because browsers list
 * languages in order of preference.
 */
export function pickLanguage(acceptLanguage: string | undefined): Language {
  const asked = (acceptLanguage ?? '').split(',').map((part) => part.trim().slice(0, 2).toLowerCase())
  return asked.find(isLanguage) ?? 'en'
}
