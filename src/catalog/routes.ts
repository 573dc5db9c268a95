import type { TrackingLinks } from '../affiliate/index.ts'
import { dayOf } from '../platform/calendar.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database.ts'
import { type App, operation, pageSchema, sortOf } from '../platform/http/index.ts'
import type { TransactionId } from '../platform/ids.ts'
import { type Publisher, publisherNow, publisherOf } from '../publishers/index.ts'
import type { CatalogStore } from './catalog-store.ts'
import { brandExample, categoriesExample, pageExample } from './examples.ts'
import { type BrandPages, createBrandPages, fillPage, returnPage, type Terms } from './pages.ts'
import {
  BrandParams,
  BrandQuery,
  BrandSchema,
  BrandsQuery,
  CategoriesSchema,
  presentBrand,
  presentOffer,
  SingleBrandSchema,
} from './schema.ts'
import { BRAND_SORTS } from './selection.ts'
import {
  type BrandOfTransaction,
  createProofs,
  createUserCheck,
  filterOf,
  getBrand,
  transactionIn,
  type UserCheck,
} from './service.ts'

type Deps = {
  readonly db: Database
  readonly clock: Clock
  readonly catalog: CatalogStore
  readonly links: TrackingLinks
  /** Asked for at each request: it is known once the service listens. */
  readonly baseUrl: string
  readonly brandOfTransaction: BrandOfTransaction
}

export function catalogRoutes(app: App, deps: Deps): void {
  const shop = openShop(deps)
  listRoute(app, deps, shop)
  brandRoute(app, deps, shop)
  categoriesRoute(app, deps)
}

/** What the list and the single brand share. */
type Shop = {
  readonly pages: BrandPages
  readonly checkUser: UserCheck
  readonly termsFor: (publisher: Publisher) => Promise<Terms>
}

function openShop(deps: Deps): Shop {
  return {
    pages: createBrandPages({ baseUrl: () => deps.baseUrl, linkStart: deps.links.start }),
    checkUser: createUserCheck(deps.db),
    termsFor: async (publisher) => ({
      catalog: await deps.catalog.current(),
      split: publisher,
      day: dayOf(publisherNow(publisher, deps.clock), publisher.timeZone),
    }),
  }
}

function listRoute(app: App, deps: Deps, shop: Shop): void {
  const proofsOf = createProofs(deps.links)
  const brandOf = (publisher: Publisher, transactionId: TransactionId): Promise<string | null> =>
    deps.brandOfTransaction(deps.db.reader, publisher.id, transactionId)

  app.get(
    '/publishers/brands',
    {
      config: { scope: 'brands:read' },
      schema: operation({
        id: 'listBrands',
        summary: 'List brands with their offers for a user',
        tag: 'Brands',
        query: BrandsQuery,
        answer: pageSchema(BrandSchema),
        example: pageExample,
        refusals: [404],
      }),
    },
    async (request, reply) => {
      const publisher = publisherOf(request)
      const { publisher_user_id, ...query } = request.query
      const userId = await shop.checkUser(publisher, publisher_user_id)
      const terms = await shop.termsFor(publisher)
      const transactionId = transactionIn(query.search_text)
      const filter = () => filterOf(request.query, sortOf(query, BRAND_SORTS).sort)
      const template =
        transactionId === null
          ? shop.pages.page(terms, JSON.stringify(query), query, filter)
          : shop.pages.pageOfBrand(terms, await brandOf(publisher, transactionId), query, filter())
      const page = fillPage(template, proofsOf(userId))
      // An answer that is cut off never finishes, and its copy is left to the collector.
      reply.raw.once('finish', () => returnPage(template, page))
      // Ready JSON is sent as it is; the schema above describes it and a test holds the two together.
      return reply.header('Content-Type', 'application/json; charset=utf-8').send(page as never)
    },
  )
}

function brandRoute(app: App, deps: Deps, shop: Shop): void {
  app.get(
    '/publishers/brands/:brand_uid',
    {
      config: { scope: 'brands:read' },
      schema: operation({
        id: 'getBrand',
        summary: 'One brand with its offers, with the links of a user',
        description: "An array with the one brand. The offers' type stands in `offer_types` here.",
        tag: 'Brands',
        params: BrandParams,
        query: BrandQuery,
        answer: SingleBrandSchema,
        example: [brandExample('offer_types')],
        refusals: [404],
      }),
    },
    async (request) => {
      const publisher = publisherOf(request)
      const userId = await shop.checkUser(publisher, request.query.publisher_user_id)
      const { brand, category, best, offers } = getBrand(
        shop.pages.view(await shop.termsFor(publisher)),
        request.params.brand_uid,
      )
      const linkOf = deps.links.forUser(userId)
      const shown = offers.map(({ offer, net }) => ({
        ...presentOffer(offer, net, offer.offerType === 'AFFILIATE' ? linkOf(offer.offerUid) : null),
        offer_types: offer.offerType,
      }))
      return [{ ...presentBrand(brand, category, best, deps.baseUrl), offers: shown }]
    },
  )
}

function categoriesRoute(app: App, deps: Deps): void {
  app.get(
    '/publishers/categories',
    {
      config: { scope: 'brands:read' },
      schema: operation({
        id: 'listCategories',
        summary: 'List the categories of brands',
        tag: 'Brands',
        answer: CategoriesSchema,
        example: categoriesExample,
      }),
    },
    async () => {
      const { categories } = await deps.catalog.current()
      return categories.map(({ categoryId, category }) => ({ category_id: categoryId, category }))
    },
  )
}
