import type { TrackingLinks } from '../affiliate/index.ts'
import { dayOf } from '../platform/calendar.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database.ts'
import { type App, pageSchema, sortOf } from '../platform/http/index.ts'
import type { TransactionId, UserId } from '../platform/ids.ts'
import { type Publisher, type PublisherOperation, publisherNow, publisherOperations } from '../publishers/index.ts'
import type { Vault } from '../secrets/index.ts'
import { carriedCategories } from './assortment/assortment.ts'
import { brandExample, brandsPageExample, categoriesExample } from './listing/examples.ts'
import { type BrandPages, createBrandPages, fillPage, returnPage } from './listing/page-templates.ts'
import { BRAND_SORTS, type ListContext } from './listing/select-brands.ts'
import {
  type BrandOfTransaction,
  brandNotFound,
  createProofs,
  createUserCheck,
  createUserViewOf,
  filterOf,
  type OffersOfUser,
  sortsFromHome,
  transactionIn,
  type UserCheck,
} from './listing/service.ts'
import { anyUser } from './listing/user-view.ts'
import type { CatalogStore } from './loading/catalog-store.ts'
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

type Deps = {
  readonly db: Database
  readonly clock: Clock
  readonly vault: Vault
  readonly catalog: CatalogStore
  readonly links: TrackingLinks
  /** Read at each request: it is known once the service listens. */
  readonly baseUrl: string
  readonly brandOfTransaction: BrandOfTransaction
  /** Absent: no offer is ever used up. */
  readonly offersOfUser?: OffersOfUser
}

export function catalogRoutes(app: App, deps: Deps): void {
  const operation = publisherOperations(app, deps, 'Brands')
  const listing = openListing(deps)
  listRoute(operation, deps, listing)
  brandRoute(operation, deps, listing)
  categoriesRoute(operation, deps)
}

/** Shared by the list and the single brand. */
type ListingParts = {
  readonly pages: BrandPages
  readonly checkUser: UserCheck
  /** What a user of the publisher can see today. */
  readonly contextFor: (publisher: Publisher, userId: UserId, needsHome: boolean) => Promise<ListContext>
}

function openListing(deps: Deps): ListingParts {
  const userViewOf = createUserViewOf(deps.db, deps.offersOfUser ?? (async () => anyUser))
  return {
    pages: createBrandPages({ baseUrl: () => deps.baseUrl, linkStart: deps.links.start }),
    checkUser: createUserCheck(deps.db),
    contextFor: async (publisher, userId, needsHome) => {
      const assortment = await deps.catalog.assortmentOf(publisher)
      const now = publisherNow(publisher, deps.clock)
      const personal = await userViewOf(publisher, userId, assortment, { needsHome, now })
      return { assortment, day: dayOf(now, publisher.timeZone), personal }
    },
  }
}

function listRoute(operation: PublisherOperation, deps: Deps, listing: ListingParts): void {
  const proofsOf = createProofs(deps.links)
  const brandOf = (publisher: Publisher, transactionId: TransactionId): Promise<string | null> =>
    deps.brandOfTransaction(deps.db.reader, publisher.id, transactionId)

  operation('GET /publishers/brands', {
    config: { scope: 'brands:read' },
    id: 'listBrands',
    summary: 'List brands with their offers for a user',
    query: BrandsQuery,
    answer: pageSchema(BrandSchema),
    example: brandsPageExample,
    refusals: [404],
    handler: async ({ query: asked, publisher, reply }) => {
      const { publisher_user_id, ...query } = asked
      const userId = await listing.checkUser(publisher, publisher_user_id)
      const context = await listing.contextFor(publisher, userId, sortsFromHome(query))
      const transactionId = transactionIn(query.search_text)
      const filter = () => filterOf(asked, sortOf(query, BRAND_SORTS).sort, context.personal.home)
      const template =
        transactionId === null
          ? listing.pages.page(context, JSON.stringify(query), query, filter)
          : listing.pages.pageOfBrand(context, await brandOf(publisher, transactionId), query, filter())
      const page = fillPage(template, proofsOf(userId))
      // An interrupted answer never finishes; its copy goes to the garbage collector.
      reply.raw.once('finish', () => returnPage(template, page))
      // Ready JSON is sent as it is; a test holds it against the schema above.
      return reply.header('Content-Type', 'application/json; charset=utf-8').send(page as never)
    },
  })
}

function brandRoute(operation: PublisherOperation, deps: Deps, listing: ListingParts): void {
  operation('GET /publishers/brands/:brand_uid', {
    config: { scope: 'brands:read' },
    id: 'getBrand',
    summary: 'One brand with its offers, with the links of a user',
    description: "An array with the one brand. The offers' type stands in `offer_types` here.",
    params: BrandParams,
    query: BrandQuery,
    answer: SingleBrandSchema,
    example: [brandExample('offer_types')],
    refusals: [404],
    handler: async ({ params, query, publisher }) => {
      const userId = await listing.checkUser(publisher, query.publisher_user_id)
      await deps.catalog.lookFor([{ brandUid: params.brand_uid }])
      const context = await listing.contextFor(publisher, userId, false)
      const found = listing.pages.brand(context, params.brand_uid)
      if (found === null) throw brandNotFound()
      const linkOf = deps.links.forUser(userId)
      const offers = found.offers.map((one) => ({
        ...presentOffer(one, one.offer.offerType === 'AFFILIATE' ? linkOf(one.offer.offerUid) : null),
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
    summary: 'List the categories of brands',
    description: "Those that have a brand the publisher carries, in the publisher's order.",
    answer: CategoriesSchema,
    example: categoriesExample,
    handler: async ({ publisher }) => {
      const categories = carriedCategories(await deps.catalog.assortmentOf(publisher))
      return categories.map(({ categoryId, category }) => ({ category_id: categoryId, category }))
    },
  })
}
