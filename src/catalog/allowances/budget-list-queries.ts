import type { Clock } from '../../platform/clock.ts'
import { enumField } from '../../platform/http/index.ts'
import type { OperatorList } from '../../tenants/access/index.ts'
import { brandFilter, type OfferOfCatalog, offerList } from '../catalog/index.ts'
import { selectOffersNearlySpent } from './budget-paces.ts'

/** Builds the list of offers with budgets, newest first. */
export function budgetList(clock: Clock): OperatorList<OfferOfCatalog> {
  return {
    ...offerList(clock),
    only: (reader) => reader`offers.retired_at is null and offers.conditions -> 'budgets' is not null`,
    filters: {
      ...brandFilter,
      nearly_spent: {
        parameter: enumField(['true', 'false'], 'If true, only offers that have spent at least 90% of a budget.'),
        where: (reader, _table, value: 'true' | 'false') =>
          value === 'false'
            ? reader`true`
            : reader`offers.offer_uid in (select offer_uid from (${selectOffersNearlySpent(reader, clock.now())}) as n)`,
      },
    },
  }
}
