import Type from 'typebox'
import type { Reader } from '../../../platform/db/database.ts'
import { namedStrictObject, refuseStale } from '../../../platform/http/index.ts'
import type { PublisherId } from '../../../platform/ids.ts'
import { type OperatorOperation, PublisherParams, parsePublisherId } from '../../../tenants/access/index.ts'
import type { CatalogOperatorDeps } from '../operator-deps.ts'
import { type AssortmentChange, readAssortmentContent } from './change-assortment.ts'
import { saveAssortment } from './save-assortment.ts'
import { ASSORTMENT_ENTRIES_MAX, AssortmentSchema, addNames, parseContent, presentAssortment } from './schema.ts'

// Allows about 500 bytes for each entry of a list of the maximum length.
const BODY_BYTES_MAX = 10 * 1024 * 1024

const NewAssortmentSchema = namedStrictObject('NewAssortment', {
  ...AssortmentSchema.properties,
  // `expected` is compared without the names that responses add.
  expected: Type.Optional(
    namedStrictObject('Assortment', AssortmentSchema.properties, {
      description: 'The assortment as you last read it. If it has changed since, the request fails with 409.',
    }),
  ),
})

const example = {
  carries: 'everything' as const,
  categories: [{ category_id: 7, name: 'Groceries', carried: false }],
  brands: [{ brand_uid: 'brand-market', name: 'Corner Market', fee: 10, share: 20 }],
  offers: [
    {
      offer_uid: 'offer-market',
      name: '5% back',
      brand_name: 'Corner Market',
      carried: true,
      formatted_description: '3.5% back on every order',
    },
  ],
  category_order: [3, 1, 2],
}

/** Registers the operator routes for publishers' assortments. */
export function assortmentRoutes(operation: OperatorOperation, deps: CatalogOperatorDeps): void {
  operation('GET /operator/publishers/:publisher_id/assortment', {
    config: { permission: 'assortments:read' },
    id: 'getAssortment',
    summary: "Get a publisher's assortment",
    description:
      'Omitted fields have their default values: an empty object carries everything on the terms of the agreement.',
    params: PublisherParams,
    answer: AssortmentSchema,
    example,
    refusals: ['publisher_not_found'],
    handler: async ({ params }) => shown(deps.db.reader, deps, parsePublisherId(params.publisher_id)),
  })

  operation('PUT /operator/publishers/:publisher_id/assortment', {
    bodyLimit: BODY_BYTES_MAX,
    config: {
      permission: 'assortments:change',
      batch: { members: ['categories', 'brands', 'offers', 'category_order'], itemsMax: ASSORTMENT_ENTRIES_MAX },
    },
    id: 'putAssortment',
    summary: "Replace a publisher's assortment",
    description:
      'Omitted fields take their default values: an empty object carries everything on the terms of the agreement. Decided purchases keep their terms. Use `expected` to avoid overwriting a change made by someone else in the meantime.',
    params: PublisherParams,
    body: NewAssortmentSchema,
    bodyExample: example,
    answer: AssortmentSchema,
    example,
    refusals: ['assortment_invalid', 'publisher_not_found', 'changed_meanwhile'],
    handler: async ({ params, body, actor, once }) => {
      const publisherId = parsePublisherId(params.publisher_id)
      const { expected, ...wanted } = body
      const content = parseContent(wanted)
      const read = expected === undefined ? {} : presentAssortment(parseContent(expected))
      const change: AssortmentChange['change'] = (before) => {
        refuseStale(read, presentAssortment(before))
        return content
      }
      const asked = { publisherId, change, by: actor }
      return once(async (tx) => {
        await saveAssortment(tx, asked, deps.clock.now())
        return shown(tx, deps, publisherId)
      })
    },
  })
}

async function shown(reader: Reader, { catalog }: Pick<CatalogOperatorDeps, 'catalog'>, publisherId: PublisherId) {
  const [content, current] = [await readAssortmentContent(reader, publisherId), await catalog.current()]
  return addNames(presentAssortment(content), current)
}
