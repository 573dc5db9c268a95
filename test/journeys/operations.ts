import { type Answer, type Call, fetchPatiently, type TestApp } from '../support/app.ts'
import { dereferenced, type Schema } from '../support/openapi.ts'
import { ACCOUNT_ROWS } from './account-operations.ts'
import { ACROSS_ROWS } from './across-operations.ts'
import type { Row } from './row.ts'

export const NETWORK_SECRET = 'a-secret-of-the-network'
const user = { publisher_user_id: 'user-1' }
const institution = { institution_id: 'ins_109508' }
const page = { page: '0', size: '5' }
const unknownId = (prefix: string) => `${prefix}_01kbjyt5v3f4nvj5yq5yfypr9v`
const endpoint = { endpoint_id: unknownId('whe') }
const payoutFile = { file_id: unknownId('pof') }
const giftCard = { card_id: unknownId('gcd') }
const report = { report_id: unknownId('rpt') }
const schedule = { kind: 'users', every: 'day' }
const claim = { claim_id: unknownId('clm') }
const redemption = { redemption_id: unknownId('rdm') }
const transaction = { transaction_uid: unknownId('txn') }
const purchase = {
  source: 'OTHER',
  external_id: 'event-1',
  kind: 'CLEARING',
  original_external_id: 'event-0',
  ...user,
  brand_uid: 'brand-market',
  merchant_id: 'm-1',
  merchant_descriptor: 'CRNR MKT 12',
  merchant_name: 'Corner Market',
  website: 'https://cornermarket.example',
  mcc: '5411',
  store_number: '12',
  street: '1 Main Street',
  city: 'New York',
  state: 'NY',
  zip_code: '10001',
  latitude: 40.7,
  longitude: -74,
  amount: 12.34,
  currency: 'USD',
  transaction_date_time: '2026-01-02T03:04:05Z',
  offer_uid: 'offer-market',
  voucher_code: 'SAVE3',
  account_id: 'account-1',
  order_id: 'order-1',
}
const rematch = {
  publisher_id: unknownId('pub'),
  brand_uid: 'brand-market',
  template: 'corner market',
  since: '2026-01-01',
  until: '2026-01-31',
}
const linking = { ...institution, institution_name: 'First Platypus Bank' }
const postback = {
  sub_id: 'unknown',
  order_id: '1',
  amount: '5',
  currency: 'USD',
  status: 'approved',
  date: '2026-01-02',
}

/** By operationId. The tests fail for any operation in the API reference without a row here. */
const ROWS: Readonly<Record<string, Row>> = {
  ...ACCOUNT_ROWS,
  ...ACROSS_ROWS,
  listBrands: {
    scope: 'brands:read',
    query: {
      ...{ ...user, ...page, category_id: '1', offer_type: 'AFFILIATE', location: 'NY', radius: '5', search_text: 'a' },
    },
  },
  getBrand: { scope: 'brands:read', params: { brand_uid: 'brand-market' }, query: user },
  listCategories: { scope: 'brands:read' },
  activateOffer: { scope: 'brands:write', params: { offer_uid: 'offer-market' }, body: user },
  deactivateOffer: { scope: 'brands:write', params: { offer_uid: 'offer-market' }, query: user },
  handOutVoucherCode: { scope: 'brands:write', params: { offer_uid: 'offer-gadgets-code' }, body: user },
  getTerms: { scope: 'terms:read' },
  listAcceptances: { scope: 'terms:read', params: user },
  listMarketingChoices: { scope: 'users:read', params: user },
  chooseMarketing: {
    scope: 'users:write',
    params: user,
    body: { agreed: true, wording: 'Yes, please.', language: 'en' },
  },
  acceptTerms: { scope: 'terms:write', body: { ...user, tnc_id: 1 } },
  createLinkToken: { scope: 'linker:write', params: user, query: { redirect_uri: '', android_package_name: '' } },
  createAuthToken: {
    scope: 'linker:write',
    params: { ...user, ...institution },
    query: { redirect_uri: '', android_package_name: '' },
  },
  linkPublicToken: { scope: 'linker:write', params: user, body: { ...linking, public_token: 'public-sandbox-1' } },
  linkAccessToken: { scope: 'linker:write', body: { ...user, ...linking, provider_access_token: 'access-sandbox-1' } },
  breakLogin: { scope: 'linker:write', params: { ...user, ...institution } },
  unlinkInstitution: { scope: 'linker:write', params: { ...user, ...institution } },
  listLinkedCards: { scope: 'linker:read', params: user },
  listLinkedCardsAtInstitution: { scope: 'linker:read', params: { ...user, ...institution } },
  createUser: {
    scope: 'users:write',
    body: { publisher_user_id: 'user-new', email: 'a@example.com', primary_zip_code: '10001', attributes: {} },
  },
  listUsers: { scope: 'users:read', query: { ...page, ...user, email: 'a@example.com' } },
  listUserStatus: { scope: 'users:read', query: page },
  getUserStatus: { scope: 'users:read', params: user },
  getUser: { scope: 'users:read', params: user },
  changeUser: {
    scope: 'users:write',
    params: user,
    body: { email: 'a@example.com', primary_zip_code: '10001', attributes: {} },
  },
  getPortalSettings: { scope: 'users:read' },
  previewPortalTheme: { scope: 'users:read', query: { hue: '42', chroma: '0.16' } },
  setPortalSettings: {
    scope: 'users:write',
    body: { slug: 'acorn', shown_name: 'Acorn Pay', hue: 42, chroma: 0.16, frame_ancestors: [] },
  },
  createPortalSession: { scope: 'rewards:write', body: { ...user, return_path: '/purchases' } },
  getPortalAccount: { scope: 'users:read', params: user },
  removePortalAccount: { scope: 'users:write', params: user },
  deleteUser: { scope: 'users:write', params: user, query: { pending: 'true' } },
  // Uses a user that no other operation touches, because the erasure continues in the background.
  eraseUser: { scope: 'users:write', params: { publisher_user_id: 'leaver' }, body: { confirm: 'leaver' } },
  getErasure: { scope: 'users:read', params: { erasure_id: unknownId('era') } },
  getUserArchive: { scope: 'users:read', params: user, query: { format: 'json' } },
  reactivateUser: { scope: 'users:write', params: user },
  reportTransactions: { scope: 'transactions:write', body: purchase },
  evaluateTransaction: { scope: 'transactions:write', query: { view: 'user' }, body: purchase },
  listTransactions: {
    scope: 'transactions:read',
    query: { ...user, ...page, status: 'EARNED', search_text: 'a', start_date: '2026-01-01', end_date: '2026-01-31' },
  },
  getTransaction: { scope: 'transactions:read', params: transaction },
  listTransactionEvents: { scope: 'transactions:read', params: transaction },
  listTransactionPostings: { scope: 'rewards:read', params: transaction },
  listTransactionAnnouncements: { scope: 'webhooks:read', params: transaction },
  getDecision: { scope: 'transactions:read', params: transaction, query: { view: 'user' } },
  listReviews: { scope: 'transactions:read', query: { ...page, status: 'DECIDED' } },
  decideReview: {
    scope: 'transactions:write',
    params: { review_uid: unknownId('rev') },
    body: { brand_uid: 'brand-market', scope: 'PUBLISHER', decided_by: 'Ana', note: 'asked' },
  },
  getRewardsSummary: { scope: 'rewards:read', params: user },
  quoteGiftCards: {
    scope: 'transactions:write',
    body: { ...user, offer_uid: 'offer-gadgets-gift', items: [{ denomination: 25, quantity: 1 }] },
  },
  orderGiftCards: {
    scope: 'transactions:write',
    body: {
      ...{ ...user, offer_uid: 'offer-gadgets-gift', items: [{ denomination: 25, quantity: 1 }] },
      external_ref: 'basket-1',
    },
  },
  listGiftCardOrders: {
    scope: 'transactions:read',
    query: {
      ...{ ...user, ...page, status: 'delivered', external_ref: 'basket-1' },
      ...{ start_date: '2026-01-01', end_date: '2026-01-31' },
    },
  },
  getGiftCardOrder: { scope: 'transactions:read', params: { order_id: unknownId('gco') } },
  revealGiftCard: { scope: 'transactions:write', params: giftCard },
  getGiftCardBalance: { scope: 'transactions:read', params: giftCard },
  refundGiftCard: { scope: 'transactions:write', params: giftCard },
  listVoucherCodes: { scope: 'transactions:read', params: user, query: page },
  openClaim: {
    scope: 'transactions:write',
    body: {
      ...{ ...user, external_ref: 'ticket-1', kind: 'incorrect', opened_by: 'user', ...transaction },
      ...{
        brand_uid: 'brand-market',
        offer_uid: 'offer-market',
        purchase_date: '2026-01-02',
        amount: 5,
        currency: 'USD',
      },
      ...{ order_id: 'order-1', merchant: 'Corner Market', evidence: 'Receipt 17' },
    },
  },
  listClaims: {
    scope: 'transactions:read',
    query: { ...user, ...page, status: 'open', kind: 'missing', start_date: '2026-01-01', end_date: '2026-01-31' },
  },
  getClaim: { scope: 'transactions:read', params: claim },
  addClaimNote: { scope: 'transactions:write', params: claim, body: { author: 'user', text: 'Receipt 17' } },
  withdrawClaim: { scope: 'transactions:write', params: claim },
  requestRedemption: {
    scope: 'rewards:write',
    body: { ...user, amount: 5, method: 'publisher', external_ref: 'ref-1' },
  },
  listRedemptions: {
    scope: 'rewards:read',
    query: {
      ...{ ...user, ...page, status: 'paid', method: 'publisher', external_ref: 'ref-1' },
      ...{ start_date: '2026-01-01', end_date: '2026-01-31' },
    },
  },
  getRedemption: { scope: 'rewards:read', params: redemption },
  cancelRedemption: { scope: 'rewards:write', params: redemption },
  reportRedemptionOutcome: {
    scope: 'rewards:write',
    params: redemption,
    body: { status: 'failed', reason: 'not_paid', message: 'closed', payout_reference: 'wire-1' },
  },
  setPayoutDestination: {
    scope: 'rewards:write',
    params: user,
    body: {
      ...{ type: 'us_bank_account', holder_name: 'Ada', routing_number: '021000021', account_number: '123456789' },
      account_type: 'savings',
    },
  },
  getPayoutDestination: { scope: 'rewards:read', params: user },
  removePayoutDestination: { scope: 'rewards:write', params: user },
  getUserStatement: {
    scope: 'rewards:read',
    params: user,
    query: {
      ...{ start_date: '2026-01-01', end_date: '2026-01-31', size: '5', format: 'csv' },
      after: unknownId('jnl'),
    },
  },
  listStatements: { scope: 'reports:read', query: { ...page, month: '2026-01' } },
  getStatement: { scope: 'reports:read', params: { statement_id: unknownId('stm') }, query: { format: 'json' } },
  exportTransactions: { scope: 'reports:read', query: { from: '2026-01-01', to: '2026-01-31', format: 'csv' } },
  orderReport: {
    scope: 'reports:write',
    body: { kind: 'users', from: '2026-01-01', to: '2026-01-31', format: 'csv' },
  },
  listReports: { scope: 'reports:read', query: { ...page, kind: 'users', status: 'ready' } },
  getReport: { scope: 'reports:read', params: report },
  downloadReport: { scope: 'open', params: report, query: { expires: '1796115600', signature: 'none' } },
  listReportSchedules: { scope: 'reports:read' },
  setReportSchedule: { scope: 'reports:write', params: schedule, body: { format: 'csv' } },
  endReportSchedule: { scope: 'reports:write', params: schedule },
  listEvents: { scope: 'events:read', query: { after: '0', cursor: '0-0', limit: '5' } },
  createWebhookEndpoint: {
    scope: 'webhooks:write',
    body: { url: 'http://127.0.0.1:9/hook', event_types: ['user.created'], description: 'Cashback' },
  },
  listWebhookEndpoints: { scope: 'webhooks:read', query: page },
  getWebhookEndpoint: { scope: 'webhooks:read', params: endpoint },
  changeWebhookEndpoint: {
    scope: 'webhooks:write',
    params: endpoint,
    body: { url: 'http://127.0.0.1:9/hook', event_types: ['user.created'], description: 'Cashback', disabled: false },
  },
  recoverWebhookEndpoint: { scope: 'webhooks:write', params: endpoint, body: { since: '2026-11-01T00:00:00Z' } },
  deleteWebhookEndpoint: { scope: 'webhooks:write', params: endpoint },
  enableWebhookEndpoint: { scope: 'webhooks:write', params: endpoint },
  rotateWebhookSecret: { scope: 'webhooks:write', params: endpoint },
  testWebhookEndpoint: { scope: 'webhooks:write', params: endpoint },
  replayWebhookRange: { scope: 'webhooks:write', params: endpoint, body: { after: 0, until: 5 } },
  listWebhookDeliveries: {
    scope: 'webhooks:read',
    query: { ...page, ...endpoint, status: 'pending', event_type: 'user.created' },
  },
  listWebhookAttempts: { scope: 'webhooks:read', params: { delivery_id: unknownId('dlv') } },
  replayWebhookDelivery: { scope: 'webhooks:write', params: { delivery_id: unknownId('dlv') } },
  getOwnPublisher: { scope: null },
  getSandboxClock: { scope: null },
  advanceSandboxClock: { scope: null, body: { advance_days: 1, advance_seconds: 1 } },
  followLink: { scope: 'open', params: { token: 'no-such-token' }, lenientQuery: true },
  getBrandImage: { scope: 'open', params: { brand_uid: 'brand-market', file: 'regular.svg' }, lenientQuery: true },
  getInstitutionLogo: { scope: 'open', params: institution, query: { v: '' } },
  receivePostback: {
    scope: 'open',
    params: { network: 'default' },
    body: postback,
    headers: { 'X-Postback-Secret': NETWORK_SECRET },
    lenientQuery: true,
  },
  receivePostbackByQuery: {
    scope: 'open',
    params: { network: 'default' },
    query: postback,
    headers: { 'X-Postback-Secret': NETWORK_SECRET },
    lenientQuery: true,
  },
  takeLinkerWebhook: { scope: 'open' },
  getOperator: { scope: 'operator' },
  importCatalog: {
    scope: 'operator',
    query: { dry_run: 'true', replace: 'false' },
    body: { categories: [{ category_id: 1, category: 'GROCERY' }], brands: [{ category_id: 1, name: 'Acme' }] },
  },
  readCatalogCsv: { scope: 'operator', body: { csv: 'name,category_id\nAcme,1' } },
  exportCatalog: { scope: 'operator', query: { format: 'json' } },
  listAllReviews: { scope: 'operator', query: { ...page, status: 'DECIDED', publisher_id: unknownId('pub') } },
  getAnyReview: { scope: 'operator', params: { review_uid: unknownId('rev') } },
  undoReview: { scope: 'operator', params: { review_uid: unknownId('rev') } },
  decideReviewForAll: {
    scope: 'operator',
    params: { review_uid: unknownId('rev') },
    body: { brand_uid: 'brand-market', scope: 'ALL', note: 'asked' },
  },
  listRematches: { scope: 'operator', query: { publisher_id: unknownId('pub'), limit: '5' } },
  previewRematch: { scope: 'operator', body: rematch },
  applyRematch: { scope: 'operator', body: { ...rematch, reason: 'asked', hash: '0'.repeat(64) } },
  undoRematch: { scope: 'operator', params: { rematch_uid: unknownId('rmt') } },
  listRematchChanges: {
    scope: 'operator',
    params: { rematch_uid: unknownId('rmt') },
    query: { page: page.page, size: page.size },
  },
  listRefundCandidates: { scope: 'operator', params: { refund_id: unknownId('txn') } },
  assignRefund: {
    scope: 'operator',
    params: { refund_id: unknownId('txn') },
    body: { transaction_uid: unknownId('txn'), reason: 'asked' },
  },
  dismissRefund: { scope: 'operator', params: { refund_id: unknownId('txn') }, body: { reason: 'asked' } },
  listUnmatchedRefunds: { scope: 'operator', query: { publisher_id: unknownId('pub'), limit: '5' } },
  allowGiftCardReveal: { scope: 'operator', params: giftCard, body: { reason: 'The answer was lost.' } },
  listUndecidedOrders: { scope: 'operator', query: { publisher_id: unknownId('pub'), limit: '5' } },
  endGiftCardOrder: {
    scope: 'operator',
    params: { order_id: unknownId('gco') },
    body: { reason: 'The supplier has lost it.' },
  },
  listContradictions: { scope: 'operator' },
  acknowledgeContradiction: {
    scope: 'operator',
    params: { contradiction_id: unknownId('ctr') },
    body: { note: 'The bank has not paid.' },
  },
  getVoucherPools: { scope: 'operator', params: { offer_uid: 'offer-gadgets-code' } },
  listUnknownPostbacks: { scope: 'operator', query: { network: 'awin', before: '2026-01-01T00:00:00Z', limit: '5' } },
  proposeAdjustment: {
    scope: 'operator',
    body: {
      ...{ publisher_id: unknownId('pub'), ...user, kind: 'goodwill', amount: 5, paid_by: 'service' },
      ...{ reason: 'asked', external_ref: 'case-1' },
    },
  },
  listAdjustments: {
    scope: 'operator',
    query: { publisher_id: unknownId('pub'), ...user, status: 'booked', limit: '5' },
  },
  bookAdjustment: { scope: 'operator', params: { adjustment_id: unknownId('adj') } },
  declineAdjustment: { scope: 'operator', params: { adjustment_id: unknownId('adj') } },
  listAllClaims: {
    scope: 'operator',
    query: {
      ...{ publisher_id: unknownId('pub'), ...user, status: 'open', kind: 'missing', limit: '5' },
      ...{ start_date: '2026-01-01', end_date: '2026-01-31' },
    },
  },
  getAnyClaim: { scope: 'operator', params: claim },
  grantClaim: {
    scope: 'operator',
    params: claim,
    body: { adjustment: { kind: 'goodwill', amount: 5, paid_by: 'service', reason: 'asked' } },
  },
  declineClaim: { scope: 'operator', params: claim, body: { reason: 'other', text: 'asked' } },
  addOperatorClaimNote: { scope: 'operator', params: claim, body: { text: 'asked' } },
  getDesk: { scope: 'operator' },
  listPublishers: { scope: 'operator' },
  listOpenRedemptions: {
    scope: 'operator',
    query: { publisher_id: unknownId('pub'), status: 'approved', limit: '5' },
  },
  approveRedemption: { scope: 'operator', params: redemption },
  declineRedemption: { scope: 'operator', params: redemption, body: { reason: 'asked' } },
  listPayoutFiles: { scope: 'operator', query: { publisher_id: unknownId('pub'), limit: '5' } },
  createPayoutFile: {
    scope: 'operator',
    body: { publisher_id: unknownId('pub'), format: 'csv', pay_on: '2026-01-02' },
  },
  getPayoutFileContent: { scope: 'operator', params: payoutFile },
  answerPayoutFile: { scope: 'operator', params: payoutFile, body: { content: 'reference,status' } },
  settlePayoutFile: { scope: 'operator', params: payoutFile },
  assignPostback: {
    scope: 'operator',
    params: { postback_id: unknownId('pbk') },
    body: { publisher_id: unknownId('pub'), ...user, offer_uid: 'offer-market', reason: 'The user has a receipt.' },
  },
  dismissPostback: {
    scope: 'operator',
    params: { postback_id: unknownId('pbk') },
    body: { reason: 'The network knows nothing of it.' },
  },
  getTrialBalance: {
    scope: 'operator',
    query: { publisher_id: unknownId('pub'), at: '2026-01-01T00:00:00Z', by_owner: 'true' },
  },
  recordPayment: {
    scope: 'operator',
    body: {
      ...{ publisher_id: unknownId('pub'), direction: 'received', party: 'advertiser', brand_uid: 'brand-market' },
      ...{ amount: 5, currency: 'USD', external_ref: 'wire-1', value_date: '2026-01-31', note: 'asked' },
    },
  },
  listPayments: {
    scope: 'operator',
    query: {
      ...{ publisher_id: unknownId('pub'), party: 'advertiser', brand_uid: 'brand-market', external_ref: 'wire-1' },
      ...page,
    },
  },
  closeMonth: { scope: 'operator', body: { month: '2026-01', publisher_id: unknownId('pub') } },
  listAllStatements: {
    scope: 'operator',
    query: {
      ...{ publisher_id: unknownId('pub'), kind: 'publisher', brand_uid: 'brand-market', environment: 'sandbox' },
      ...{ ...page, month: '2026-01' },
    },
  },
  getAnyStatement: {
    scope: 'operator',
    params: { statement_id: unknownId('stm') },
    query: { format: 'json' },
  },
  listFailedFacts: { scope: 'operator' },
  retryFailedFact: { scope: 'operator', params: { fact_id: '1' } },
}

export type Parameter = {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required?: boolean
  readonly schema: Schema
}
type Media = Readonly<Record<string, { readonly schema: Schema; readonly example?: unknown }>>
export type Operation = {
  readonly method: string
  readonly path: string
  readonly row: Row
  readonly operationId: string
  readonly summary?: string
  readonly tags?: readonly string[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Media }
  readonly responses: Readonly<
    Record<string, { readonly description: string; readonly content?: Media; readonly headers?: object }>
  >
}

/** The operations in the running service's API reference, each with its row. */
export async function operationsOf(url: string): Promise<Operation[]> {
  return operationsIn((await (await fetchPatiently(new URL('/openapi.json', url))).json()) as object)
}

export function operationsIn(reference: object): Operation[] {
  const { paths } = dereferenced(reference) as {
    paths: Record<string, Record<string, Omit<Operation, 'method' | 'path' | 'row'>>>
  }
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const row = ROWS[operation.operationId]
      if (row === undefined) throw new Error(`${operation.operationId} has no row of a sound request in operations.ts`)
      return { ...operation, method: method.toUpperCase(), path, row }
    }),
  )
}

/** Returns the caller for operations with this scope. */
export function callFor(app: Pick<TestApp, 'call' | 'operator' | 'person'>, scope: Row['scope']): Call {
  if (scope === 'operator') return app.operator
  return scope === 'session' ? app.person : app.call
}

/** Builds a request's address, encoded as a careful client would unless `encode` leaves texts raw. */
export function addressOf(
  operation: Pick<Operation, 'path'>,
  { params = {}, query = {} }: Pick<Row, 'params' | 'query'>,
  encode: (text: string) => string = encodeURIComponent,
): string {
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => {
    const value = params[name]
    if (value === undefined) throw new Error(`the row for ${operation.path} has no ${name}`)
    return encode(value)
  })
  const pairs = Object.entries(query).map(([name, value]) => `${name}=${encode(value)}`)
  return pairs.length === 0 ? path : `${path}?${pairs.join('&')}`
}

const LEAKS = /node_modules|\/src\/|\.ts\b|at .*\(.*:\d+:\d+\)|\bselect\b .*\bfrom\b|PostgresError|syntax error/i

/** Explains why a response is not a complete problem body with that status; null if it is one. */
export function problemFault(answer: Answer, status: number, path: string): string | null {
  const { body, headers } = answer
  if (answer.status !== status) return `answered ${answer.status}, not ${status}: ${JSON.stringify(body)}`
  if (!headers.get('content-type')?.startsWith('application/problem+json')) return 'is no application/problem+json'
  for (const member of ['type', 'title', 'detail', 'instance', 'code', 'request_id']) {
    if (typeof body[member] !== 'string') return `lacks ${member}`
  }
  if (body.status !== status) return 'tells another status'
  if (body.request_id !== headers.get('x-request-id')) return 'tells another request id'
  // Truncated, like everything a response echoes.
  if (body.instance !== path.split('?')[0]?.slice(0, 1_500)) return `names ${body.instance} as its instance`
  if ((status === 400) !== Array.isArray(body.errors)) return 'has errors[] where it must not, or lacks it'
  if (LEAKS.test(JSON.stringify(body))) return `leaks something: ${JSON.stringify(body)}`
  return null
}
