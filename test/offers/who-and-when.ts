import { type Chapter, daysBefore, when } from './row.ts'

const friday = { days: ['FRI'] } as const
const happyHour = { hours: { from: '17:00', to: '19:00' } } as const
const fridayNight = { ...friday, hours: { from: '22:00', to: '02:00' } } as const

export const WHO: Chapter = {
  title: 'Who earns',
  text: 'A user earns while ACTIVE, which means that they are registered, have accepted the current terms and are not deactivated. A card purchase requires a card that was linked when the purchase was made.',
  rows: [
    { title: 'an active user with a linked card', expected: { user: 250n } },
    { title: 'a user who has not accepted the terms', user: { standing: 'PENDING' }, expected: 'terms_not_accepted' },
    { title: 'a deactivated user', user: { standing: 'INACTIVE' }, expected: 'user_inactive' },
    { title: 'a card that is not linked', user: { card: 'not_linked' }, expected: 'card_not_linked' },
    { title: 'a card that was linked later', user: { card: 'linked_later' }, expected: 'before_card_linked' },
    {
      title: 'a sale reported by a network needs no card',
      offer: { offerType: 'AFFILIATE' },
      purchase: { source: 'AFFILIATE' },
      user: { card: 'not_linked' },
      expected: { user: 250n },
    },
    {
      title: 'another kind of source that references the offer needs no card',
      purchase: { source: 'OTHER', offerUid: 'o' },
      user: { card: 'not_linked' },
      expected: { user: 250n },
    },
    {
      title: 'a code works with any card',
      offer: { offerType: 'VOUCHER_CODE', voucherCode: 'SAVE3' },
      purchase: { voucherCode: 'SAVE3' },
      user: { card: 'not_linked' },
      expected: { user: 250n },
    },
  ],
}

export const WHAT: Chapter = {
  title: 'Which kind of purchase',
  text: 'Each offer type rewards its own kind of purchase. A voucher code is accepted from any source, and a source without its own offer type must reference the offer. The offer must be in the purchase’s currency, and the publisher must have books in that currency.',
  rows: [
    {
      title: 'an affiliate offer and a card purchase',
      offer: { offerType: 'AFFILIATE' },
      expected: 'source_not_eligible',
    },
    {
      title: 'a card-linked offer and a reported sale',
      purchase: { source: 'AFFILIATE' },
      expected: 'source_not_eligible',
    },
    {
      title: 'a gift card offer and a gift card order',
      offer: { offerType: 'GIFT_CARD' },
      purchase: { source: 'GIFT_CARD' },
      expected: { user: 250n },
    },
    {
      title: 'a voucher offer and a card purchase with the code',
      offer: { offerType: 'VOUCHER_CODE', voucherCode: 'SAVE3' },
      purchase: { voucherCode: 'SAVE3' },
      expected: { user: 250n },
    },
    {
      title: 'a voucher offer and a card purchase without a code',
      offer: { offerType: 'VOUCHER_CODE' },
      expected: 'source_not_eligible',
    },
    {
      title: 'an affiliate offer and a card purchase with a code',
      offer: { offerType: 'AFFILIATE' },
      purchase: { voucherCode: 'SAVE3' },
      expected: 'source_not_eligible',
    },
    {
      title: 'an affiliate offer and a card purchase that references the offer',
      offer: { offerType: 'AFFILIATE' },
      purchase: { offerUid: 'o' },
      expected: 'source_not_eligible',
    },
    {
      title: 'another kind of source that references the offer',
      purchase: { source: 'OTHER', offerUid: 'o' },
      expected: { user: 250n },
    },
    {
      title: 'another kind of source that references another offer',
      purchase: { source: 'OTHER', offerUid: 'p' },
      expected: 'source_not_eligible',
    },
    { title: 'another kind of source without offer', purchase: { source: 'OTHER' }, expected: 'source_not_eligible' },
    { title: 'a currency other than the offer’s', purchase: { currency: 'EUR' }, expected: 'currency_mismatch' },
    {
      title: 'another of the publisher’s currencies',
      offer: { currency: 'EUR' },
      purchase: { currency: 'EUR' },
      expected: { user: 250n },
    },
    {
      title: 'a currency in which the publisher has no books',
      offer: { currency: 'EUR' },
      purchase: { currency: 'EUR', hasBooks: false },
      expected: 'currency_mismatch',
    },
  ],
}

export const DATES: Chapter = {
  title: 'First and last day',
  text: 'Both days are inclusive and in the publisher’s time zone. The day on which the purchase was authorized counts.',
  rows: [
    { title: 'the first day', offer: { startDate: '2026-03-10' }, expected: { user: 250n } },
    { title: 'the day before the first', offer: { startDate: '2026-03-11' }, expected: 'offer_not_started' },
    { title: 'the last day', offer: { endDate: '2026-03-10' }, expected: { user: 250n } },
    { title: 'the day after the last', offer: { endDate: '2026-03-09' }, expected: 'offer_ended' },
    {
      title: 'still the last day in the publisher’s time zone',
      offer: { endDate: '2026-03-10' },
      purchase: when('2026-03-11T03:00:00Z', 'America/New_York'),
      expected: { user: 250n },
    },
  ],
}

export const HOURS: Chapter = {
  title: 'Days of the week and hours',
  text: 'Hours are in the publisher’s time zone. The start is inclusive and the end exclusive. Hours that extend past midnight belong to the day on which they begin. If only the day of a purchase is known, the user gets the benefit of the doubt.',
  rows: [
    { title: 'a day of the offer', offer: { conditions: { days: ['TUE', 'WED'] } }, expected: { user: 250n } },
    { title: 'another day', offer: { conditions: { days: ['MON', 'WED'] } }, expected: 'outside_days' },
    {
      title: 'already a day of the offer in the publisher’s time zone',
      offer: { conditions: { days: ['WED'] } },
      purchase: when('2026-03-10T20:00:00Z', 'Asia/Tokyo'),
      expected: { user: 250n },
    },
    {
      title: 'the first minute',
      offer: { conditions: happyHour },
      purchase: when('2026-03-10T17:00:00Z'),
      expected: { user: 250n },
    },
    {
      title: 'a minute too early',
      offer: { conditions: happyHour },
      purchase: when('2026-03-10T16:59:59Z'),
      expected: 'outside_hours',
    },
    {
      title: 'the last minute',
      offer: { conditions: happyHour },
      purchase: when('2026-03-10T18:59:59Z'),
      expected: { user: 250n },
    },
    {
      title: 'exactly at the end',
      offer: { conditions: happyHour },
      purchase: when('2026-03-10T19:00:00Z'),
      expected: 'outside_hours',
    },
    {
      title: 'after five o’clock in the publisher’s time zone',
      offer: { conditions: happyHour },
      purchase: when('2026-03-10T21:30:00Z', 'America/New_York'),
      expected: { user: 250n },
    },
    {
      title: 'past midnight, after the evening of the offer',
      offer: { conditions: fridayNight },
      purchase: when('2026-03-14T01:30:00Z'),
      expected: { user: 250n },
    },
    {
      title: 'past midnight, after another evening',
      offer: { conditions: fridayNight },
      purchase: when('2026-03-13T01:30:00Z'),
      expected: 'outside_days',
    },
    {
      title: 'in the evening',
      offer: { conditions: fridayNight },
      purchase: when('2026-03-13T23:00:00Z'),
      expected: { user: 250n },
    },
    {
      title: 'before the night begins',
      offer: { conditions: fridayNight },
      purchase: when('2026-03-13T21:59:00Z'),
      expected: 'outside_hours',
    },
    {
      title: 'the minute in which the night begins',
      offer: { conditions: fridayNight },
      purchase: when('2026-03-13T22:00:00Z'),
      expected: { user: 250n },
    },
    {
      title: 'at the end of the night, which is another day',
      offer: { conditions: fridayNight },
      purchase: when('2026-03-14T02:00:00Z'),
      expected: 'outside_days',
    },
    {
      title: 'at the end of the night, on any day',
      offer: { conditions: { hours: fridayNight.hours } },
      purchase: when('2026-03-14T02:00:00Z'),
      expected: 'outside_hours',
    },
    {
      title: 'the same hour as start and end means all day',
      offer: { conditions: { hours: { from: '06:00', to: '06:00' } } },
      purchase: when('2026-03-10T05:00:00Z'),
      expected: { user: 250n },
    },
    {
      title: 'the time is unknown',
      offer: { conditions: happyHour },
      purchase: { ...when('2026-03-10T00:00:00Z'), dateOnly: true },
      expected: { user: 250n },
    },
    {
      title: 'the time is unknown, and may have been that night',
      offer: { conditions: fridayNight },
      purchase: { ...when('2026-03-14T00:00:00Z'), dateOnly: true },
      expected: { user: 250n },
    },
    {
      title: 'the time is unknown, but no time on that day qualifies',
      offer: { conditions: fridayNight },
      purchase: { ...when('2026-03-15T00:00:00Z'), dateOnly: true },
      expected: 'outside_days',
    },
    {
      title: 'only the day is known, and it is the wrong one',
      offer: { conditions: { ...friday, ...happyHour } },
      purchase: { ...when('2026-03-14T00:00:00Z'), dateOnly: true },
      expected: 'outside_days',
    },
  ],
}

export const CUSTOMERS: Chapter = {
  title: 'New, returning and lapsed customers',
  text: 'A one-time offer is used up by one purchase as long as that purchase earns anything. A new customer has bought nothing from the brand for a number of days. A lapsed customer has bought before, but not for a number of days. A hold that was declined or voided, or that lapsed, is not a purchase. Until a reward has matured, the order in which purchases are reported does not matter, because a use belongs to the earliest purchase.',
  rows: [
    { title: 'a one-time offer that is unused', offer: { oneTimeUse: true }, expected: { user: 250n } },
    {
      title: 'a one-time offer that is used up',
      offer: { oneTimeUse: true },
      user: { used: true },
      expected: 'offer_already_used',
    },
    { title: 'a first purchase makes a new customer', offer: { newCustomerOnly: true }, expected: { user: 250n } },
    {
      title: 'a customer who last bought a year and a day ago is new',
      offer: { newCustomerOnly: true },
      user: { previousPurchaseAt: daysBefore(366) },
      expected: { user: 250n },
    },
    {
      title: 'a customer who last bought a year ago is not',
      offer: { newCustomerOnly: true },
      user: { previousPurchaseAt: daysBefore(365) },
      expected: 'not_a_new_customer',
    },
    {
      title: 'the offer looks back fewer days',
      offer: { newCustomerOnly: true, newCustomerDays: 30 },
      user: { previousPurchaseAt: daysBefore(31) },
      expected: { user: 250n },
    },
    {
      title: 'a customer who last bought 181 days ago has lapsed',
      offer: { conditions: { lapsedCustomerOnly: true } },
      user: { previousPurchaseAt: daysBefore(181) },
      expected: { user: 250n },
    },
    {
      title: 'a customer who last bought 180 days ago has not',
      offer: { conditions: { lapsedCustomerOnly: true } },
      user: { previousPurchaseAt: daysBefore(180) },
      expected: 'not_a_lapsed_customer',
    },
    {
      title: 'a customer who never bought has not lapsed',
      offer: { conditions: { lapsedCustomerOnly: true } },
      expected: 'not_a_lapsed_customer',
    },
    {
      title: 'the offer requires fewer days',
      offer: { conditions: { lapsedCustomerOnly: true, lapsedCustomerDays: 7 } },
      user: { previousPurchaseAt: daysBefore(8) },
      expected: { user: 250n },
    },
  ],
}
