import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatDay, formatDays, formatWeekdays } from './formats.ts'
import { LANGUAGES, WORDS } from './words.ts'

/** Returns all texts of a language with `inserted` in place of every parameter. */
function listTexts(words: unknown, inserted: string): string[] {
  if (typeof words === 'string') return [words]
  if (typeof words === 'function') return listTexts(words(inserted, inserted, inserted), inserted)
  return typeof words === 'object' && words !== null
    ? Object.values(words).flatMap((one) => listTexts(one, inserted))
    : []
}

test('no sentence ends in two periods, regardless of the month or name inserted', () => {
  for (const language of LANGUAGES) {
    const words = WORDS[language]
    const days = Array.from({ length: 12 }, (_, month) => `2026-${String(month + 1).padStart(2, '0')}-29`)
    const shown = days.map((day) => formatDay(words, day.replace('02-29', '02-28'), '2026-01-01'))
    for (const inserted of [...shown, 'Acorn Inc.'])
      for (const text of listTexts(words, inserted)) assert.doesNotMatch(text, /(?<!\.)\.\.(?!\.)/, text)
  }
})

test('weekday names and day counts are formatted in every language', () => {
  assert.deepEqual(
    [formatDays(WORDS.en, 1), formatDays(WORDS.de, 1), formatDays(WORDS.es, 30)],
    ['1 day', '1 Tag', '30 días'],
  )
  assert.equal(formatWeekdays(WORDS.en, ['FRI', 'SAT'], 'or'), 'Friday or Saturday')
  assert.equal(formatWeekdays(WORDS.de, ['MON', 'SUN'], 'and'), 'Montag und Sonntag')
  assert.equal(formatWeekdays(WORDS.es, ['WED'], 'or'), 'miércoles')
})
