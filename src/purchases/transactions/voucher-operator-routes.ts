import Type from 'typebox'
import { toDay } from '../../platform/calendar.ts'
import { enumField, idField, namedObject } from '../../platform/http/index.ts'
import type { OperatorDeps, OperatorOperation } from '../../tenants/access/index.ts'
import { ENVIRONMENTS } from '../../tenants/publishers/index.ts'
import { countPools } from './vouchers/pools.ts'

const PoolSchema = namedObject('VoucherPool', {
  environment: enumField(ENVIRONMENTS, 'Environment of the users who get these codes.'),
  free: Type.Integer({ description: 'Available to assign.' }),
  assigned: Type.Integer({ description: 'Assigned to a user and not used in any purchase.' }),
  reported: Type.Integer({ description: 'Used in a purchase that has not cleared.' }),
  redeemed: Type.Integer({ description: 'Used in a purchase that has cleared.' }),
  returned: Type.Integer({
    description: 'The purchase was undone or earned nothing; the user can use the code again.',
  }),
  expired: Type.Integer({ description: 'Not used in time, whether assigned or not.' }),
})

/** Registers the route for the state of an offer's voucher codes. */
export function operatorVoucherRoutes(operation: OperatorOperation, deps: OperatorDeps): void {
  operation('GET /operator/voucher-pools/:offer_uid', {
    config: { permission: 'vouchers:read' },
    id: 'getVoucherPools',
    summary: "Count an offer's voucher codes by state",
    description:
      'Separate counts for production and sandboxes, as of the current day in UTC. For an offer without codes, all counts are zero.',
    params: Type.Object({ offer_uid: idField('The offer.') }),
    answer: namedObject('VoucherPools', {
      offer_uid: Type.String(),
      pools: Type.Array(PoolSchema, { description: 'One pool per environment.' }),
    }),
    example: {
      offer_uid: 'off_3k1n',
      pools: [
        { environment: 'production', free: 812, assigned: 140, reported: 9, redeemed: 37, returned: 1, expired: 1 },
        { environment: 'sandbox', free: 10, assigned: 0, reported: 0, redeemed: 0, returned: 0, expired: 0 },
      ],
    },
    handler: async ({ params: { offer_uid: offerUid } }) => {
      const pools = await countPools(deps.db.reader, offerUid, toDay(deps.clock.now(), 'UTC'))
      return { offer_uid: offerUid, pools }
    },
  })
}
