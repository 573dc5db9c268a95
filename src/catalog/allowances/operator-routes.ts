import Type from 'typebox'
import { toDay } from '../../platform/calendar.ts'
import { idField } from '../../platform/http/index.ts'
import { Refusal } from '../../platform/refusal.ts'
import { listOperation, type OperatorDeps, type OperatorOperation, presentRows } from '../../tenants/access/index.ts'
import { CATALOG_OFFER, findOfferOfCatalog, listFieldChanges, listVersions, offerList } from '../catalog/index.ts'
import { budgetList } from './budget-list-queries.ts'
import { addPaces } from './budget-paces.ts'
import type { AllowanceRefusal } from './errors.ts'
import {
  OFFER_BUDGETS,
  OFFER_VERSION,
  OfferVersionsSchema,
  WholeOfferSchema,
  wholeOfferExample,
} from './operator-schema.ts'

const OfferParams = Type.Object({ offer_uid: idField('The offer.') })
const unknownOffer = () => new Refusal<AllowanceRefusal>('offer_unknown', 'There is no such offer.')

/** Registers the routes for all offers in the catalog, independent of assortments. */
export function operatorOfferRoutes(operation: OperatorOperation, { db, clock }: OperatorDeps): void {
  const { reader } = db
  listOperation(operation, db, {
    route: 'GET /operator/budgets',
    permission: 'catalog:read',
    id: 'listBudgets',
    summary: 'List offers with budgets, showing spend, remainder and pace, newest offer first',
    description:
      'Covers the current budget periods, by the UTC calendar. An offer whose budget is spent is hidden from users until the next period or until the budget is raised.',
    list: budgetList(clock),
    resource: OFFER_BUDGETS,
    present: async (offers) => (await addPaces(reader, offers, clock.now())).map(OFFER_BUDGETS.present),
  })

  listOperation(operation, db, {
    route: 'GET /operator/offers',
    permission: 'catalog:read',
    id: 'listCatalogOffers',
    summary: 'List offers in the catalog, newest first',
    description:
      "Includes retired offers. Filters other than the brand search a limited number of offers per page, so a page may be empty: follow `next_cursor` until it is null. To see what a publisher's users see, set `Laurel-Publisher` to the publisher and read `GET /brands`.",
    list: offerList(clock),
    resource: CATALOG_OFFER,
  })

  operation('GET /operator/offers/:offer_uid', {
    config: { permission: 'catalog:read' },
    id: 'getCatalogOffer',
    summary: 'Get an offer as it appears in a catalog file',
    description: 'Also returns retired offers. For the offer as a user sees it, read `GET /brands/{brand_uid}`.',
    params: OfferParams,
    answer: WholeOfferSchema,
    // The content is sent as stored, regardless of its members' types.
    serializerCompiler: () => JSON.stringify,
    example: wholeOfferExample,
    refusals: ['offer_unknown'],
    handler: async ({ params: { offer_uid } }) => {
      const offer = await findOfferOfCatalog(reader, offer_uid, toDay(clock.now(), 'UTC'))
      if (offer === null) throw unknownOffer()
      return { ...CATALOG_OFFER.present(offer), content: { offer_uid, ...offer.content } }
    },
  })

  operation('GET /operator/offers/:offer_uid/versions', {
    config: { permission: 'catalog:read' },
    id: 'listOfferVersions',
    summary: 'List all versions of an offer with their changes, newest first',
    description: 'Each purchase is decided by the version in effect when it was made.',
    params: OfferParams,
    answer: OfferVersionsSchema,
    example: { offer_uid: 'off_3k1n', versions: [OFFER_VERSION.example] },
    refusals: ['offer_unknown'],
    handler: async ({ params: { offer_uid } }) => {
      const versions = await listVersions(reader, offer_uid)
      if (versions.length === 0) throw unknownOffer()
      const changed = versions.map((one, index) => ({
        ...one,
        changes: index === 0 ? [] : listFieldChanges(versions[index - 1]?.content ?? {}, one.content),
      }))
      return { offer_uid, versions: await presentRows(reader, OFFER_VERSION, changed.toReversed()) }
    },
  })
}
