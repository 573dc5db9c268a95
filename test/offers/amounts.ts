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
  text: 'A percentage applies to the amount paid, and a dollar reward is a fixed amount. The gross reward, which the advertiser pays, is rounded once, half up. The fee and the publisher’s share are parts of it, rounded down, and the user gets the rest. A discount is given at the register, so it is recorded but not credited.',
  rows: [
    { title: 'a percentage of the full amount', expected: { gross: 250n, user: 250n } },
    { title: 'a dollar reward', offer: cashback, expected: { gross: 500n, user: 500n } },
    { title: 'half a cent is rounded up', purchase: { amount: 10n }, expected: { user: 1n } },
    { title: 'less than half a cent earns nothing', purchase: { amount: 9n }, expected: 'no_reward_value' },
    { title: 'fee and share', split: fee, expected: { gross: 250n, fee: 25n, publisher: 50n, user: 175n } },
    {
      title: 'fee and share are rounded down, and the user gets the rest',
      purchase: { amount: 2_000n },
      split: { feePpm: 333_333, sharePpm: 333_333 },
      expected: { gross: 100n, fee: 33n, publisher: 33n, user: 34n },
    },
    {
      title: 'the publisher gets everything',
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
    { title: 'exactly the minimum', offer: { minSpend: 5_000n }, expected: { user: 250n } },
    { title: 'a cent below the minimum', offer: { minSpend: 5_001n }, expected: 'below_min_spend' },
    { title: 'above the maximum', offer: { maxSpend: 2_000n }, expected: { user: 100n } },
    { title: 'exactly the maximum', offer: { maxSpend: 5_000n }, expected: { user: 250n } },
    { title: 'a dollar reward, above the maximum', offer: { ...cashback, maxSpend: 2_000n }, expected: { user: 500n } },
  ],
}

export const GROUPS: Chapter = {
  title: 'Commission groups by amount and customer',
  text: 'Of the groups that apply to a purchase, the one that pays best is used. The amount before refunds decides, so a refund does not move the purchase to another group. A customer who bought long ago can be both new and lapsed.',
  rows: [
    { title: 'below the bound of two groups', offer: tiers, purchase: { amount: 4_999n }, expected: { user: 100n } },
    { title: 'at the bound', offer: tiers, expected: { user: 250n } },
    { title: 'a refund does not change the group', offer: tiers, refunded: 2_000n, expected: { user: 150n } },
    {
      title: 'an amount in no group',
      offer: { groups: [rate(5, { name: 'large', minAmount: 9_000n })] },
      expected: 'no_commission_group',
    },
    {
      title: 'an amount in no group, and a group without a name',
      offer: { groups: [rate(5, { minAmount: 9_000n })] },
      expected: 'no_commission_group',
    },
    {
      title: 'an amount above the only group',
      offer: { groups: [rate(5, { name: 'small', maxAmount: 4_999n })] },
      expected: 'no_commission_group',
    },
    { title: 'a new customer', offer: kinds, expected: { user: 400n } },
    { title: 'a regular', offer: kinds, user: { previousPurchaseAt: daysBefore(7) }, expected: { user: 100n } },
    {
      title: 'a regular who last bought 200 days ago has lapsed too',
      offer: kinds,
      user: { previousPurchaseAt: daysBefore(200) },
      expected: { user: 300n },
    },
    {
      title: 'a customer who last bought over a year ago is new again',
      offer: kinds,
      user: { previousPurchaseAt: daysBefore(400) },
      expected: { user: 400n },
    },
    {
      title: 'a regular, and a group only for new customers',
      offer: { groups: [rate(5, { name: 'first visit', customer: 'new' })] },
      user: { previousPurchaseAt: daysBefore(7) },
      expected: 'no_commission_group',
    },
    {
      title: 'a new customer, and a group only for lapsed customers',
      offer: { groups: [rate(5, { name: 'welcome back', customer: 'lapsed' })] },
      expected: 'no_commission_group',
    },
    {
      title: 'the best of three groups that apply',
      offer: { groups: [rate(3, { name: 'a' }), rate(7, { name: 'b' }), rate(5, { name: 'c' })] },
      expected: { user: 350n },
    },
  ],
}

export const GOODS: Chapter = {
  title: 'Commission groups by goods',
  text: 'If the source reports items, a group limited to product groups or SKUs pays for the items that match it. If it is limited to both, both must match. If an item matches several groups, the one that pays best is used. Groups without such a limit pay for the rest, which is the items that match no limited group and any amount that was not itemized. The parts are added unrounded, and the sum is rounded once. A dollar reward is paid once per purchase, by the best-paying group that has goods, so no purchase earns more than the highest group pays.',
  rows: [
    {
      title: 'each item by its group',
      offer: goods,
      purchase: { items: basket },
      // 8% of 30.00, 1% of 10.00, and 4% of the 10.00 that were not itemized.
      expected: { user: 290n },
    },
    { title: 'no items reported, so everything is the rest', offer: goods, expected: { user: 200n } },
    {
      title: 'an item that matches no limited group is part of the rest',
      offer: goods,
      purchase: { amount: 4_000n, items: [shoes, socks] },
      expected: { user: 280n },
    },
    {
      title: 'an item without SKU or product group is part of the rest',
      offer: goods,
      purchase: { items: [item({ amount: 5_000n })] },
      expected: { user: 200n },
    },
    {
      title: 'a limited group pays for its items even if it pays less than the rest',
      offer: goods,
      purchase: { amount: 1_000n, items: [giftCard] },
      expected: { user: 10n },
    },
    {
      title: 'only limited groups, and no items reported',
      offer: { groups: [rate(8, { name: 'shoes', productGroups: ['shoes'] })] },
      expected: 'no_commission_group',
    },
    {
      title: 'only limited groups, and none of their items',
      offer: { groups: [rate(8, { name: 'shoes', productGroups: ['shoes'] })] },
      purchase: { amount: 1_000n, items: [socks] },
      expected: 'no_commission_group',
    },
    {
      title: 'only limited groups, so the rest earns nothing',
      offer: { groups: [rate(8, { name: 'shoes', productGroups: ['shoes'] })] },
      purchase: { items: [shoes] },
      expected: { user: 240n },
    },
    {
      title: 'an item by its SKU, regardless of spelling',
      offer: { groups: [rate(8, { name: 'runner', skus: ['RUN-7'] }), rate(4)] },
      purchase: { items: [item({ sku: ' run-7', amount: 3_000n })] },
      expected: { user: 320n },
    },
    {
      title: 'another SKU',
      offer: { groups: [rate(8, { name: 'runner', skus: ['RUN-7'] }), rate(4)] },
      purchase: { items: [item({ sku: 'RUN-8', amount: 3_000n })] },
      expected: { user: 200n },
    },
    {
      title: 'limited to both, and both match',
      offer: { groups: [rate(8, { name: 'runner', productGroups: ['shoes'], skus: ['RUN-7'] })] },
      purchase: { items: [item({ sku: 'RUN-7', productGroup: 'shoes', amount: 3_000n })] },
      expected: { user: 240n },
    },
    {
      title: 'limited to both, and only one matches',
      offer: { groups: [rate(8, { name: 'runner', productGroups: ['shoes'], skus: ['RUN-7'] })] },
      purchase: { items: [item({ sku: 'RUN-7', amount: 3_000n })] },
      expected: 'no_commission_group',
    },
    {
      title: 'the better of two groups that match an item',
      offer: {
        groups: [rate(3, { name: 'sport', productGroups: ['shoes'] }), rate(6, { name: 'runner', skus: ['RUN-7'] })],
      },
      purchase: { amount: 3_000n, items: [item({ sku: 'RUN-7', productGroup: 'shoes', amount: 3_000n })] },
      expected: { user: 180n },
    },
    {
      title: 'a group whose minimum is not reached leaves its items to the rest',
      offer: { groups: [rate(8, { name: 'shoes', productGroups: ['shoes'], minAmount: 9_000n }), rate(4)] },
      purchase: { items: [shoes] },
      expected: { user: 200n },
    },
    {
      title: 'three parts of a third of a cent make a cent',
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
      title: 'a dollar reward, once for two items in one group',
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
      title: 'a dollar reward, once for items in two groups',
      offer: dollarGoods,
      purchase: {
        items: [item({ productGroup: 'tablets', amount: 2_000n }), item({ productGroup: 'phones', amount: 2_000n })],
      },
      expected: { user: 1_000n },
    },
    {
      title: 'a dollar reward for the rest',
      offer: dollarGoods,
      purchase: { items: [socks] },
      expected: { user: 200n },
    },
  ],
}

export const CAPS: Chapter = {
  title: '`max_spend` over several groups',
  text: '`max_spend` is one bound for the entire purchase, and the goods that pay best fill it first. Therefore a higher bound never pays less, and no purchase earns more than the bound at the best rate.',
  rows: [
    {
      title: 'the highest-paying goods come first',
      offer: { ...goods, maxSpend: 3_500n },
      purchase: { items: basket },
      // 8% of 30.00 and 4% of 5.00. Nothing remains for the gift card.
      expected: { user: 260n },
    },
    {
      title: 'a bound that only the highest-paying goods fill',
      offer: { ...goods, maxSpend: 2_000n },
      purchase: { items: basket },
      expected: { user: 160n },
    },
    {
      title: 'everything within the bound',
      offer: { ...goods, maxSpend: 5_000n },
      purchase: { items: basket },
      expected: { user: 290n },
    },
    {
      title: 'goods that earn nothing use up none of the bound',
      offer: { groups: [rate(8, { name: 'shoes', productGroups: ['shoes'] })], maxSpend: 3_000n },
      purchase: { items: [shoes, socks] },
      expected: { user: 240n },
    },
  ],
}

export const REFUNDS: Chapter = {
  title: 'Refunds',
  text: 'A percentage applies to the amount after refunds. A dollar reward remains as long as some of the amount remains and `min_spend` is reached. A refund that lists items is deducted from those items. Any other refund is spread over all items and the rest, to the cent. The number and the order of refunds do not matter.',
  rows: [
    { title: 'a part is refunded', refunded: 1_000n, expected: { user: 200n } },
    {
      title: 'a refund that brings the amount below the minimum',
      offer: { minSpend: 4_500n },
      refunded: 1_000n,
      expected: 'below_min_spend',
    },
    {
      title: 'a dollar reward while the minimum is reached',
      offer: { ...cashback, minSpend: 4_000n },
      refunded: 1_000n,
      expected: { user: 500n },
    },
    { title: 'everything is refunded', offer: cashback, refunded: 5_000n, expected: 'below_min_spend' },
    {
      title: 'a refund is first deducted from the amount above the maximum',
      offer: { maxSpend: 2_000n },
      refunded: 2_500n,
      expected: { user: 100n },
    },
    {
      title: 'the highest-paying item is refunded',
      offer: goods,
      purchase: { items: [{ ...shoes, refunded: 3_000n }, giftCard] },
      refunded: 3_000n,
      // 1% of 10.00 and 4% of 10.00.
      expected: { user: 50n },
    },
    {
      title: 'half of everything is refunded',
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
      title: 'the item that earned the dollar reward is refunded',
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
      title: 'the only item that earned is refunded',
      offer: { groups: [rate(8, { name: 'shoes', productGroups: ['shoes'] })] },
      purchase: { items: [{ ...shoes, refunded: 3_000n }] },
      refunded: 3_000n,
      expected: 'no_commission_group',
    },
  ],
}
