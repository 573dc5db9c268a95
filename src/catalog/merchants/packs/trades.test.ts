import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isOwnTrade, isTrade } from './trades.ts'

// Tests which trades a brand is in, judging by the category codes its stores are filed under.

type Row = readonly [who: string, mccs: string, trades: string]

const splitMccs = (text: string) => text.split(' ')

test('a brand whose codes are all of one kind is in the trades of that kind', () => {
  const rows: readonly Row[] = [
    ['a restaurant', '5812', 'grill bbq steakhouse'],
    ['a bar and restaurant', '5812 5813', 'pub lounge'],
    ['a bakery', '5462', 'bagels bread donuts'],
    ['a supermarket', '5411', 'market pharmacy deli'],
    ['a butcher', '5422', 'meats'],
    ['a gas station', '5541 5542', 'oil convenience wash'],
    ['a hotel', '7011', 'inn suites spa'],
    ['a drugstore', '5912', 'pharmacy photo'],
    ['a doctor', '8011', 'clinic urgent lab'],
    ['a dentist', '8021', 'dental'],
    ['an auto repair shop', '7538', 'brakes muffler towing'],
    ['a hardware store', '5251', 'lumber tools'],
    ['a furniture store', '5712', 'mattress rugs'],
    ['a clothing store', '5651', 'apparel outfitters'],
    ['a shoe store', '5661', 'shoes'],
    ['a bike shop', '5940', 'bikes ski'],
    ['a movie theater', '7832', 'movies theater'],
    ['a gym', '7997', 'gym fitness yoga'],
    ['a hair salon', '7230', 'barber nails'],
    ['a pet store', '5995', 'pets grooming'],
    ['a software maker', '5734', 'software'],
    ['a tax preparer', '7276', 'tax'],
    ['an insurer', '6300', 'insurance agency'],
    ['a self-storage company', '4225', 'storage moving'],
    ['a car rental', '7512', 'rentals toll'],
    ['an airline', '4511', 'air airlines'],
    ['a travel agency', '4722', 'cruise vacations'],
    ['a school', '8299', 'lessons academy'],
    ['a bookstore', '5942', 'books gifts'],
    ['a broadcaster', '4899', 'channel network news streaming television tv'],
    ['a charity', '8398', 'charities foundation'],
  ]
  for (const [who, mccs, trades] of rows) {
    for (const trade of trades.split(' ')) {
      assert.equal(isTrade(trade), true, trade)
      assert.equal(isOwnTrade(trade, splitMccs(mccs)), true, `${trade} of ${who}`)
      assert.equal(isOwnTrade(trade, ['5999']), false, `${trade} of a shop of another kind`)
      assert.equal(isOwnTrade(trade, []), false, `${trade} of an unknown shop`)
    }
  }
})

test('a brand with codes of several kinds is in the trades whose defining codes it has', () => {
  const rows: readonly Row[] = [
    ['a restaurant with catering, a bakery and gifts', '5811 5812 5462 5947', 'grill'],
    ['a supermarket that sells meat and gas', '5411 5422 5541', 'grocery'],
    ['a gas station that sells bulk fuel and food', '5172 5411 5541', 'gasoline'],
    ['a hotel that sells timeshares, with a restaurant', '7011 7012 5812', 'resort'],
    ['a drugstore that distributes drugs and sells food', '5122 5912 5411', 'health'],
    ['a clinic with a pharmacy', '8011 8099 5912', 'rehab'],
    ['an auto repair shop that sells retread tires', '7534 7538 5999', 'lube'],
    ['a home improvement store that sells furniture', '5211 5251 5712', 'hardware'],
    ['a furniture store with curtains and tools', '5712 5714 5251', 'bedding'],
    ['a clothing store with shoes and gifts', '5651 5691 5947', 'boutique'],
    ['a sporting goods store with clothing', '5940 5941 5651', 'golf'],
    ['a movie theater with a restaurant and a club', '7832 7997 5812', 'arcade'],
    ['a beauty salon that sells cosmetics and gifts', '5977 7230 5947', 'salon'],
    ['a pet store with a veterinary clinic and gifts', '5995 0742 5947', 'veterinary'],
    ['a software maker that sells computers', '5734 7372 5732', 'software'],
    ['a tax preparer that does bookkeeping', '7276 8931', 'taxes'],
    ['an insurer that sells by mail', '6300 6311 5969', 'insurance'],
    ['a self-storage company that sells boxes', '4225 5943', 'self'],
    ['a car rental that rents trucks and sells fuel', '7512 7519 5541', 'truck'],
    ['an airline with a club', '4511 7997', 'airlines'],
    ['a travel agency with an airline', '4722 4511', 'tours'],
    ['a school with child care that sells books', '8299 8351 5942', 'daycare'],
    ['a bookstore with gifts and coffee', '5942 5947 5814', 'hobby'],
  ]
  for (const [who, mccs, trade] of rows) {
    assert.equal(isOwnTrade(trade, splitMccs(mccs)), true, `${trade} of ${who}`)
    assert.equal(isOwnTrade('waterpolo', splitMccs(mccs)), false, `no trade of ${who}`)
  }
})

test('a single code among others does not establish a trade', () => {
  const rows: readonly Row[] = [
    ['a general store with a restaurant', '5399 5812', 'grill'],
    ['a general store with a bakery', '5399 5462', 'bakery'],
    ['a department store with a hotel', '5311 7011', 'hotel'],
    ['a bank that sells insurance', '6011 6300', 'insurance'],
  ]
  for (const [who, mccs, trade] of rows) assert.equal(isOwnTrade(trade, splitMccs(mccs)), false, `${trade} of ${who}`)
})

test('a word missing from every list of trades is not a trade', () => {
  for (const word of ['', 'copperkettle', 'target', ' ']) assert.equal(isTrade(word), false, word)
})
