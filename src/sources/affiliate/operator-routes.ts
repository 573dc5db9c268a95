import Type from 'typebox'
import { idField, namedObject, strictObject } from '../../platform/http/index.ts'
import {
  listOperation,
  type OperatorDeps,
  type OperatorOperation,
  parsePublisherId,
} from '../../tenants/access/index.ts'
import { assignPostbackAs, dismissPostbackAs } from './decide-postback.ts'
import { UNKNOWN_POSTBACKS } from './sales/unmatched-queries.ts'
import { UNKNOWN_POSTBACK } from './schema.ts'

const DecidedSchema = namedObject('DecidedPostback', {
  postback_id: Type.String({ description: 'ID of the report.' }),
})
const PostbackParams = Type.Object({ postback_id: idField('ID of the report, as returned in the list.') })
const Reason = Type.String({ minLength: 1, maxLength: 1000, description: 'Reason, stored with the decision.' })

/** Registers the routes for reported sales that earn nothing, so that operators can ask the network about them. */
export function operatorPostbackRoutes(operation: OperatorOperation, deps: OperatorDeps): void {
  listOperation(operation, deps.db, {
    route: 'GET /operator/postbacks/unknown',
    permission: 'postbacks:read',
    id: 'listUnknownPostbacks',
    summary: 'List reported sales that match no click, and rejections of unknown orders, newest first',
    description:
      "They are stored but earn nothing: the sub-id is missing or was altered in transit, or its click was deleted after its retention period, was sent to another network or is older than the network's window. A decision on one report applies to all reports of its sale.",
    list: UNKNOWN_POSTBACKS,
    resource: UNKNOWN_POSTBACK,
  })
  decisionRoutes(operation, deps)
}

function decisionRoutes(operation: OperatorOperation, deps: OperatorDeps): void {
  operation('POST /operator/postbacks/:postback_id/assign', {
    config: { permission: 'postbacks:decide' },
    id: 'assignPostback',
    summary: "Credit a reported sale to a user's last prior click on an offer",
    description:
      'All reports of the sale, including later ones, are credited to this click. 422 if the user followed no link to the offer at the network before the sale, or if the report rejects an unknown order.',
    params: PostbackParams,
    body: strictObject({
      publisher_id: idField('The publisher of the user.'),
      publisher_user_id: Type.String({ minLength: 1, maxLength: 255, description: 'The user.' }),
      offer_uid: Type.String({ minLength: 1, maxLength: 64, description: 'The offer.' }),
      reason: Reason,
    }),
    bodyExample: {
      publisher_id: 'pub_01kbjyt5v3f4nvj5yq5yfypr9v',
      publisher_user_id: 'user-4711',
      offer_uid: 'offer-gadgets-link',
      reason: 'The user has the order confirmation.',
    },
    answer: DecidedSchema,
    example: { postback_id: 'pbk_01kbjyt5v3f4nvj5yq5yfypr9v' },
    refusals: ['publisher_not_found', 'postback_not_found', 'postback_settled', 'postback_mismatch'],
    handler: async ({ params, body, actor, once }) =>
      once(async (tx) => {
        const { publisher_user_id: publisherUserId, offer_uid: offerUid, reason } = body
        const user = { publisherId: parsePublisherId(body.publisher_id), publisherUserId, offerUid }
        await assignPostbackAs(tx, { postbackId: params.postback_id, ...user, by: actor, reason }, deps.clock.now())
        return { postback_id: params.postback_id }
      }),
  })

  operation('POST /operator/postbacks/:postback_id/dismiss', {
    config: { permission: 'postbacks:decide' },
    id: 'dismissPostback',
    summary: 'Dismiss a reported sale so that it earns nothing',
    description: 'Removes all reports of the sale from the list; later reports are not added.',
    params: PostbackParams,
    body: strictObject({ reason: Reason }),
    bodyExample: { reason: 'A sale from our own newsletter.' },
    answer: DecidedSchema,
    example: { postback_id: 'pbk_01kbjyt5v3f4nvj5yq5yfypr9v' },
    refusals: ['postback_not_found', 'postback_settled'],
    handler: async ({ params, body, actor, once }) =>
      once(async (tx) => {
        await dismissPostbackAs(tx, { postbackId: params.postback_id, by: actor, ...body }, deps.clock.now())
        return { postback_id: params.postback_id }
      }),
  })
}
