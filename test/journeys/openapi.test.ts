import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { DESCRIPTIONS } from '../../src/descriptions.ts'
import { setPayerAs } from '../../src/payouts/redemptions/index.ts'
import { isDay, isInstant } from '../../src/platform/calendar.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { encodeId, toUserId } from '../../src/platform/ids.ts'
import { REFUSALS } from '../../src/refusals.ts'
import { setNetworkSecret } from '../../src/sources/affiliate/index.ts'
import { insertClick } from '../../src/sources/affiliate/queries.ts'
import { toLocalActor } from '../../src/tenants/accounts/index.ts'
import { changeSettings } from '../../src/tenants/publishers/index.ts'
import { CATALOG, fetchPatiently, startTestApp, type TestApp } from '../support/app.ts'
import { eventually } from '../support/eventually.ts'
import { dereference, findDescription, type Schema, valueAt } from '../support/openapi.ts'
import { atSimulator } from '../support/takeout-life.ts'
import { tellOfLinking } from './linking-story.ts'
import { callFor, type Operation, readOperations } from './operations.ts'
import { tellOfOperators } from './operators-story.ts'
import { tellOfPeople } from './people-story.ts'
import { tellOfRefunds } from './refunds-story.ts'
import { tellOfReviews } from './reviews-story.ts'

// The API reference is generated from the schemas that validate requests. These tests read it as other tools would.

let app: TestApp
let document: Record<string, unknown>
let operations: Operation[]

before(async () => {
  app = await startTestApp()
  await app.catalog(CATALOG)
  document = (await (await fetchPatiently(`${app.service.url}/openapi.json`)).json()) as Record<string, unknown>
  operations = await readOperations(app.service.url)
})

after(() => app.close())

/** The operations that the reference must contain at a minimum. */
const OPERATIONS = `
GET /publishers/brands, GET /publishers/brands/{brand_uid}, GET /publishers/categories, GET /terms, POST /terms/accept,
GET /linker/link-token/{publisher_user_id}, GET /linker/auth-token/{institution_id}/{publisher_user_id},
POST /linker/public-token/{publisher_user_id}, DELETE /linker/access-token/{publisher_user_id}/{institution_id},
GET /linker/linked-cards/{publisher_user_id}, GET /linker/linked-cards/{publisher_user_id}/{institution_id},
POST /linker/access-token, GET /users, POST /users, DELETE /users/{publisher_user_id}, GET /users/status,
GET /users/status/{publisher_user_id}, GET /users/{publisher_user_id}, PATCH /users/{publisher_user_id},
POST /users/{publisher_user_id}/reactivate, GET /transactions, GET /transactions/{transaction_uid},
GET /transactions/{transaction_uid}/decision, POST /transactions, POST /transactions/evaluate,
GET /rewards/summary/{publisher_user_id}, POST /webhooks/endpoints, GET /webhooks/endpoints,
DELETE /webhooks/endpoints/{endpoint_id}, GET /webhooks/deliveries, GET /events, GET /sandbox/clock, POST /sandbox/clock,
GET /r/{token}, POST /postbacks/{network}, GET /reports/transactions`
  .split(',')
  .map((one) => one.trim())

test('the document contains the required operations; each has a unique name, a summary, a tag and errors', () => {
  assert.equal(document['openapi'], '3.1.0')
  const listed = operations.map(({ method, path }) => `${method} ${path}`)
  assert.deepEqual(
    OPERATIONS.filter((one) => !listed.includes(one)),
    [],
  )
  const names = operations.map(({ operationId }) => operationId)
  assert.equal(new Set(names).size, names.length)
  for (const { operationId, summary, tags, responses, row } of operations) {
    assert.ok(summary && tags?.length === 1, operationId)
    const usual = row.scope === 'open' ? ['400'] : ['400', '401', '403', '429']
    for (const status of usual)
      assert.ok(responses[status]?.content?.['application/problem+json'], `${operationId} ${status}`)
    for (const { description } of Object.values(responses)) assert.ok(description, operationId)
  }
})

test('the document is consistent: references resolve, and paths match their parameters', () => {
  const { info, components } = document as {
    info: { title: string; version: string }
    components: { securitySchemes: object }
  }
  assert.ok(info.title && info.version)
  assert.deepEqual(Object.keys(components.securitySchemes), ['bearer', 'apiKey'])
  for (const pointer of findRefs(document)) assert.notEqual(valueAt(document, pointer), undefined, pointer)
  for (const { operationId, path, method, parameters = [], requestBody } of operations) {
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    const declared = parameters.filter((one) => one.in === 'path')
    assert.deepEqual(declared.map(({ name }) => name).sort(), inPath.sort(), operationId)
    assert.ok(
      declared.every(({ required }) => required === true),
      operationId,
    )
    assert.equal(new Set(parameters.map((one) => `${one.in} ${one.name}`)).size, parameters.length, operationId)
    if (method === 'GET') assert.equal(requestBody, undefined, operationId)
  }
})

function findRefs(value: unknown): string[] {
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([name, inner]) => (name === '$ref' ? [String(inner)] : findRefs(inner)))
}

test("a problem's type links to the page of its code, which states the cause and the remedy", async () => {
  const { body } = await app.call('GET', '/users/status/nobody')
  assert.equal(body.type, `${app.service.url}/problems/user_not_found`)
  for (const [code, { cause, remedy }] of Object.entries(REFUSALS)) {
    const response = await fetchPatiently(new URL(`/problems/${code}`, app.service.url))
    const page = (await response.text()).replaceAll(/&#(\d+);/g, (_all, unit) => String.fromCharCode(Number(unit)))
    assert.ok(page.includes(cause) && page.includes(remedy), code)
  }
  assert.equal((await fetchPatiently(new URL('/problems/none', app.service.url))).status, 404)
  const list = await (await fetchPatiently(new URL('/problems', app.service.url))).text()
  for (const code of Object.keys(REFUSALS)) assert.ok(list.includes(`/problems/${code}"`), code)
})

// Time formats are checked in responses and examples. Other formats only constrain requests.
const TIMES = { 'date-time': isInstant, date: isDay }
const OTHERS = { email: true, uri: true, currency: true, printable: true, prose: true } as const
// Each validator runs once or twice, so optimizing it would cost more than it saves.
const code = { optimize: false }
const ajv = new Ajv2020({ strict: false, allErrors: true, code, formats: { ...TIMES, ...OTHERS } })

test("every pattern works in other languages' regex engines", () => {
  const patterns = [...JSON.stringify(document).matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g)].map(([, json = '""']) =>
    String(JSON.parse(json)),
  )
  assert.ok(patterns.length > 5)
  // Python, Go and other languages lack Unicode classes, lookaheads or both.
  assert.deepEqual(
    patterns.filter((pattern) => /\\p|\\u|\(\?[^:]/i.test(pattern)),
    [],
  )
})

test('every body and response has an example that is valid under its schema', () => {
  const unsaid: string[] = []
  for (const { operationId, requestBody, responses } of operations) {
    const shown = [requestBody?.content, responses['200']?.content].filter((content) => content !== undefined)
    for (const content of shown)
      for (const [mediaType, { schema, example = findExample(schema) }] of Object.entries(content)) {
        assert.notEqual(example, undefined, `${operationId} has no example of ${mediaType}`)
        const isOfElements = schema.example === undefined && example === findExample(schema)
        const validate = ajv.compile((isOfElements && schema.properties?.['content']?.items) || schema)
        assert.ok(validate(example), `${operationId}: ${ajv.errorsText(validate.errors)} in ${JSON.stringify(example)}`)
        unsaid.push(...timesWithoutFormat(schema, example, operationId))
      }
  }
  assert.deepEqual([...new Set(unsaid)], [])
})

/** Lists fields whose example is an instant or a day, but whose schema has neither a format nor a pattern. */
function timesWithoutFormat(schema: Schema, example: unknown, path = ''): string[] {
  const alternatives = [schema, ...(schema.anyOf ?? [])]
  if (typeof example === 'string') {
    const isTime = /^\d{4}-\d\d-\d\d(?:T|$)/.test(example)
    const isSaid = alternatives.some(({ format, pattern }) => format !== undefined || pattern !== undefined)
    return isTime && !isSaid ? [path] : []
  }
  if (typeof example !== 'object' || example === null) return []
  return Object.entries(example).flatMap(([name, value]) => {
    const members = alternatives.map(({ properties, items }) => (Array.isArray(example) ? items : properties?.[name]))
    const member = members.find((one) => one !== undefined)
    return member === undefined ? [] : timesWithoutFormat(member, value, `${path}.${name}`)
  })
}

/** Returns the example of the schema, or of a list's elements. */
function findExample({ example, properties }: Schema): unknown {
  return example ?? properties?.['content']?.items?.example
}

/** Returns the schema without additional properties, so that an undeclared field in a response fails validation. */
function closed(schema: unknown): unknown {
  if (schema === null || typeof schema !== 'object') return schema
  if (Array.isArray(schema)) return schema.map(closed)
  const inner = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, closed(value)]))
  return 'properties' in schema && !('additionalProperties' in schema)
    ? { ...inner, additionalProperties: false }
    : inner
}

test('real responses have exactly the declared fields', async () => {
  const checked = new Map<string, ValidateFunction>()
  const getValidator = ({ operationId, responses }: Operation): ValidateFunction => {
    const known = checked.get(operationId)
    if (known !== undefined) return known
    const validate = ajv.compile(closed(responses['200']?.content?.['application/json']?.schema) as object)
    checked.set(operationId, validate)
    return validate
  }
  const ask = async (operationId: string, address: string, body?: object) => {
    const operation = operations.find((one) => one.operationId === operationId)
    assert.ok(operation)
    const call = callFor(app, operation.row.scope)
    const answer = await call(operation.method, address, body)
    assert.equal(answer.status, 200, `${operationId}: ${JSON.stringify(answer.body)}`)
    const validate = getValidator(operation)
    assert.ok(
      validate(answer.body),
      `${operationId}: ${ajv.errorsText(validate.errors)} in ${JSON.stringify(answer.body)}`,
    )
    for (const name of Object.keys(operation.responses['200']?.headers ?? {}))
      assert.ok(name === 'Idempotency-Replayed' || answer.headers.has(name), `${operationId}: ${name}`)
    return answer.body
  }
  await tellStory(ask)
  await tellOfPeople(app, ask)
  await tellOfOperators(ask)
  const rest = operations.filter(({ operationId, row }) => row.scope !== 'open' && !checked.has(operationId))
  // These respond with files, which this test does not check.
  assert.deepEqual(rest.map(({ operationId }) => operationId).sort(), [
    'exportCatalog',
    'exportTransactions',
    'getPayoutFileContent',
  ])
})

// biome-ignore lint/suspicious/noExplicitAny: answers are checked against their schemas, which the compiler cannot know
type Ask = (operationId: string, address: string, body?: object) => Promise<any>

async function tellStory(ask: Ask): Promise<void> {
  const [user, bank] = ['shown', 'ins_109508']
  const url = 'http://127.0.0.1:9/hook'
  const { endpoint_id } = await ask('createWebhookEndpoint', '/webhooks/endpoints', { url })
  await ask('createUser', '/users', { publisher_user_id: user, email: 'a@example.com', attributes: { a: 1 } })
  await ask('changeUser', `/users/${user}`, { primary_zip_code: '10001' })
  await ask('acceptTerms', '/terms/accept', { publisher_user_id: user, tnc_id: app.tncId })
  for (const [id, address] of Object.entries({
    getTerms: '/terms',
    listCategories: '/publishers/categories',
    listBrands: `/publishers/brands?publisher_user_id=${user}`,
    getBrand: `/publishers/brands/brand-gadgets?publisher_user_id=${user}`,
    createLinkToken: `/linker/link-token/${user}`,
  }))
    await ask(id, address)
  await tellOfLinking(app, ask, user, bank)
  await ask('activateOffer', '/offers/offer-market/activate', { publisher_user_id: user })
  await ask('deactivateOffer', `/offers/offer-market/activate?publisher_user_id=${user}`)
  await ask('handOutVoucherCode', '/offers/offer-gadgets-code/voucher-code', { publisher_user_id: user })
  const purchase = { publisher_user_id: user, external_id: 'shown-1', brand_uid: 'brand-market', amount: 50 }
  for (const view of ['', '?view=user']) await ask('evaluateTransaction', `/transactions/evaluate${view}`, purchase)
  const { transaction_uid } = await ask('reportTransactions', '/transactions', purchase)
  await ask('reportTransactions', '/transactions', { transactions: [purchase, { ...purchase, amount: -1 }] })
  await ask('advanceSandboxClock', '/sandbox/clock', { advance_days: 40 })
  for (const [id, address] of Object.entries({
    listUsers: '/users',
    listUserStatus: '/users/status',
    getUser: `/users/${user}`,
    getUserStatus: `/users/status/${user}`,
    listTransactions: '/transactions',
    getTransaction: `/transactions/${transaction_uid}`,
    getDecision: `/transactions/${transaction_uid}/decision`,
    getRewardsSummary: `/rewards/summary/${user}`,
    listEvents: '/events?limit=100',
    listWebhookEndpoints: '/webhooks/endpoints',
    getWebhookEndpoint: `/webhooks/endpoints/${endpoint_id}`,
  }))
    await ask(id, address)
  await ask('getDecision', `/transactions/${transaction_uid}/decision?view=user`)
  for (const part of ['Events', 'Postings', 'Announcements'])
    await ask(`listTransaction${part}`, `/transactions/${transaction_uid}/${part.toLowerCase()}`)
  const deliveries = await ask('listWebhookDeliveries', '/webhooks/deliveries')
  await ask('listWebhookAttempts', `/webhooks/deliveries/${deliveries.content[0].delivery_id}/attempts`)
  await ask('replayWebhookDelivery', `/webhooks/deliveries/${deliveries.content[0].delivery_id}/replay`)
  await ask('replayWebhookRange', `/webhooks/endpoints/${endpoint_id}/replay`, { after: 0 })
  await ask('testWebhookEndpoint', `/webhooks/endpoints/${endpoint_id}/test`)
  await ask('rotateWebhookSecret', `/webhooks/endpoints/${endpoint_id}/rotate-secret`)
  await ask('enableWebhookEndpoint', `/webhooks/endpoints/${endpoint_id}/enable`)
  await ask('changeWebhookEndpoint', `/webhooks/endpoints/${endpoint_id}`, { description: 'The app' })
  const since = { since: new Date().toISOString() }
  await ask('recoverWebhookEndpoint', `/webhooks/endpoints/${endpoint_id}/recover`, since)
  await ask('deleteWebhookEndpoint', `/webhooks/endpoints/${endpoint_id}`)
  await ask('breakLogin', `/sandbox/links/${user}/${bank}/break`)
  await ask('unlinkInstitution', `/linker/access-token/${user}/${bank}`)
  await ask('deleteUser', `/users/${user}`)
  await ask('reactivateUser', `/users/${user}/reactivate`)
  await askRedemptions(ask)
  await ask('getOperator', '/operator/me')
  await ask('importCatalog', '/operator/catalog?dry_run=true', { brands: [{ category_id: 1, name: 'Shown' }] })
  const assortment = `/operator/publishers/${encodeId('pub', app.publisher.id)}/assortment`
  const offers = [{ offer_uid: 'offer-market', carried: true, fee: 1, share: 2, formatted_description: 'In own words' }]
  await ask('putAssortment', assortment, { offers, brands: [{ brand_uid: 'brand-gadgets', carried: false }] })
  await ask('getAssortment', assortment)
  await tellOfReviews(app, ask, user)
  await ask('listAudit', '/operator/audit')
  await askPostbacks(ask, user)
  await tellOfRefunds(app, ask)
  await askLedger(ask, user)
  await askFacts(ask)
}

async function askLedger(ask: Ask, user: string): Promise<void> {
  await ask('getUserStatement', `/users/${user}/statement`)
  const publisher_id = encodeId('pub', app.publisher.id)
  await ask('getTrialBalance', `/operator/trial-balance?publisher_id=${publisher_id}&by_owner=true`)
  const paid = { direction: 'received', party: 'advertiser', brand_uid: 'brand-market', amount: 5, currency: 'USD' }
  const value_date = new Date().toISOString().slice(0, 10)
  await ask('recordPayment', '/operator/payments', { ...paid, publisher_id, external_ref: 'shown', value_date })
  await ask('listPayments', '/operator/payments')
  await ask('closeMonth', '/operator/statements/close', { publisher_id, month: value_date.slice(0, 7) })
  const own = await ask('listStatements', '/statements')
  await ask('getStatement', `/statements/${own.content[0].statement_id}`)
  await askReports(ask)
  const { content } = await ask('listAllStatements', '/operator/statements')
  for (const { statement_id } of content) await ask('getAnyStatement', `/operator/statements/${statement_id}`)
  // Erasing a user deletes the files of all reports, so this comes last.
  await askToLeave(ask)
}

async function askReports(ask: Ask): Promise<void> {
  const ordered = await ask('orderReport', '/reports', { kind: 'users', day: '2026-01-01' })
  await eventually(async () => (await app.call('GET', `/reports/${ordered.report_id}`)).body.status === 'ready')
  await ask('getReport', `/reports/${ordered.report_id}`)
  await ask('listReports', '/reports')
  await ask('setReportSchedule', '/reports/schedules/users/month', { format: 'parquet' })
  await ask('listReportSchedules', '/reports/schedules')
  await ask('endReportSchedule', '/reports/schedules/users/month')
}

async function askToLeave(ask: Ask): Promise<void> {
  await app.call('POST', '/users', { publisher_user_id: 'user-who-leaves' })
  await ask('getUserArchive', '/users/user-who-leaves/archive')
  const erased = await ask('eraseUser', '/users/user-who-leaves/erase', { confirm: 'user-who-leaves' })
  await ask('getErasure', `/erasures/${erased.erasure_id}`)
}

async function askRedemptions(ask: Ask): Promise<void> {
  const user = 'redeemer'
  const publisher_id = encodeId('pub', app.publisher.id)
  const settings = { redemptionReviewAbove: 0n }
  await app.service.db.transaction(async (tx) => {
    await changeSettings(tx, app.publisher.id, settings)
    await setPayerAs(tx, systemClock, { name: 'Laurel', nacha: null, account: null }, toLocalActor('tests'))
  })
  await ask('createUser', '/users', { publisher_user_id: user })
  await ask('acceptTerms', '/terms/accept', { publisher_user_id: user, tnc_id: app.tncId })
  const purchase = { publisher_user_id: user, external_id: 'redeemed', source: 'GIFT_CARD', amount: 50 }
  await ask('reportTransactions', '/transactions', { ...purchase, offer_uid: 'offer-gadgets-gift' })
  await ask('advanceSandboxClock', '/sandbox/clock', { advance_days: 1 })
  const destination = `/users/${user}/payout-destination`
  await ask('setPayoutDestination', destination, { type: 'iban', holder_name: 'A', iban: 'DE89370400440532013000' })
  await ask('getPayoutDestination', destination)
  const redeem = async (method: string) =>
    (await ask('requestRedemption', '/redemptions', { publisher_user_id: user, amount: 0.5, method })).redemption_id
  const [own, filed, declined] = [await redeem('publisher'), await redeem('file'), await redeem('file')]
  await ask('listOpenRedemptions', '/operator/redemptions')
  for (const id of [own, filed]) await ask('approveRedemption', `/operator/redemptions/${id}/approve`)
  await ask('declineRedemption', `/operator/redemptions/${declined}/decline`, { reason: 'shown' })
  await ask('reportRedemptionOutcome', `/redemptions/${own}/outcome`, { status: 'paid' })
  const { file_id } = await ask('createPayoutFile', '/operator/payout-files', { publisher_id, format: 'csv' })
  const content = `reference,status\n${filed.slice(4).toUpperCase()},paid\n`
  await ask('answerPayoutFile', `/operator/payout-files/${file_id}/answers`, { content })
  await ask('settlePayoutFile', `/operator/payout-files/${file_id}/settle`)
  await ask('listPayoutFiles', '/operator/payout-files')
  await ask('cancelRedemption', `/redemptions/${await redeem('file')}/cancel`)
  await ask('getRedemption', `/redemptions/${own}`)
  await ask('listRedemptions', '/redemptions')
  await ask('removePayoutDestination', destination)
  await askAdjustments(ask, { publisher_id, publisher_user_id: user })
  await askClaims(ask, user)
  await askGiftCards(ask, user)
}

async function askAdjustments(ask: Ask, who: object): Promise<void> {
  const other = await app.staff('finance')
  const adjusted = { ...who, kind: 'goodwill', amount: 500, reason: 'shown' }
  const propose = async () => (await other('POST', '/operator/adjustments', adjusted)).body.adjustment_id
  await ask('proposeAdjustment', '/operator/adjustments', { ...adjusted, amount: 5 })
  await ask('bookAdjustment', `/operator/adjustments/${await propose()}/book`)
  await ask('declineAdjustment', `/operator/adjustments/${await propose()}/decline`)
  await ask('listAdjustments', '/operator/adjustments')
}

async function askClaims(ask: Ask, user: string): Promise<void> {
  const { content } = await ask('listTransactions', `/transactions?publisher_user_id=${user}`)
  const about = { publisher_user_id: user, kind: 'incorrect', transaction_uid: content[0].transaction_uid, amount: 5 }
  const open = async (external_ref: string) =>
    (await ask('openClaim', '/claims', { ...about, external_ref, evidence: 'shown' })).claim_id
  const [granted, adjusted, declined, withdrawn] = [await open('1'), await open('2'), await open('3'), await open('4')]
  await ask('addClaimNote', `/claims/${granted}/notes`, { text: 'shown' })
  await ask('addOperatorClaimNote', `/operator/claims/${granted}/notes`, { text: 'shown' })
  await ask('getAnyClaim', `/operator/claims/${granted}`)
  await ask('getClaim', `/claims/${granted}`)
  const event = { source: 'GIFT_CARD', external_id: 'claimed', offer_uid: 'offer-gadgets-gift', amount: 50 }
  await ask('grantClaim', `/operator/claims/${granted}/grant`, { event })
  const adjustment = { kind: 'goodwill', amount: 500, reason: 'shown' }
  await ask('grantClaim', `/operator/claims/${adjusted}/grant`, { adjustment })
  await ask('declineClaim', `/operator/claims/${declined}/decline`, { reason: 'other', text: 'shown' })
  await ask('withdrawClaim', `/claims/${withdrawn}/withdraw`)
  await ask('listClaims', '/claims')
  await ask('listAllClaims', '/operator/claims')
  await ask('getDesk', '/operator/desk')
  await ask('listPublishers', '/operator/publishers')
}

/** Reports two sales with an unknown sub-ID, one of which can be credited to the user's earlier click. */
async function askPostbacks(ask: Ask, user: string): Promise<void> {
  const { db, vault } = app.service
  const secret = 'a-secret-of-the-network'
  const click = { userId: toUserId(app.publisher.id, user), clickId: randomUUID(), offerUid: 'offer-gadgets-link' }
  await db.transaction(async (tx) => {
    await setNetworkSecret(tx, vault, 'default', secret, new Date())
    const subId = click.clickId.replaceAll('-', '')
    await insertClick(tx, app.publisher.id, { ...click, subId, network: 'default', clickedAt: new Date() })
  })
  for (const order_id of ['1', '2']) {
    const sale = new URLSearchParams({
      secret,
      sub_id: 'cut',
      order_id,
      amount: '5',
      status: 'approved',
      commission: '1',
    })
    assert.equal((await fetchPatiently(new URL(`/postbacks/default?${sale}`, app.service.url))).status, 200)
  }
  const { content } = await ask('listUnknownPostbacks', '/operator/postbacks/unknown')
  const [one, other] = content.map(({ postback_id }: { postback_id: string }) => postback_id)
  const publisher_id = encodeId('pub', app.publisher.id)
  const assigned = { publisher_id, publisher_user_id: user, offer_uid: click.offerUid, reason: 'a receipt' }
  await ask('assignPostback', `/operator/postbacks/${one}/assign`, assigned)
  await ask('dismissPostback', `/operator/postbacks/${other}/dismiss`, { reason: 'no receipt' })
}

async function askGiftCards(ask: Ask, user: string): Promise<void> {
  const cards = {
    publisher_user_id: user,
    offer_uid: 'offer-gadgets-gift',
    items: [{ denomination: 25, quantity: 1 }],
  }
  await ask('quoteGiftCards', '/gift-cards/quotes', cards)
  const { order_id } = await ask('orderGiftCards', '/gift-cards/orders', { ...cards, external_ref: 'shown' })
  const address = `/gift-cards/orders/${order_id}`
  await eventually(async () => (await app.call('GET', address)).body.status === 'delivered')
  const order = await ask('getGiftCardOrder', `/gift-cards/orders/${order_id}`)
  await ask('listGiftCardOrders', '/gift-cards/orders')
  const { card_id } = order.cards[0]
  await ask('getGiftCardBalance', `/gift-cards/${card_id}/balance`)
  await ask('revealGiftCard', `/gift-cards/${card_id}/reveal`)
  await ask('allowGiftCardReveal', `/operator/gift-cards/${card_id}/allow-reveal`, { reason: 'shown' })
  await ask('refundGiftCard', `/gift-cards/${card_id}/refund`)
  await askUndecided(ask, cards)
  await ask('listVoucherCodes', `/users/${user}/voucher-codes`)
  await ask('getVoucherPools', '/operator/voucher-pools/offer-gadgets-code')
}

/** Places an order that stays undecided for two hours. A person ends it, and then the supplier delivers. */
async function askUndecided(ask: Ask, cards: object): Promise<void> {
  await atSimulator(app, '/_sim/gift-cards/next', { orders: 1, outcome: 'delayed' })
  const { order_id } = (await app.call('POST', '/gift-cards/orders', { ...cards, external_ref: 'undecided' })).body
  await app.owner.reader`update gift_card_queue set queued_at = now() - interval '2 hours'`
  const address = `/gift-cards/orders/${order_id}`
  const told = async () => (await ask('listUndecidedOrders', '/operator/gift-cards/undecided')).content[0]
  await eventually(async () => (await told()).supplier_order_id !== null)
  await ask('endGiftCardOrder', `/operator${address}/end`, { reason: 'shown' })
  await app.call('POST', '/sandbox/clock', { advance_days: 2 })
  const found = await ask('listContradictions', '/operator/contradictions')
  await ask('acknowledgeContradiction', `/operator/contradictions/${found.content[0].contradiction_id}/acknowledge`, {
    note: 'shown',
  })
}

async function askFacts(ask: Ask): Promise<void> {
  await app.owner.reader`
    insert into facts (publisher_id, name, payload, attempts, due_at, error, failed_at)
    values (${app.publisher.id}, 'thing.shown', '{"thing": "1"}', 20, 'infinity', 'It is only shown.', now())`
  const { content: failed } = await ask('listFailedFacts', '/operator/facts/failed')
  await ask('retryFailedFact', `/operator/facts/${failed[0].fact_id}/retry`)
}

test('every operation, parameter and field has a description, and no description is unused', () => {
  const seen = new Set<string>()
  const lacking: string[] = []
  const look = (part: unknown, where: string): void => {
    if (Array.isArray(part)) for (const inner of part) look(inner, where)
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return
    for (const [name, inner] of Object.entries(part)) {
      if (name === 'example' || name === 'examples') continue
      if (name === 'properties')
        for (const [member, schema] of Object.entries<object>(inner)) note(schema, `${where}.${member}`)
      look(inner, name === 'properties' ? where : `${where}${SILENT.has(name) ? '' : `.${name}`}`)
    }
  }
  const note = (part: object, where: string): void => {
    const description = findDescription(part)
    if (description === null) lacking.push(where)
    else seen.add(description)
  }
  for (const operation of Object.values(dereference(document)['paths'] as object).flatMap(Object.values)) {
    note(operation, operation.operationId)
    for (const parameter of operation.parameters ?? []) note(parameter, `${operation.operationId} ${parameter.name}`)
    look(operation, operation.operationId)
  }
  assert.deepEqual(lacking, [])
  assert.deepEqual(
    Object.values(DESCRIPTIONS).filter((word) => !seen.has(word)),
    [],
  )
})

const SILENT = new Set(['items', 'anyOf', 'schema', 'content', 'application/json'])
