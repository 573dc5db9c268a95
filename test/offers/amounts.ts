import { type Chapter, daysBefore, dollars, item, rate } from './row.ts'

const fee = { feePpm: 100_000, sharePpm: 200_000 }
const cashback = { rewardType: 'CASHBACK_DOLLAR', groups: [dollars(500n)] } as const
const tiers = { groups: [rate(2, { name: 'small', maxAmount: 4_999n }), rate(5, { name: 'large', minAmount: 5_000n })] }
const kinds = {
  groups: [
    rate(8, { name: 'first visit', customer: 'new' }),
    rate(2, { name: 'regulars', customer: 'returning' }),
    rate(6, { name: 'welcome back', customer: 'lapsed' }),
  ],
} as const
const goods = {
  groups: [
    rate(1, { name: 'gift cards', productGroups: ['gift cards'] }),
    rate(8, { name: 'shoes', productGroups: ['Shoes'] }),
    rate(4, { name: 'all else' }),
  ],
}
const dollarGoods = {
  rewardType: 'CASHBACK_DOLLAR',
  groups: [
    dollars(1_000n, { name: 'phones', productGroups: ['phones'] }),
    dollars(800n, { name: 'tablets', productGroups: ['tablets'] }),
    dollars(200n, { name: 'all else' }),
  ],
} as const
const shoes = item({ productGroup: 'shoes', amount: 3_000n })
const socks = item({ productGroup: 'socks', amount: 1_000n })
const giftCard = item({ productGroup: 'gift cards', amount: 1_000n })
const basket = [shoes, giftCard]

export const AMOUNTS: Chapter = {
  title: 'How much',
  text: 'A percentage is of the amount paid; a dollar reward is a fixed amount. The gross, which the advertiser pays, is rounded once, half up. Fee and publisher’s share are parts of it, rounded down, and the user gets the rest. A discount is given at the till: it is recorded and not credited.',
  rows: [
    { title: 'a percentage of the whole amount', expected: { gross: 250n, user: 250n } },
    { title: 'a dollar reward', offer: cashback, expected: { gross: 500n, user: 500n } },
    { title: 'half a cent is rounded up', purchase: { amount: 10n }, expected: { user: 1n } },
    { title: 'less than half a cent is nothing', purchase: { amount: 9n }, expected: 'no_reward_value' },
    { title: 'fee and share', split: fee, expected: { gross: 250n, fee: 25n, publisher: 50n, user: 175n } },
    {
      title: 'fee and share are rounded down, the user gets the rest',
      purchase: { amount: 2_000n },
      split: { feePpm: 333_333, sharePpm: 333_333 },
      expected: { gross: 100n, fee: 33n, publisher: 33n, user: 34n },
    },
    {
      title: 'all of it is the publisher’s',
      split: { feePpm: 0, sharePpm: 1_000_000 },
      expected: { gross: 250n, publisher: 250n, user: 0n },
    },
    {
      title: 'a discount',
      offer: { rewardType: 'DISCOUNT_PERCENTAGE' },
      split: fee,
      expected: { gross: 250n, user: 0n, discount: 175n },
    },
    {
      title: 'a dollar discount',
      offer: { rewardType: 'DISCOUNT_DOLLAR', groups: [dollars(500n)] },
      expected: { gross: 500n, user: 0n, discount: 500n },
    },
  ],
}

export const SPEND: Chapter = {
  title: '`min_spend` and `max_spend`',
  text: 'Both bounds are inclusive. A purchase below `min_spend` earns nothing. The part of a purchase above `max_spend` earns nothing.',
  rows: [
    { title: 'exactly the least', offer: { minSpend: 5_000n }, expected: { user: 250n } },
    { title: 'a cent less', offer: { minSpend: 5_001n }, expected: 'below_min_spend' },
    { title: 'above the most', offer: { maxSpend: 2_000n }, expected: { user: 100n } },
    { title: 'exactly the most', offer: { maxSpend: 5_000n }, expected: { user: 250n } },
    { title: 'a dollar reward, above the most', offer: { ...cashback, maxSpend: 2_000n }, expected: { user: 500n } },
  ],
}

export const GROUPS: Chapter = {
  title: 'Commission groups by amount and customer',
  text: 'Of the groups that apply to a purchase, the best paying one counts. The amount is that before refunds, so a refund does not move the purchase to another group. A customer who bought long ago can be new and lapsed at once.',
  rows: [
    { title: 'below the bound of two', offer: tiers, purchase: { amount: 4_999n }, expected: { user: 100n } },
    { title: 'at the bound', offer: tiers, expected: { user: 250n } },
    { title: 'a refund does not move it', offer: tiers, refunded: 2_000n, expected: { user: 150n } },
    {
      title: 'an amount in none of them',
      offer: { groups: [rate(5, { name: 'large', minAmount: 9_000n })] },
      expected: 'no_commission_group',
    },
    {
      title: 'the same of groups without names',
      offer: { groups: [rate(5, { minAmount: 9_000n })] },
      expected: 'no_commission_group',
    },
    {
      title: 'an amount above the only one',
      offer: { groups: [rate(5, { name: 'small', maxAmount: 4_999n })] },
      expected: 'no_commission_group',
    },
    { title: 'a new customer', offer: kinds, expected: { user: 400n } },
    { title: 'a regular', offer: kinds, user: { previousPurchaseAt: daysBefore(7) }, expected: { user: 100n } },
    {
      title: 'a regular who stayed away is lapsed too',
      offer: kinds,
      user: { previousPurchaseAt: daysBefore(200) },
      expected: { user: 300n },
    },
    {
      title: 'who stayed away for a year is new again',
      offer: kinds,
      user: { previousPurchaseAt: daysBefore(400) },
      expected: { user: 400n },
    },
    {
      title: 'only for new customers, a regular',
      offer: { groups: [rate(5, { name: 'first visit', customer: 'new' })] },
      user: { previousPurchaseAt: daysBefore(7) },
      expected: 'no_commission_group',
    },
    {
      title: 'only for those who come back, a new customer',
      offer: { groups: [rate(5, { name: 'welcome back', customer: 'lapsed' })] },
      expected: 'no_commission_group',
    },
    {
      title: 'the better of two that fit',
      offer: { groups: [rate(3, { name: 'a' }), rate(7, { name: 'b' }), rate(5, { name: 'c' })] },
      expected: { user: 350n },
    },
  ],
}

export const GOODS: Chapter = {
  title: 'Commission groups by goods',
  text: 'Where the source names the items, a group that is bound to product groups or SKUs pays for the items it names; where it is bound to both, both must hold. Of several groups that name an item, the one that pays best counts. Groups without such a bound pay for the rest: what no bound group names, and what was not itemised. The parts are added unrounded and rounded once. A dollar reward is paid once for a purchase, by the group that pays best and has goods in it, so no purchase earns more than the highest group.',
  rows: [
    {
      title: 'each item by its group',
      offer: goods,
      purchase: { items: basket },
      // 8% of 30.00, 1% of 10.00, and 4% of the 10.00 that were not itemized.
      expected: { user: 290n },
    },
    { title: 'no items reported: all is rest', offer: goods, expected: { user: 200n } },
    {
      title: 'an item of no bound group is rest',
      offer: goods,
      purchase: { amount: 4_000n, items: [shoes, socks] },
      expected: { user: 280n },
    },
    {
      title: 'an item without a name is rest',
      offer: goods,
      purchase: { items: [item({ amount: 5_000n })] },
      expected: { user: 200n },
    },
    {
      title: 'a bound group pays less than the rest, and still takes its items',
      offer: goods,
      purchase: { amount: 1_000n, items: [giftCard] },
      expected: { user: 10n },
    },
    {
      title: 'only bound groups, and no items reported',
      offer: { groups: [rate(8, { name: 'shoes', productGroups: ['shoes'] })] },
      expected: 'no_commission_group',
    },
    {
      title: 'only bound groups, and none of their items',
      offer: { groups: [rate(8, { name: 'shoes', productGroups: ['shoes'] })] },
      purchase: { amount: 1_000n, items: [socks] },
      expected: 'no_commission_group',
    },
    {
      title: 'only bound groups: the rest earns nothing',
      offer: { groups: [rate(8, { name: 'shoes', productGroups: ['shoes'] })] },
      purchase: { items: [shoes] },
      expected: { user: 240n },
    },
    {
      title: 'by its number, however it is written',
      offer: { groups: [rate(8, { name: 'runner', skus: ['RUN-7'] }), rate(4)] },
      purchase: { items: [item({ sku: ' run-7', amount: 3_000n })] },
      expected: { user: 320n },
    },
    {
      title: 'another number',
      offer: { groups: [rate(8, { name: 'runner', skus: ['RUN-7'] }), rate(4)] },
      purchase: { items: [item({ sku: 'RUN-8', amount: 3_000n })] },
      expected: { user: 200n },
    },
    {
      title: 'bound to both, and both hold',
      offer: { groups: [rate(8, { name: 'runner', productGroups: ['shoes'], skus: ['RUN-7'] })] },
      purchase: { items: [item({ sku: 'RUN-7', productGroup: 'shoes', amount: 3_000n })] },
      expected: { user: 240n },
    },
    {
      title: 'bound to both, and one does not hold',
      offer: { groups: [rate(8, { name: 'runner', productGroups: ['shoes'], skus: ['RUN-7'] })] },
      purchase: { items: [item({ sku: 'RUN-7', amount: 3_000n })] },
      expected: 'no_commission_group',
    },
    {
      title: 'two groups name an item: the better one',
      offer: {
        groups: [rate(3, { name: 'sport', productGroups: ['shoes'] }), rate(6, { name: 'runner', skus: ['RUN-7'] })],
      },
      purchase: { amount: 3_000n, items: [item({ sku: 'RUN-7', productGroup: 'shoes', amount: 3_000n })] },
      expected: { user: 180n },
    },
    {
      title: 'a group whose amount is not reached leaves its items to the rest',
      offer: { groups: [rate(8, { name: 'shoes', productGroups: ['shoes'], minAmount: 9_000n }), rate(4)] },
      purchase: { items: [shoes] },
      expected: { user: 200n },
    },
    {
      title: 'three parts of a third of a cent are a cent',
      offer: {
        groups: ['a', 'b', 'c'].map((name) => rate(1, { name, productGroups: [name] })),
      },
      purchase: {
        amount: 100n,
        items: ['a', 'b', 'c'].map((name) => item({ productGroup: name, amount: 33n })),
      },
      expected: { user: 1n },
    },
    {
      title: 'dollars, once for two items of a group',
      offer: dollarGoods,
      purchase: {
        amount: 4_000n,
        items: [
          item({ sku: '1', productGroup: 'phones', amount: 2_000n }),
          item({ sku: '2', productGroup: 'phones', amount: 2_000n }),
        ],
      },
      expected: { user: 1_000n },
    },
    {
      title: 'dollars, once for the items of two groups',
      offer: dollarGoods,
      purchase: {
        items: [item({ productGroup: 'tablets', amount: 2_000n }), item({ productGroup: 'phones', amount: 2_000n })],
      },
      expected: { user: 1_000n },
    },
    {
      title: 'dollars for the rest',
      offer: dollarGoods,
      purchase: { items: [socks] },
      expected: { user: 200n },
    },
  ],
}

export const CAPS: Chapter = {
  title: '`max_spend` over several groups',
  text: '`max_spend` is one bound for the whole purchase: the goods that pay best fill it first. So a higher bound never pays less, and no purchase earns more than the bound at the best rate.',
  rows: [
    {
      title: 'the best paid goods come first',
      offer: { ...goods, maxSpend: 3_500n },
      purchase: { items: basket },
      // 8% of 30.00 and 4% of 5.00. Nothing remains for the gift card.
      expected: { user: 260n },
    },
    {
      title: 'nothing beyond them',
      offer: { ...goods, maxSpend: 2_000n },
      purchase: { items: basket },
      expected: { user: 160n },
    },
    {
      title: 'all within the bound',
      offer: { ...goods, maxSpend: 5_000n },
      purchase: { items: basket },
      expected: { user: 290n },
    },
    {
      title: 'what earns nothing takes nothing of it',
      offer: { groups: [rate(8, { name: 'shoes', productGroups: ['shoes'] })], maxSpend: 3_000n },
      purchase: { items: [shoes, socks] },
      expected: { user: 240n },
    },
  ],
}

export const REFUNDS: Chapter = {
  title: 'Refunds',
  text: 'A percentage is of the amount after refunds; a dollar reward stays as long as anything is left and `min_spend` is reached. A refund that names items is taken from them; any other is spread over all items and the rest, to the cent. The number and the order of refunds do not matter.',
  rows: [
    { title: 'a part is given back', refunded: 1_000n, expected: { user: 200n } },
    {
      title: 'below the least by what is given back',
      offer: { minSpend: 4_500n },
      refunded: 1_000n,
      expected: 'below_min_spend',
    },
    {
      title: 'a dollar reward while the least is reached',
      offer: { ...cashback, minSpend: 4_000n },
      refunded: 1_000n,
      expected: { user: 500n },
    },
    { title: 'all is given back', offer: cashback, refunded: 5_000n, expected: 'below_min_spend' },
    {
      title: 'what is given back counts first against the amount above the most',
      offer: { maxSpend: 2_000n },
      refunded: 2_500n,
      expected: { user: 100n },
    },
    {
      title: 'the best paid item is given back',
      offer: goods,
      purchase: { items: [{ ...shoes, refunded: 3_000n }, giftCard] },
      refunded: 3_000n,
      // 1% of 10.00 and 4% of 10.00.
      expected: { user: 50n },
    },
    {
      title: 'half of everything is given back',
      offer: goods,
      purchase: {
        items: [
          { ...shoes, refunded: 1_500n },
          { ...giftCard, refunded: 500n },
        ],
      },
      refunded: 2_500n,
      expected: { user: 145n },
    },
    {
      title: 'the item that paid the dollars is given back',
      offer: dollarGoods,
      purchase: {
        items: [
          item({ productGroup: 'phones', amount: 2_000n, refunded: 2_000n }),
          item({ productGroup: 'tablets', amount: 3_000n }),
        ],
      },
      refunded: 2_000n,
      expected: { user: 800n },
    },
    {
      title: 'the only item that paid is given back',
      offer: { groups: [rate(8, { name: 'shoes', productGroups: ['shoes'] })] },
      purchase: { items: [{ ...shoes, refunded: 3_000n }] },
      refunded: 3_000n,
      expected: 'no_commission_group',
    },
  ],
}
