import { isLanguage, LANGUAGES, type Language } from '../../platform/languages.ts'
import { DE } from './de.ts'
import { EN, type PortalWords } from './en.ts'
import { ES } from './es.ts'

export { isLanguage, LANGUAGES, type Language, type PortalWords }

export const WORDS: Readonly<Record<Language, PortalWords>> = { en: EN, es: ES, de: DE }

/** The language of ours that a browser prefers: the first in its list, which browsers send in their user's order. */
export function languageOf(acceptLanguage: string | undefined): Language {
  const asked = (acceptLanguage ?? '').split(',').map((part) => part.trim().slice(0, 2).toLowerCase())
  return asked.find(isLanguage) ?? 'en'
}
