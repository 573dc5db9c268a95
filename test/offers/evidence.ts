import { type Chapter, exampleStore } from './row.ts'

const voucher = { offerType: 'VOUCHER_CODE', voucherCode: 'SAVE3' } as const
const cards = { offerType: 'GIFT_CARD', denominations: [2_500n, 5_000n] } as const
const stores = { stores: [exampleStore] }
const unnumbered = { stores: [{ ...exampleStore, storeNumber: null }] }
const unplaced = { stores: [{ ...exampleStore, storeNumber: null, latitude: null, longitude: null }] }
const abroad = { stores: unplaced.stores.map((one) => ({ ...one, zipCode: '10115', country: 'DE' })) }

export const CODES: Chapter = {
  title: 'Codes and denominations',
  text: 'Case and surrounding spaces do not matter in a code. A gift card earns only for the values that the offer lists.',
  rows: [
    {
      title: 'the code, regardless of spelling',
      offer: voucher,
      purchase: { source: 'VOUCHER', voucherCode: ' save3 ' },
      expected: { user: 250n },
    },
    {
      title: 'another code',
      offer: voucher,
      purchase: { source: 'VOUCHER', voucherCode: 'SAVE4' },
      expected: 'voucher_code_mismatch',
    },
    {
      title: 'the code, regardless of its spelling in the offer',
      offer: { ...voucher, voucherCode: ' Save3 ' },
      purchase: { source: 'VOUCHER', voucherCode: 'SAVE3' },
      expected: { user: 250n },
    },
    { title: 'no code', offer: voucher, purchase: { source: 'VOUCHER' }, expected: 'voucher_code_mismatch' },
    {
      title: 'only voucher offers require a code',
      offer: { voucherCode: 'SAVE3' },
      expected: { user: 250n },
    },
    { title: 'a listed value', offer: cards, purchase: { source: 'GIFT_CARD' }, expected: { user: 250n } },
    {
      title: 'a value that is not listed',
      offer: cards,
      purchase: { source: 'GIFT_CARD', amount: 4_000n },
      expected: 'denomination_mismatch',
    },
    {
      title: 'any value, if the offer lists none',
      offer: { offerType: 'GIFT_CARD' },
      purchase: { source: 'GIFT_CARD', amount: 4_000n },
      expected: { user: 200n },
    },
    {
      title: 'only gift cards require listed values',
      offer: { denominations: [2_500n] },
      expected: { user: 250n },
    },
  ],
}

export const CHANNEL: Chapter = {
  title: 'In store or online',
  text: 'If an offer lists channels, a purchase in another channel earns nothing. An unknown channel is not rejected.',
  rows: [
    {
      title: 'the listed channel',
      offer: { channels: ['ONLINE'] },
      purchase: { channel: 'ONLINE' },
      expected: { user: 250n },
    },
    {
      title: 'the other channel',
      offer: { channels: ['ONLINE'] },
      purchase: { channel: 'IN_STORE' },
      expected: 'channel_not_eligible',
    },
    {
      title: 'one of two listed channels',
      offer: { channels: ['IN_STORE', 'ONLINE'] },
      purchase: { channel: 'IN_STORE' },
      expected: { user: 250n },
    },
    { title: 'an unknown channel', offer: { channels: ['IN_STORE'] }, expected: { user: 250n } },
    { title: 'an offer without channels', purchase: { channel: 'IN_STORE' }, expected: { user: 250n } },
  ],
}

export const STORES: Chapter = {
  title: 'At a listed store',
  text: 'The first evidence that both sides have decides: the store number, then zip code and street, then the distance (250 m). If a side has only a zip code, a place more than 50 km from its center is another store, and a shorter distance proves nothing. A purchase without evidence of its store is held for up to 60 days, and if none arrives, it earns nothing. An offer limited to a state, zip code or city requires evidence of that.',
  rows: [
    {
      title: 'the store by its number',
      offer: stores,
      purchase: { place: { storeNumber: '42' } },
      expected: { user: 250n },
    },
    {
      title: 'another store number, although everything else matches',
      offer: stores,
      purchase: { place: { storeNumber: '43', zipCode: '78701', street: '5 North Main Street' } },
      expected: 'store_not_participating',
    },
    {
      title: 'the number in another spelling',
      offer: { stores: [{ ...exampleStore, storeNumber: 't-0105' }] },
      purchase: { place: { storeNumber: '#T0105' } },
      expected: { user: 250n },
    },
    {
      title: 'numbers that differ by a letter',
      offer: { stores: [{ ...exampleStore, storeNumber: 'T-0105' }] },
      purchase: { place: { storeNumber: 'S-0105' } },
      expected: 'store_not_participating',
    },
    {
      title: 'only leading zeros are ignored in a number',
      offer: { stores: [{ ...exampleStore, storeNumber: '105' }] },
      purchase: { place: { storeNumber: '15' } },
      expected: 'store_not_participating',
    },
    {
      title: 'one of several stores',
      offer: { stores: [exampleStore, { ...exampleStore, storeNumber: '0043' }] },
      purchase: { place: { storeNumber: '43' } },
      expected: { user: 250n },
    },
    {
      title: 'the store by zip code and street, regardless of spelling',
      offer: stores,
      purchase: { place: { zipCode: '78701-1234', street: '5 N. Main St' } },
      expected: { user: 250n },
    },
    {
      title: 'the store by its nine-digit zip code and street',
      offer: { stores: [{ ...exampleStore, zipCode: '78701-1234' }] },
      purchase: { place: { zipCode: '78701', street: ' 5 North Main Street. ' } },
      expected: { user: 250n },
    },
    {
      title: 'a store without a zip code is not identified by its street',
      offer: { stores: [{ ...exampleStore, zipCode: null }] },
      purchase: { place: { zipCode: '78701', street: '5 N Main St' } },
      expected: 'location_unconfirmed',
    },
    {
      title: 'a store without a street is not identified by its zip code',
      offer: { stores: [{ ...exampleStore, streetAddress1: null }] },
      purchase: { place: { zipCode: '78701', street: '5 N Main St' } },
      expected: 'location_unconfirmed',
    },
    {
      title: 'a street without a zip code could be anywhere',
      offer: stores,
      purchase: { place: { street: '5 N Main St' } },
      expected: 'location_unconfirmed',
    },
    {
      title: 'another street',
      offer: stores,
      purchase: { place: { zipCode: '78701', street: '6 N Main St' } },
      expected: 'store_not_participating',
    },
    {
      title: 'the same street elsewhere',
      offer: stores,
      purchase: { place: { zipCode: '78702', street: '5 N Main St' } },
      expected: 'store_not_participating',
    },
    {
      title: 'the store by its coordinates',
      offer: stores,
      purchase: { place: { latitude: 30.2675, longitude: -97.743 } },
      expected: { user: 250n },
    },
    {
      title: 'a place 200 m away',
      offer: stores,
      purchase: { place: { latitude: 30.269, longitude: -97.7431 } },
      expected: { user: 250n },
    },
    {
      title: 'a place 300 m away',
      offer: stores,
      purchase: { place: { latitude: 30.2699, longitude: -97.7431 } },
      expected: 'store_not_participating',
    },
    {
      title: 'a place a mile away',
      offer: stores,
      purchase: { place: { latitude: 30.29, longitude: -97.743 } },
      expected: 'store_not_participating',
    },
    {
      title: 'a place far to the north',
      offer: stores,
      purchase: { place: { latitude: 45, longitude: -97.743 } },
      expected: 'store_not_participating',
    },
    {
      title: 'the store’s zip code by itself proves nothing',
      offer: stores,
      purchase: { place: { zipCode: '78701' } },
      expected: 'location_unconfirmed',
    },
    {
      title: 'a zip code across the country',
      offer: stores,
      purchase: { place: { zipCode: '10001' } },
      expected: 'store_not_participating',
    },
    {
      title: 'a zip code across the country, and a store with only a zip code',
      offer: unplaced,
      purchase: { place: { zipCode: '10001' } },
      expected: 'store_not_participating',
    },
    {
      title: 'coordinates abroad, and a store with only a five-digit postal code',
      offer: abroad,
      purchase: { place: { latitude: 52.5305, longitude: 13.3847, country: 'de' } },
      expected: 'location_unconfirmed',
    },
    {
      title: 'another postal code abroad',
      offer: abroad,
      purchase: { place: { zipCode: '13355', country: 'de' } },
      expected: 'location_unconfirmed',
    },
    {
      title: 'coordinates near a store with only a zip code',
      offer: unplaced,
      purchase: { place: { latitude: 30.2672, longitude: -97.7431 } },
      expected: 'location_unconfirmed',
    },
    {
      title: 'a place 40 km from the center of the store’s zip code',
      offer: unplaced,
      purchase: { place: { latitude: 30.2672, longitude: -97.33 } },
      expected: 'location_unconfirmed',
    },
    {
      title: 'a place 60 km from the center of the store’s zip code',
      offer: unplaced,
      purchase: { place: { latitude: 30.2672, longitude: -97.12 } },
      expected: 'store_not_participating',
    },
    {
      title: 'a latitude without a longitude is not a place',
      offer: stores,
      purchase: { place: { latitude: 45, zipCode: '78701' } },
      expected: 'location_unconfirmed',
    },
    {
      title: 'a longitude without a latitude is not a place',
      offer: stores,
      purchase: { place: { longitude: 10, zipCode: '78701' } },
      expected: 'location_unconfirmed',
    },
    {
      title: 'coordinates, and a store with only a number',
      offer: { stores: [{ ...exampleStore, zipCode: null, latitude: null, longitude: null }] },
      purchase: { place: { latitude: 30.2672, longitude: -97.7431 } },
      expected: 'location_unconfirmed',
    },
    {
      title: 'a listed store’s number in the descriptor, ignoring leading zeros',
      offer: stores,
      purchase: { place: { writtenNumber: '#00042' } },
      expected: { user: 250n },
    },
    {
      title: 'another number in the descriptor',
      offer: stores,
      purchase: { place: { writtenNumber: '0423' } },
      expected: 'location_unconfirmed',
    },
    {
      title: 'a two-digit number in the descriptor, which may be a date',
      offer: stores,
      purchase: { place: { writtenNumber: '42' } },
      expected: 'location_unconfirmed',
    },
    {
      title: 'the store’s number in the descriptor, but a place far from that store',
      offer: stores,
      purchase: { place: { writtenNumber: '00042', latitude: 45, longitude: -100 } },
      expected: 'store_not_participating',
    },
    {
      title: 'an unknown zip code',
      offer: stores,
      purchase: { place: { zipCode: '00000' } },
      expected: 'location_unconfirmed',
    },
    {
      title: 'a number, but a store without one, and no other evidence',
      offer: unnumbered,
      purchase: { place: { storeNumber: '42' } },
      expected: 'location_unconfirmed',
    },
    {
      title: 'refuted for one store, undecided for another',
      offer: { stores: [exampleStore, { ...exampleStore, storeNumber: null }] },
      purchase: { place: { storeNumber: '43' } },
      expected: 'location_unconfirmed',
    },
    { title: 'a purchase without a place', offer: stores, expected: 'location_unconfirmed' },
    {
      title: 'the state of a local offer',
      offer: { location: 'TX' },
      purchase: { place: { state: 'TX' } },
      expected: { user: 250n },
    },
    {
      title: 'another state',
      offer: { location: 'TX' },
      purchase: { place: { state: 'NY' } },
      expected: 'store_not_participating',
    },
    {
      title: 'the zip code of a local offer',
      offer: { location: '78701' },
      purchase: { place: { zipCode: '78701-1234', state: 'TX' } },
      expected: { user: 250n },
    },
    {
      title: 'another zip code',
      offer: { location: '78701' },
      purchase: { place: { zipCode: '78702' } },
      expected: 'store_not_participating',
    },
    {
      title: 'the city of a local offer',
      offer: { location: 'Austin' },
      purchase: { place: { city: 'AUSTIN' } },
      expected: { user: 250n },
    },
    {
      title: 'the nine-digit zip code of a local offer',
      offer: { location: '78701-1234' },
      purchase: { place: { zipCode: '78701' } },
      expected: { user: 250n },
    },
    {
      title: 'a zip code in the offer, and a city in the purchase',
      offer: { location: '78701' },
      purchase: { place: { city: 'Austin' } },
      expected: 'location_unconfirmed',
    },
    {
      title: 'a city, regardless of spelling',
      offer: { location: ' san marcos' },
      purchase: { place: { city: 'San Marcos ' } },
      expected: { user: 250n },
    },
    {
      title: 'a city whose name begins with a number',
      offer: { location: '29 Palms' },
      purchase: { place: { city: '29 Palms', zipCode: '92277' } },
      expected: { user: 250n },
    },
    {
      title: 'a city in its state',
      offer: { location: 'Austin, TX' },
      purchase: { place: { city: 'Austin', state: 'TX' } },
      expected: { user: 250n },
    },
    {
      title: 'a city with the same name in another state',
      offer: { location: 'Austin, TX' },
      purchase: { place: { city: 'Austin', state: 'MN' } },
      expected: 'store_not_participating',
    },
    {
      title: 'a city without a state',
      offer: { location: 'Austin, TX' },
      purchase: { place: { city: 'Austin' } },
      expected: 'location_unconfirmed',
    },
    {
      title: 'a city with its zip code',
      offer: { location: 'Austin, TX 78701' },
      purchase: { place: { city: 'West Lake Hills', state: 'TX', zipCode: '78701' } },
      expected: { user: 250n },
    },
    { title: 'a local offer, and no place', offer: { location: 'TX' }, expected: 'location_unconfirmed' },
  ],
}
