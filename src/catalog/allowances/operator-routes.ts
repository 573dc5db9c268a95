import Type from 'typebox'
import { dayOf } from '../../platform/calendar.ts'
import {
  enumOf,
  idField,
  sortQuery,
  strictObject,
  textField,
  walkExample,
  walkedPage,
  walkOf,
  walkQuery,
  walkSchema,
} from '../../platform/http/index.ts'
import { Refusal } from '../../platform/refusal.ts'
import { type OperatorDeps, type OperatorOperation, withActorNames } from '../../tenants/access/index.ts'
import {
  categoryField,
  fieldChanges,
  findOfferOfCatalog,
  listVersions,
  OFFER_STATES,
  OFFER_TYPES,
  walkOffers,
} from '../catalog/index.ts'
import { offersNearlySpent, pacesOf } from './budget-paces.ts'
import type { AllowanceRefusal } from './errors.ts'
import {
  BudgetSchema,
  budgetExample,
  budgetedOf,
  CatalogOfferSchema,
  OfferVersionsSchema,
  offerExample,
  presentBudgets,
  presentOffer,
  versionsExample,
  WholeOfferSchema,
  wholeOfferExample,
} from './operator-schema.ts'

const SORTS = ['-created', 'created'] as const

const OfferQuery = strictObject({
  brand_uid: Type.Optional(idField('Only offers of this brand.')),
  category_id: Type.Optional(categoryField('Only offers of brands in this category.')),
  state: Type.Optional(enumOf(OFFER_STATES, 'Only offers in this state.')),
  offer_type: Type.Optional(enumOf(OFFER_TYPES, 'Only offers of this type.')),
  search_text: Type.Optional(
    textField(255, "Only offers with this text in their name or their brand's name, or with this id."),
  ),
  ...sortQuery(SORTS),
  ...walkQuery,
})
const BudgetQuery = strictObject({
  brand_uid: Type.Optional(idField('Only offers of this brand.')),
  nearly_spent: Type.Optional(
    enumOf(['true', 'false'], 'If true, only offers that have spent at least 90 % of a budget.'),
  ),
  ...sortQuery(SORTS),
  ...walkQuery,
})

const OfferParams = Type.Object({ offer_uid: idField('The offer.') })
const unknownOffer = () => new Refusal<AllowanceRefusal>('offer_unknown', 'There is no such offer.')

/** Registers the routes for the offers of the whole catalog, independent of assortments. */
export function operatorOfferRoutes(operation: OperatorOperation, deps: OperatorDeps): void {
  const { reader } = deps.db
  budgetsRoute(operation, deps)
  operation('GET /operator/offers', {
    config: { permission: 'catalog:read' },
    id: 'listCatalogOffers',
    summary: 'List offers in the catalog, newest first',
    description:
      'Includes retired offers. Filters other than the brand search a limited number of offers per page, so a page may be empty: follow `next_cursor` until it is null. To see what users of a publisher see, name the publisher in `Laurel-Publisher` and read `GET /brands`.',
    query: OfferQuery,
    answer: walkSchema(CatalogOfferSchema),
    example: walkExample([offerExample]),
    handler: async ({ query }) => {
      const { brand_uid = null, category_id = null, state = null, offer_type = null, search_text = null } = query
      const { sort = SORTS[0] } = query
      const filter = { brandUid: brand_uid, categoryId: category_id, state, type: offer_type, text: search_text }
      const today = dayOf(deps.clock.now(), 'UTC')
      const found = await walkOffers(reader, { ...filter, budgeted: null }, today, walkOf(query, sort, 'ordinal'))
      return walkedPage(found, sort, presentOffer)
    },
  })

  operation('GET /operator/offers/:offer_uid', {
    config: { permission: 'catalog:read' },
    id: 'getCatalogOffer',
    summary: 'Get an offer as it appears in a catalog file',
    description: 'Also returns retired offers. For the offer as a user sees it, read `GET /brands/{brand_uid}`.',
    params: OfferParams,
    answer: WholeOfferSchema,
    // The content is sent as stored, whatever types its members have.
    serializerCompiler: () => JSON.stringify,
    example: wholeOfferExample,
    refusals: ['offer_unknown'],
    handler: async ({ params: { offer_uid } }) => {
      const offer = await findOfferOfCatalog(reader, offer_uid, dayOf(deps.clock.now(), 'UTC'))
      if (offer === null) throw unknownOffer()
      return { ...presentOffer(offer), content: { offer_uid, ...offer.content } }
    },
  })

  operation('GET /operator/offers/:offer_uid/versions', {
    config: { permission: 'catalog:read' },
    id: 'listOfferVersions',
    summary: 'List all versions of an offer with their changes, newest first',
    description: 'Each purchase is decided by the version in effect when it was made.',
    params: OfferParams,
    answer: OfferVersionsSchema,
    example: versionsExample,
    refusals: ['offer_unknown'],
    handler: async ({ params: { offer_uid } }) => {
      const versions = await listVersions(reader, offer_uid)
      if (versions.length === 0) throw unknownOffer()
      const shown = versions.map(({ version, validFrom, changedBy, content }, index) => ({
        version,
        valid_from: validFrom.toISOString(),
        changed_by: changedBy,
        content,
        changes: index === 0 ? [] : fieldChanges(versions[index - 1]?.content ?? {}, content),
      }))
      return { offer_uid, versions: await withActorNames(reader, shown.toReversed(), 'changed_by') }
    },
  })
}

/** Registers the route for offers' budgets and how fast they are spent. */
function budgetsRoute(operation: OperatorOperation, { db: { reader }, clock }: OperatorDeps): void {
  operation('GET /operator/budgets', {
    config: { permission: 'catalog:read' },
    id: 'listBudgets',
    summary: 'List offers with budgets, showing spend, remainder and pace, newest offer first',
    description:
      'Covers the current budget periods, by the UTC calendar. An offer whose budget is spent is hidden from users until the next period or until the budget is raised.',
    query: BudgetQuery,
    answer: walkSchema(BudgetSchema),
    example: walkExample([budgetExample]),
    handler: async ({ query }) => {
      const { brand_uid = null, nearly_spent, sort = SORTS[0] } = query
      const now = clock.now()
      const budgeted = { offerUids: nearly_spent === 'true' ? await offersNearlySpent(reader, now) : null }
      const filter = { brandUid: brand_uid, categoryId: null, state: null, type: null, text: null, budgeted }
      const found = await walkOffers(reader, filter, dayOf(now, 'UTC'), walkOf(query, sort, 'ordinal'))
      const paces = await pacesOf(reader, found.rows.map(budgetedOf), now)
      return walkedPage(found, sort, (offer) => presentBudgets(offer, paces.get(offer.offerUid) ?? []))
    },
  })
}
