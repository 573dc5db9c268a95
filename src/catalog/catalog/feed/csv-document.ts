import { Refusal } from '../../../platform/refusal.ts'
import type { CatalogRefusal } from '../errors.ts'
import { FAULTS_MAX } from './file-schema.ts'
import { readCsvFile } from './read-csv.ts'

type CsvDocument = {
  readonly categories: object[]
  readonly brands: object[]
  /** For each brand, the line numbers of its first row and of its offers. */
  readonly lines: { line: number; offers: number[] }[]
}

/**
 * Converts a CSV catalog to a document that can be imported. The import itself validates the content of brands.
 * @throws Refusal catalog_invalid with the line and column of the first errors
 */
export function readCsvDocument(text: string): CsvDocument {
  const { value, findLine, faults } = readCsvFile(text)
  if (faults.length > 0)
    throw new Refusal<CatalogRefusal>('catalog_invalid', 'The file is not a CSV catalog.', {
      members: {
        faults: faults.slice(0, FAULTS_MAX).map(({ path, message }) => ({
          path: ['lines', findLine(path), ...path.slice(-1)].join('.'),
          message,
        })),
      },
    })
  const { categories = [], brands } = value as { categories?: object[]; brands: { offers: object[] }[] }
  const lines = brands.map(({ offers }, index) => ({
    line: findLine(['brands', index]),
    offers: offers.map((_offer, at) => findLine(['brands', index, 'offers', at])),
  }))
  return { categories, brands, lines }
}
