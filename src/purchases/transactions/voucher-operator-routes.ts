import Type from 'typebox'
import { dayOf } from '../../platform/calendar.ts'
import { enumOf, idField, namedObject } from '../../platform/http/index.ts'
import type { OperatorDeps, OperatorOperation } from '../../tenants/access/index.ts'
import { countPools } from './vouchers/pools.ts'

const PoolSchema = namedObject('VoucherPool', {
  environment: enumOf(['sandbox', 'production'], 'Whose users get these codes.'),
  free: Type.Integer({ description: 'Can be handed out.' }),
  assigned: Type.Integer({ description: 'Handed to a user, and no purchase names it.' }),
  reported: Type.Integer({ description: 'A purchase names it that has not cleared.' }),
  redeemed: Type.Integer({ description: 'The purchase that names it has cleared.' }),
  returned: Type.Integer({ description: 'The purchase was undone or earned nothing; its user can use it again.' }),
  expired: Type.Integer({ description: 'Not used in time, whether handed out or not.' }),
})

/** Registers the route for the state of an offer's voucher codes. */
export function operatorVoucherRoutes(operation: OperatorOperation, deps: OperatorDeps): void {
  operation('GET /operator/voucher-pools/:offer_uid', {
    config: { permission: 'vouchers:read' },
    id: 'getVoucherPools',
    summary: 'How many voucher codes of an offer are in which state',
    description: 'For production and for sandboxes, by the day in UTC. An offer that has no codes has zeros.',
    params: Type.Object({ offer_uid: idField('The offer.') }),
    answer: namedObject('VoucherPools', {
      offer_uid: Type.String(),
      pools: Type.Array(PoolSchema, { description: 'One for each environment.' }),
    }),
    example: {
      offer_uid: 'off_3k1n',
      pools: [
        { environment: 'production', free: 812, assigned: 140, reported: 9, redeemed: 37, returned: 1, expired: 1 },
        { environment: 'sandbox', free: 10, assigned: 0, reported: 0, redeemed: 0, returned: 0, expired: 0 },
      ],
    },
    handler: async ({ params: { offer_uid: offerUid } }) => {
      const pools = await countPools(deps.db.reader, offerUid, dayOf(deps.clock.now(), 'UTC'))
      return { offer_uid: offerUid, pools }
    },
  })
}
