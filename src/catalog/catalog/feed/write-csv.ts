import { COLUMNS, escapedCell, SEPARATOR } from './csv-columns.ts'

/**
 * Writes a catalog as CSV with one row per offer, repeating the brand's fields. A brand without offers gets a single
 * row.
 */
type FileItem = Readonly<Record<string, unknown>>
type OfferItem = FileItem & { readonly commission?: { readonly rate?: number; readonly amount?: number } }

export const csvHead = `${[...COLUMNS.keys()].join(',')}\r\n`

export function csvLines(brand: object): string {
  const { offers = [{}] } = brand as { offers?: readonly OfferItem[] }
  return offers.map((offer) => lineOf(brand as FileItem, offer)).join('')
}

function lineOf(brand: FileItem, { commission, ...offer }: OfferItem): string {
  const items: Record<'brand' | 'offer', FileItem> = {
    brand,
    offer: { ...offer, commission_rate: commission?.rate, commission_amount: commission?.amount },
  }
  return `${[...COLUMNS.values()].map(({ of, field }) => cellOf(items[of][field])).join(',')}\r\n`
}

/** Quotes preserve leading and trailing spaces. A list whose parts contain the separator is written as JSON. */
function cellOf(value: unknown): string {
  if (value === undefined) return ''
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return `"${escapedCell(textOf(value)).replaceAll('"', '""')}"`
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  const plain =
    Array.isArray(value) &&
    value.every((part) => typeof part === 'number' || (typeof part === 'string' && isPlain(part)))
  return plain ? value.join(SEPARATOR) : JSON.stringify(value)
}

function isPlain(part: string): boolean {
  return part === part.trim() && part !== '' && !part.includes(SEPARATOR) && !part.startsWith('[')
}
