import { COLUMNS, escapeCell, SEPARATOR } from './csv-columns.ts'

type FileItem = Readonly<Record<string, unknown>>
type OfferItem = FileItem & { readonly commission?: { readonly rate?: number; readonly amount?: number } }

export const csvHead = `${[...COLUMNS.keys()].join(',')}\r\n`

/** Formats a brand as one row per offer, repeating the brand's fields. A brand without offers gets a single row. */
export function formatCsvLines(brand: object): string {
  const { offers = [{}] } = brand as { offers?: readonly OfferItem[] }
  return offers.map((offer) => formatLine(brand as FileItem, offer)).join('')
}

function formatLine(brand: FileItem, { commission, ...offer }: OfferItem): string {
  const items: Record<'brand' | 'offer', FileItem> = {
    brand,
    offer: { ...offer, commission_rate: commission?.rate, commission_amount: commission?.amount },
  }
  return `${[...COLUMNS.values()].map(({ of, field }) => formatCell(items[of][field])).join(',')}\r\n`
}

/** Quotes text to preserve leading and trailing spaces. A list whose parts contain the separator is written as JSON. */
function formatCell(value: unknown): string {
  if (value === undefined) return ''
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return `"${escapeCell(formatText(value)).replaceAll('"', '""')}"`
}

function formatText(value: unknown): string {
  if (typeof value === 'string') return value
  const plain =
    Array.isArray(value) &&
    value.every((part) => typeof part === 'number' || (typeof part === 'string' && isPlain(part)))
  return plain ? value.join(SEPARATOR) : JSON.stringify(value)
}

function isPlain(part: string): boolean {
  return part === part.trim() && part !== '' && !part.includes(SEPARATOR) && !part.startsWith('[')
}
