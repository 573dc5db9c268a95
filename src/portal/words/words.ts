import { DE } from './de.ts'
import { EN, type PortalWords } from './en.ts'
import { ES } from './es.ts'

export type { PortalWords }

export const LANGUAGES = ['en', 'es', 'de'] as const
export type Language = (typeof LANGUAGES)[number]
export const WORDS: Readonly<Record<Language, PortalWords>> = { en: EN, es: ES, de: DE }

export const isLanguage = (text: unknown): text is Language => LANGUAGES.some((one) => one === text)

/** The language of ours that a browser prefers: the first in its list, which browsers send in their user's order. */
export function languageOf(acceptLanguage: string | undefined): Language {
  const asked = (acceptLanguage ?? '').split(',').map((part) => part.trim().slice(0, 2).toLowerCase())
  return asked.find(isLanguage) ?? 'en'
}
