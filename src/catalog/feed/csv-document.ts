import { Refusal } from '../../platform/refusal.ts'
import type { CatalogRefusal } from '../errors.ts'
import { FAULTS_MAX } from './file-schema.ts'
import { readCsvFile } from './read-csv.ts'

type CsvDocument = {
  readonly categories: object[]
  readonly brands: object[]
  /** Of each brand, the line of its first row and those of its offers. */
  readonly lines: { line: number; offers: number[] }[]
}

/**
 * Reads a CSV catalog as the document that an import takes; what is in the brands, the import checks.
 * @throws Refusal catalog_invalid with the line and column of the first faults
 */
export function csvDocument(text: string): CsvDocument {
  const { value, lineOf, faults } = readCsvFile(text)
  if (faults.length > 0)
    throw new Refusal<CatalogRefusal>('catalog_invalid', 'The file is no catalog in CSV.', {
      members: {
        faults: faults.slice(0, FAULTS_MAX).map(({ path, message }) => ({
          path: ['lines', lineOf(path), ...path.slice(-1)].join('.'),
          message,
        })),
      },
    })
  const { categories = [], brands } = value as { categories?: object[]; brands: { offers: object[] }[] }
  const lines = brands.map(({ offers }, index) => ({
    line: lineOf(['brands', index]),
    offers: offers.map((_offer, at) => lineOf(['brands', index, 'offers', at])),
  }))
  return { categories, brands, lines }
}
