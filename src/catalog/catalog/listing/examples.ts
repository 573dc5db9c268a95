import { pageExample } from '../../../platform/http/index.ts'

/** Examples for the API reference. */
const store = {
  location_name: 'Acme Downtown',
  street_address1: '1 Main Street',
  street_address2: null,
  city: 'New York',
  state: 'NY',
  zip_code: '10001',
  latitude: '40.7506',
  longitude: '-73.9972',
  phone: '2125550100',
  complete_address: '1 Main Street, New York, NY 10001, US',
  country: 'US',
}

const offer = {
  offer_uid: 'off_2x4y6v8wb0e3hr9k5m7n1p3q5s',
  name: '5% back online',
  description: 'Buy through the link and get 5% of the purchase back.',
  formatted_description: '5% cashback',
  banner_url: null,
  refund_period_days: 30,
  tracking_url: 'https://rewards.example.com/r/AbCdEfGhIjKlMnOpQrStUv0123456789abcdefoff_2x4y6v8wb0e3hr9k5m7n1p3q5s',
  reward_type: 'CASHBACK_PERCENTAGE',
  voucher_code: null,
  customer_offer: 5,
  max_customer_offer: 5,
  currency: 'USD',
  location: null,
  one_time_use: false,
  new_customer_only: false,
  activation_required: false,
  activated: null,
  max_spend: 500,
  min_spend: 20,
  denominations: [],
  start_date: '2026-01-01',
  end_date: null,
  terms_and_conditions: 'Not on gift cards.',
  store_addresses: [],
}
const inStore = { ...offer, offer_uid: 'off_6t8r0e2w4q6y8u1p3a5s7d9f0g', tracking_url: null, store_addresses: [store] }

/** Builds an example brand. An offer's type has a different member name when a single brand is returned. */
export function brandExample(typeMember: 'offer_type' | 'offer_types'): object {
  return {
    brand_uid: 'brd_1a3c5e7g9j2k4m6n8p0q2r4s6t',
    category_id: '3',
    category: 'ELECTRONICS',
    name: 'Acme',
    website: 'https://acme.example.com',
    description: 'Tools and devices for coyotes.',
    logo_img_url: 'https://rewards.example.com/images/brands/brd_1a3c5e7g9j2k4m6n8p0q2r4s6t/regular.svg',
    large_img_url: 'https://rewards.example.com/images/brands/brd_1a3c5e7g9j2k4m6n8p0q2r4s6t/large.svg',
    small_img_url: 'https://rewards.example.com/images/brands/brd_1a3c5e7g9j2k4m6n8p0q2r4s6t/small.svg',
    offer_description: '5% cashback',
    reward_type: 'CASHBACK_PERCENTAGE',
    max_customer_offer: 5,
    currency: 'USD',
    global_terms_and_conditions: null,
    offers: [
      { ...offer, [typeMember]: 'AFFILIATE' },
      { ...inStore, [typeMember]: 'CARD_LINKED' },
    ],
  }
}

export const brandsPageExample = pageExample([brandExample('offer_type')])
export const categoriesExample = [
  { category_id: 3, category: 'ELECTRONICS' },
  { category_id: 4, category: 'AUTOMOTIVE' },
]
