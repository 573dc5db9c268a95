import type { CatalogChange, CatalogDiff, FieldChange, ImportOutcome } from '../../src/catalog/catalog/index.ts'
import { formatCount, shorten, styled } from '../terminal.ts'

const VALUE_WIDTH = 60

/** Describes what an import would change: totals, effects on users, then each brand and offer. */
export function formatDiff({ changes, diff }: ImportOutcome): string[] {
  if (diff === null) return []
  const { brands, offers } = changes
  return [
    ...(['brands', 'offers'] as const).map((of) => {
      const { added, changed, retired, unchanged } = changes[of]
      return `${of.padEnd(8)} ${added} added, ${changed} changed, ${retired} retired, ${unchanged} unchanged`
    }),
    ...effectLines(diff),
    ...diff.categories.map(({ categoryId, category }) => `category ${categoryId} is ${category}`),
    ...changeLines(diff.brands, brands.added + brands.changed + brands.retired),
    ...changeLines(diff.offers, offers.added + offers.changed + offers.retired),
  ]
}

function effectLines({ effects }: CatalogDiff): string[] {
  const counts = Object.entries({
    'what users get': effects.rates,
    'days and hours': effects.dates,
    conditions: effects.conditions,
  }).filter(([, count]) => count > 0)
  if (counts.length === 0) return []
  return [
    `in offers that continue: ${counts.map(([what, count]) => `${formatCount(count, 'change')} in ${what}`).join(', ')}`,
  ]
}

const MARKS = { added: '+', changed: '~', retired: '-' } as const
const COLOURS = { added: 'green', changed: 'yellow', retired: 'red' } as const

function changeLines(shown: readonly CatalogChange[], total: number): string[] {
  const lines = shown.flatMap(({ change, uid, name, brandName, fields }) => [
    `${styled(COLOURS[change], `${MARKS[change]} ${brandName === null ? 'brand' : 'offer'}`)} ${uid}  ${brandName === null || brandName === name ? name : `${brandName}: ${name}`}`,
    ...fields.map(formatFieldChange),
  ])
  return total > shown.length ? [...lines, `… and ${total - shown.length} more`] : lines
}

export function formatFieldChange({ field, from, to }: FieldChange): string {
  return `    ${field}: ${valueText(from)} → ${valueText(to)}`
}

function valueText(value: unknown): string {
  if (value === null) return '(none)'
  return shorten(typeof value === 'string' ? value.replaceAll(/\s+/g, ' ') : JSON.stringify(value), VALUE_WIDTH)
}
