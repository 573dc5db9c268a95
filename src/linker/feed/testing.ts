import type { ProviderRow } from '../provider.ts'

/** For tests: a row of the feed of which only what matters is said. */
export function providerRow(rowId: string, amount: number, rest: Partial<ProviderRow> = {}): ProviderRow {
  return {
    rowId,
    accountId: 'acc',
    amount,
    currency: 'USD',
    pending: false,
    pendingRowId: null,
    date: '2026-03-05',
    datetime: null,
    authorizedDate: null,
    authorizedDatetime: null,
    name: 'BLUE KETTLE 77',
    originalDescription: null,
    merchantName: 'Blue Kettle',
    merchantId: null,
    website: null,
    mcc: null,
    category: 'FOOD_AND_DRINK',
    location: {
      storeNumber: null,
      street: null,
      city: null,
      state: null,
      zipCode: null,
      latitude: null,
      longitude: null,
    },
    ...rest,
  }
}
