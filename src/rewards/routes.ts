import Type from 'typebox'
import type { CatalogStore } from '../catalog/index.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database.ts'
import { type App, dayField, idField, nullable, operation } from '../platform/http/index.ts'
import type { Vault } from '../platform/vault.ts'
import { answerOnce, publisherNow, publisherOf } from '../publishers/index.ts'
import { activateOffer, deactivateOffer, handOutCode } from './offers.ts'

type Deps = {
  readonly db: Database
  readonly clock: Clock
  readonly catalog: Pick<CatalogStore, 'assortmentOf'>
  readonly vault: Vault
}

const Params = Type.Object({ offer_uid: idField('The offer.') })
const User = Type.Object(
  { publisher_user_id: idField("The publisher's identifier of the user.") },
  { additionalProperties: false },
)
const ActivationSchema = Type.Object({
  offer_uid: Type.String(),
  publisher_user_id: Type.String(),
  activated_at: nullable(
    Type.String({ description: 'Since when purchases count for the offer; null: they do not.', format: 'date-time' }),
  ),
})
const CodeSchema = Type.Object({
  offer_uid: Type.String(),
  publisher_user_id: Type.String(),
  voucher_code: Type.String(),
  expires_on: nullable(dayField('The last day on which it can be used.')),
})
const example = { offer_uid: 'off_3k1n', publisher_user_id: 'user-1' }

export function offerRoutes(app: App, deps: Deps): void {
  activationRoutes(app, deps)

  app.post(
    '/offers/:offer_uid/voucher-code',
    {
      config: { scope: 'brands:write' },
      schema: operation({
        id: 'handOutVoucherCode',
        summary: 'The voucher code with which a user can use an offer',
        description:
          'Where an offer has a code for each user, it is this user’s from then on, and the same one until it is used.',
        tag: 'Brands',
        params: Params,
        body: User,
        bodyExample: { publisher_user_id: 'user-1' },
        answer: CodeSchema,
        example: { ...example, voucher_code: 'SPRING-7F3K', expires_on: '2026-12-31' },
        refusals: [404, 409],
      }),
    },
    async (request, reply) => {
      const publisher = publisherOf(request)
      const assortment = await deps.catalog.assortmentOf(publisher)
      const { offer_uid } = request.params
      const { publisher_user_id } = request.body
      const named = { publisherUserId: publisher_user_id, offerUid: offer_uid }
      return answerOnce(deps, request, reply, async (tx) => {
        const now = publisherNow(publisher, deps.clock)
        const { code, expiresOn } = await handOutCode(tx, { ...deps, assortment }, publisher, named, now)
        return { offer_uid, publisher_user_id, voucher_code: code, expires_on: expiresOn }
      })
    },
  )
}

function activationRoutes(app: App, deps: Deps): void {
  app.post(
    '/offers/:offer_uid/activate',
    {
      config: { scope: 'brands:write' },
      schema: operation({
        id: 'activateOffer',
        summary: 'Activate an offer for a user',
        description: 'Purchases from then on count for an offer that asks for it. Again changes nothing.',
        tag: 'Brands',
        params: Params,
        body: User,
        bodyExample: { publisher_user_id: 'user-1' },
        answer: ActivationSchema,
        example: { ...example, activated_at: '2026-11-21T10:15:30.000Z' },
        refusals: [404, 409],
      }),
    },
    async (request, reply) => {
      const publisher = publisherOf(request)
      const assortment = await deps.catalog.assortmentOf(publisher)
      const { offer_uid } = request.params
      const { publisher_user_id } = request.body
      const named = { publisherUserId: publisher_user_id, offerUid: offer_uid }
      return answerOnce(deps, request, reply, async (tx) => {
        const since = await activateOffer(tx, { assortment }, publisher, named, publisherNow(publisher, deps.clock))
        return { offer_uid, publisher_user_id, activated_at: since.toISOString() }
      })
    },
  )

  app.delete(
    '/offers/:offer_uid/activate',
    {
      config: { scope: 'brands:write' },
      schema: operation({
        id: 'deactivateOffer',
        summary: 'End the activation of an offer for a user',
        description: 'What was bought until then stays as it is.',
        tag: 'Brands',
        params: Params,
        query: User,
        answer: ActivationSchema,
        example: { ...example, activated_at: null },
        refusals: [404],
      }),
    },
    async (request, reply) => {
      const publisher = publisherOf(request)
      const assortment = await deps.catalog.assortmentOf(publisher)
      const { offer_uid } = request.params
      const { publisher_user_id } = request.query
      const named = { publisherUserId: publisher_user_id, offerUid: offer_uid }
      return answerOnce(deps, request, reply, async (tx) => {
        await deactivateOffer(tx, { assortment }, publisher, named, publisherNow(publisher, deps.clock))
        return { offer_uid, publisher_user_id, activated_at: null }
      })
    },
  )
}
