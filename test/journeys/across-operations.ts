/** Valid requests for the operations that span publishers or manage them. */

const scope = 'operator'
const publisher = { publisher_id: 'pub_01kbjyt5v3f4nvj5yq5yfypr9v' }
const svc_user_id = 'usr_01kbjyt5v3f4nvj5yq5yfypr9v'

export const ACROSS_ROWS = {
  listAllUsers: {
    scope,
    query: {
      ...{ ...publisher, publisher_user_id: 'user-1', svc_user_id, email: 'ada@example.com', status: 'ACTIVE' },
      ...{ start_date: '2026-01-01', end_date: '2026-01-31', sort: 'created_at', limit: '5' },
    },
  },
  listAllTransactions: {
    scope,
    query: {
      ...{ ...publisher, svc_user_id, brand_uid: 'brand-market', offer_uid: 'offer-market', status: 'PENDING' },
      ...{ source: 'CARD', currency: 'USD', amount_min: '1', amount_max: '9' },
      ...{ start_date: '2026-01-01', end_date: '2026-01-31', sort: '-amount', limit: '5' },
    },
  },
  listAudit: {
    scope,
    query: {
      ...{ subject: 'catalog', actor: 'Ada', action: 'key.created', limit: '5' },
      ...{ from: '2026-01-01T00:00:00Z', to: '2026-02-01T00:00:00Z' },
    },
  },
  listAllDeliveries: {
    scope,
    query: {
      ...{ ...publisher, endpoint_id: 'whe_01kbjyt5v3f4nvj5yq5yfypr9v', status: 'pending' },
      ...{ event_type: 'user.created', limit: '5' },
    },
  },
  getAssortment: { scope, params: publisher },
  putAssortment: {
    scope,
    params: publisher,
    body: {
      carries: 'everything',
      categories: [{ category_id: 2, carried: false }],
      brands: [{ brand_uid: 'brand-market', carried: true, fee: 10, share: 20 }],
      offers: [{ offer_uid: 'offer-market', formatted_description: 'Back on every basket' }],
      category_order: [2, 1],
    },
  },
  getOverview: { scope, query: publisher },
  listLedgerAccounts: { scope, query: publisher },
  listReceivables: { scope, query: { ...publisher, page: '0', size: '5', sort: '-balance' } },
  getServiceWork: { scope },
  listBrokenLogins: { scope, query: { ...publisher, error: 'UNKNOWN', sort: 'linked_at', limit: '5' } },
  listCatalogOffers: {
    scope,
    query: {
      ...{ brand_uid: 'brand-market', category_id: '1', state: 'live', offer_type: 'CARD_LINKED' },
      ...{ search_text: 'market', sort: 'created', limit: '5' },
    },
  },
  getCatalogOffer: { scope, params: { offer_uid: 'offer-market' } },
  listOfferVersions: { scope, params: { offer_uid: 'offer-market' } },
  listCatalogBrands: { scope, query: { search_text: 'market', category_id: '3', page: '0', size: '5' } },
  getCatalogBrand: { scope, params: { brand_uid: 'brand-market' } },
  listCatalogCategories: { scope },
  listCatalogStores: { scope, query: { search_text: 'market', state: 'NY', place: '0-1307-1059' } },
  listBudgets: { scope, query: { brand_uid: 'brand-market', nearly_spent: 'true', sort: 'created', limit: '5' } },
  listAllEndpoints: { scope, query: { ...publisher, status: 'enabled', failing: 'true', limit: '5' } },
  listPublishedTerms: { scope, query: publisher },
  previewTerms: { scope, body: { ...publisher, required_from: '2999-01-01T00:00:00Z' } },
  publishTerms: {
    scope,
    body: { ...publisher, url: 'https://example.com/terms', revision: '2', required_from: '2999-01-01T00:00:00Z' },
  },
  searchEverything: { scope, query: { q: 'market' } },
  listPublishers: { scope, query: { environment: 'sandbox', search_text: 'acme', page: '0', size: '5' } },
  getPublisher: { scope, params: publisher },
  createPublisher: {
    scope,
    body: { name: 'Acme', environment: 'sandbox', currency: 'USD', time_zone: 'UTC' },
  },
  changePublisher: {
    scope,
    params: publisher,
    body: {
      ...{ name: 'Acme', time_zone: 'UTC', timestamp_format: 'rfc3339', own_card_feed: true, links_cards: true },
      ...{ link_name: 'Acme', link_language: 'en', link_countries: ['US'], link_products: ['transactions'] },
      ...{ link_account_subtypes: ['checking'], fee_percent: 10, share_percent: 20, stacking_policy: 'CARD' },
      ...{ marketplace_policy: 'MERCHANT', redemption_methods: ['publisher'], redemption_user_day_count: 3 },
      ...{ destination_cool_down_hours: 24, claim_days: 30, claim_default: 'decline', reads_per_second: 200 },
      ...{ writes_per_second: 100, events_per_second: 500 },
      limits: {
        ...{ currency: 'USD', redemption_minimum: 5, redemption_user_day_max: 500, redemption_review_above: 100 },
        ...{ redemption_two_people_above: 1000, adjustment_alone_max: 25 },
      },
    },
  },
  addPublisherCurrency: { scope, params: publisher, body: { currency: 'EUR' } },
  allowReturnAddress: { scope, params: publisher, body: { redirect_uri: 'https://app.example/linked' } },
  disallowReturnAddress: { scope, params: publisher, query: { value: 'https://app.example/linked' } },
  previewPublisherSplit: {
    scope,
    body: { fee_percent: 10, share_percent: 20, commission_percent: 5, amount: 100, currency: 'USD' },
  },
  listKeys: { scope, params: publisher },
  createKey: {
    scope,
    params: publisher,
    body: { scopes: ['users:read'], expires_at: '2999-01-01T00:00:00Z', addresses: ['203.0.113.0/24'] },
  },
  revokeKey: { scope, params: { ...publisher, key_id: 'key_01kbjyt5v3f4nvj5yq5yfypr9v' } },
} as const
