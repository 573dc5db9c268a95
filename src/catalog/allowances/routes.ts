import Type from 'typebox'
import type { Tx } from '../../platform/db/database.ts'
import {
  type App,
  dayField,
  idField,
  namedObject,
  namedStrictObject,
  nullable,
  secretField,
} from '../../platform/http/index.ts'
import {
  type OperationDeps,
  type PublisherCaller,
  type PublisherOperation,
  publisherOperations,
} from '../../tenants/access/index.ts'
import type { Assortment, CatalogStore } from '../catalog/index.ts'
import { activateOffer, deactivateOffer, handOutCode, type OfferForUser } from './service.ts'

type Deps = OperationDeps & { readonly catalog: Pick<CatalogStore, 'getAssortment' | 'lookFor'> }

const Params = Type.Object({ offer_uid: idField('The offer.') })
const User = namedStrictObject('OfferUser', { publisher_user_id: idField("The publisher's ID for the user.") })
const ActivationSchema = namedObject('OfferActivation', {
  offer_uid: Type.String(),
  publisher_user_id: Type.String(),
  activated_at: nullable(
    Type.String({
      description: 'When purchases began to count toward the offer; null if it is not activated.',
      format: 'date-time',
    }),
  ),
})
const CodeSchema = namedObject('VoucherCode', {
  offer_uid: Type.String(),
  publisher_user_id: Type.String(),
  voucher_code: secretField(),
  expires_on: nullable(dayField('Last day the code can be used.')),
})
const example = { offer_uid: 'off_3k1n', publisher_user_id: 'user-1' }

export function offerRoutes(app: App, deps: Deps): void {
  const operation = publisherOperations(app, deps, 'Brands')
  activationRoutes(operation, deps)

  operation('POST /offers/:offer_uid/voucher-code', {
    config: { scope: 'brands:write' },
    id: 'handOutVoucherCode',
    summary: "Get a user's voucher code for an offer",
    description:
      'If the offer has a separate code for each user, the code is reserved for this user, who gets the same code until it is used.',
    params: Params,
    body: User,
    bodyExample: { publisher_user_id: 'user-1' },
    answer: CodeSchema,
    example: { ...example, voucher_code: 'SPRING-7F3K', expires_on: '2026-12-31' },
    refusals: ['user_not_found', 'offer_unknown', 'codes_exhausted', 'user_not_active', 'offer_not_available'],
    handler: ({ params, body, ...caller }) =>
      answerFor({ ...params, ...body }, deps, caller, async (tx, named, { assortment, publisher, now }) => {
        const { code, expiresOn } = await handOutCode(tx, { ...deps, assortment }, publisher, named, now)
        return { voucher_code: code, expires_on: expiresOn }
      }),
  })
}

function activationRoutes(operation: PublisherOperation, deps: Deps): void {
  operation('POST /offers/:offer_uid/activate', {
    config: { scope: 'brands:write' },
    id: 'activateOffer',
    summary: 'Activate an offer for a user',
    description:
      'If the offer requires activation, later purchases count toward it. Activating it again has no effect.',
    params: Params,
    body: User,
    bodyExample: { publisher_user_id: 'user-1' },
    answer: ActivationSchema,
    example: { ...example, activated_at: '2026-11-21T10:15:30.000Z' },
    refusals: ['user_not_found', 'offer_unknown', 'user_not_active', 'offer_not_available'],
    handler: ({ params, body, ...caller }) =>
      answerFor({ ...params, ...body }, deps, caller, async (tx, named, { assortment, publisher, now }) => {
        const since = await activateOffer(tx, { assortment }, publisher, named, now)
        return { activated_at: since.toISOString() }
      }),
  })

  operation('DELETE /offers/:offer_uid/activate', {
    config: { scope: 'brands:write' },
    id: 'deactivateOffer',
    summary: 'Deactivate an offer for a user',
    description: 'Earlier purchases are not affected.',
    params: Params,
    query: User,
    answer: ActivationSchema,
    example: { ...example, activated_at: null },
    refusals: ['user_not_found', 'offer_unknown'],
    handler: ({ params, query, ...caller }) =>
      answerFor({ ...params, ...query }, deps, caller, async (tx, named, { assortment, publisher, now }) => {
        await deactivateOffer(tx, { assortment }, publisher, named, now)
        return { activated_at: null }
      }),
  })
}

type Names = { readonly offer_uid: string; readonly publisher_user_id: string }
type Context = Pick<PublisherCaller, 'publisher' | 'now'> & { readonly assortment: Assortment }

/** Runs an action for an offer and a user against the current assortment. Retries get the same response. */
async function answerFor<Result extends object>(
  names: Names,
  deps: Deps,
  { publisher, now, once }: PublisherCaller,
  verb: (tx: Tx, named: OfferForUser, context: Context) => Promise<Result>,
): Promise<Names & Result> {
  await deps.catalog.lookFor([{ offerUid: names.offer_uid }])
  const assortment = await deps.catalog.getAssortment(publisher)
  const named = { publisherUserId: names.publisher_user_id, offerUid: names.offer_uid }
  return once(async (tx) => ({ ...names, ...(await verb(tx, named, { publisher, assortment, now })) }))
}
