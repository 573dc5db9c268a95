import Type from 'typebox'
import { type App, pageExample, pageSchema, readPaging } from '../../platform/http/index.ts'
import type { TrackingLinks } from '../../sources/affiliate/index.ts'
import { type OperationDeps, type PublisherOperation, publisherOperations } from '../../tenants/access/index.ts'
import { listCarriedCategories } from './assortment/assortment.ts'
import { viewBrand } from './listing/brand-view.ts'
import { createBrandPages, fillPage, returnPage } from './listing/page-templates.ts'
import { BRAND_SORTS } from './listing/select-brands.ts'
import {
  type BrandOfTransaction,
  buildFilter,
  createContexts,
  createProofs,
  createUserCheck,
  isSortedFromHome,
  type OffersOfUser,
  parseTransactionId,
} from './listing/service.ts'
import type { CatalogStore } from './loading/catalog-store.ts'
import {
  BrandParams,
  BrandQuery,
  BrandSchema,
  BrandsQuery,
  brandExample,
  CATEGORY,
  presentBrand,
  presentOffer,
  SingleBrandSchema,
} from './schema.ts'

type Deps = OperationDeps & {
  readonly catalog: CatalogStore
  readonly links: TrackingLinks
  /** Read on every request, because it is known only once the service is listening. */
  readonly baseUrl: string
  readonly brandOfTransaction: BrandOfTransaction
  /** If absent, no offer is ever used up. */
  readonly offersOfUser?: OffersOfUser
}

export function catalogRoutes(app: App, deps: Deps): void {
  const operation = publisherOperations(app, deps, 'Brands')
  const users = createUserCheck(deps.db)
  app.addHook('onReady', users.listen)
  const listing = { checkUser: users.check, contextFor: createContexts(deps) }
  listRoute(operation, deps, listing)
  brandRoute(operation, deps, listing)
  categoriesRoute(operation, deps)
}

/** Shared by the list and the single-brand endpoints. */
type ListingParts = {
  readonly checkUser: ReturnType<typeof createUserCheck>['check']
  readonly contextFor: ReturnType<typeof createContexts>
}

function listRoute(operation: PublisherOperation, deps: Deps, listing: ListingParts): void {
  const createUserProofs = createProofs(deps.links)
  const getPage = createBrandPages({ baseUrl: () => deps.baseUrl, linkStart: deps.links.start })

  operation('GET /publishers/brands', {
    config: { scope: 'brands:read' },
    id: 'listBrands',
    summary: 'List brands with their offers for a user',
    description:
      'The brands that the publisher carries, with their current offers for the user. `tracking_url` is specific to the user.',
    query: BrandsQuery,
    answer: pageSchema(BrandSchema),
    example: pageExample([brandExample('offer_type')]),
    refusals: ['user_not_found'],
    handler: async ({ query: asked, publisher, reply }) => {
      const { publisher_user_id, ...query } = asked
      const userId = await listing.checkUser(publisher, publisher_user_id)
      const context = await listing.contextFor(publisher, userId, isSortedFromHome(query))
      const transactionId = parseTransactionId(query.search_text)
      // An unknown transaction yields an empty page, because no brand has the id ''.
      const brandUid =
        transactionId === null
          ? null
          : ((await deps.brandOfTransaction(deps.db.reader, publisher.id, transactionId)) ?? '')
      const template = getPage(context, `${brandUid} ${JSON.stringify(query)}`, query, () =>
        buildFilter(asked, readPaging(query, BRAND_SORTS).sort, context.personal.home, brandUid),
      )
      const page = fillPage(template, createUserProofs(userId))
      // An interrupted response never finishes, so its copy is left to the garbage collector.
      reply.raw.once('finish', () => returnPage(template, page))
      // The page is already JSON and skips the serializer. A test checks it against the schema above.
      return reply.header('Content-Type', 'application/json; charset=utf-8').send(page as never)
    },
  })
}

function brandRoute(operation: PublisherOperation, deps: Deps, listing: ListingParts): void {
  operation('GET /publishers/brands/:brand_uid', {
    config: { scope: 'brands:read' },
    id: 'getBrand',
    summary: "Get a brand with its offers and a user's links",
    description: 'An array with one brand. Here, the type of each offer is in `offer_types`.',
    params: BrandParams,
    query: BrandQuery,
    answer: SingleBrandSchema,
    example: [brandExample('offer_types')],
    refusals: ['brand_not_found', 'user_not_found'],
    handler: async ({ params, query, publisher }) => {
      const userId = await listing.checkUser(publisher, query.publisher_user_id)
      await deps.catalog.lookFor([{ brandUid: params.brand_uid }])
      const context = await listing.contextFor(publisher, userId, false)
      const found = viewBrand(context, params.brand_uid)
      const toLink = deps.links.forUser(userId)
      const offers = found.offers.map((one) => ({
        ...presentOffer(one, one.offer.offerType === 'AFFILIATE' ? toLink(one.offer.offerUid) : null),
        offer_types: one.offer.offerType,
      }))
      return [{ ...presentBrand(found.brand, found.category, found.best, deps.baseUrl), offers }]
    },
  })
}

function categoriesRoute(operation: PublisherOperation, deps: Deps): void {
  operation('GET /publishers/categories', {
    config: { scope: 'brands:read' },
    id: 'listCategories',
    summary: 'List brand categories',
    description: "Only categories with a brand that the publisher carries, in the publisher's order.",
    answer: Type.Array(CATEGORY.schema),
    example: [CATEGORY.example, { category_id: 4, category: 'AUTOMOTIVE' }],
    handler: async ({ publisher }) =>
      listCarriedCategories(await deps.catalog.getAssortment(publisher)).map(CATEGORY.present),
  })
}
