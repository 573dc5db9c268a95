import type { Reader } from '../../../platform/db/database.ts'
import type { PublisherId } from '../../../platform/ids.ts'
import * as queries from './assortment-queries.ts'
import { type AssortmentContent, buildContent, deriveContentName, everythingCarried } from './content.ts'

/** The topic on which assortment changes are announced. */
export const ASSORTMENTS_CHANGED = 'laurel_assortments_changed'

type NamedContent = { readonly content: AssortmentContent; readonly name: string }

/** The entries of all publishers. */
export type AssortmentBook = { readonly version: number; of(publisherId: PublisherId): NamedContent }

const nothing: NamedContent = { content: everythingCarried, name: '' }

export async function loadAssortmentBook(reader: Reader, version: number): Promise<AssortmentBook> {
  const rows = Map.groupBy(await queries.listAllEntries(reader), ({ publisherId }) => publisherId)
  const contents = new Map(
    [...rows].map(([publisherId, own]) => {
      const content = buildContent(own)
      return [publisherId, { content, name: deriveContentName(content) }]
    }),
  )
  return { version, of: (publisherId) => contents.get(publisherId) ?? nothing }
}
