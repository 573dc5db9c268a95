import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { type Answer, CATALOG, fetchPatiently, startTestApp, type TestApp } from '../../../test/support/app.ts'
import { eventually } from '../../../test/support/eventually.ts'
import { CHECKING, openRedeemer, type Redeemer } from '../../../test/support/redemptions.ts'
import { differencesIn } from '../../../test/support/reward-world.ts'
import { close } from '../../../test/support/settlement-world.ts'
import { verifyStatements } from '../../books/statements/index.ts'
import { importCodes } from '../../catalog/allowances/index.ts'
import { parseRedemptionId } from '../../payouts/redemptions/index.ts'
import { applyOutcomes } from '../../payouts/redemptions/outcomes.ts'
import { dropOld } from '../../platform/db/retention.ts'
import { encodeId, toUserId } from '../../platform/ids.ts'
import { toCanonicalJson } from '../../platform/text/canonical-json.ts'
import { setNetworkSecret } from '../../sources/affiliate/index.ts'
import { retainedAnswers } from '../../tenants/access/index.ts'
import { audit, toLocalActor } from '../../tenants/accounts/index.ts'

// Gives a user data in almost every table, using words that appear nowhere else. After the erasure, the entire database
// is searched for these words.

const SECRET = 'a-secret-of-the-network'
const POOL = 'offer-gadgets-pool'
const WITH_POOL = {
  ...CATALOG,
  brands: CATALOG.brands.map((brand) =>
    brand.brand_uid !== 'brand-gadgets'
      ? brand
      : {
          ...brand,
          offers: [
            ...brand.offers,
            {
              offer_uid: POOL,
              name: 'Codes',
              description: '$3 off',
              offer_type: 'VOUCHER_CODE',
              reward_type: 'CASHBACK_DOLLAR',
              commission: { amount: 3 },
              refund_period_days: 5,
              min_spend: 10,
              terms_and_conditions: 'Sample.',
              unique_codes: true,
            },
          ],
        },
  ),
}

const words = new Map<string, string>()
/** Returns the unique word that marks one piece of the user's data. */
function word(what: string): string {
  const known = words.get(what) ?? `${what}q${randomBytes(5).toString('hex')}`
  words.set(what, known)
  return known
}

let app: TestApp
let redeemer: Redeemer
let user: string
let order = ''
let subId = ''
let redemptionId = ''
let erasure: Answer['body']
let before_: { balances: object; feed: number }
const answers = createServer(async (request, reply) => {
  const isOfUser = (await text(request)).includes(user)
  reply.end(isOfUser ? word('answered') : 'ok')
})

before(async () => {
  await new Promise<void>((resolve) => answers.listen(0, '127.0.0.1', resolve))
  app = await startTestApp()
  await app.catalog(WITH_POOL)
  const { db, vault } = app.service
  await db.transaction((tx) => setNetworkSecret(tx, vault, 'default', SECRET, new Date()))
  const codes = { offerUid: POOL, environment: 'sandbox' as const }
  await db.transaction((tx) => importCodes(tx, vault, codes, [{ code: word('CODE'), expiresOn: null }], new Date()))
  redeemer = await openRedeemer(app)
  user = word('user')
  await live()
})
after(async () => {
  await app.close()
  answers.close()
})

async function ask(method: string, path: string, body?: object, headers: Record<string, string> = {}) {
  const answer = await redeemer.call(method, path, body, headers)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  return answer.body
}

/** Gives the user an account with a passkey, email notifications and a pending address change. */
async function signUp(): Promise<void> {
  const { reader } = app.owner
  const [publisherId, userId] = [redeemer.publisher.id, toUserId(redeemer.publisher.id, user)]
  const email = `${word('address')}@example.com`
  await reader`
    insert into accounts (account_id, kind, publisher_id, user_id, email, name, created_at)
    values (gen_random_uuid(), 'user', ${publisherId}, ${userId}, ${email}, 'A user of a portal', now())`
  await reader`
    insert into passkeys (passkey_id, account_id, credential_id, public_key, sign_count, transports, name, created_at)
    select gen_random_uuid(), account_id, ${word('credential')}, 'AAAA', 0, '{}', ${word('device')}, now()
    from accounts where email = ${email}`
  await reader`
    insert into user_sign_ups (user_id, publisher_id, email, expires_at)
    values (${userId}, ${publisherId}, ${email}, 'infinity')`
  await reader`
    insert into user_mails (mail_id, publisher_id, user_id, kind, email, language, queued_at, due_at)
    values (gen_random_uuid(), ${publisherId}, ${userId}, 'changed', ${email}, 'en', now(), 'infinity')`
  await reader`
    insert into user_mail_preferences (user_id, kind, publisher_id, language)
    values (${userId}, 'card_broken', ${publisherId}, 'en')`
}

/** Simulates everything that a user can do. */
async function live(): Promise<void> {
  const { port } = answers.address() as AddressInfo
  await ask('POST', '/webhooks/endpoints', { url: `http://127.0.0.1:${port}/` })
  await redeemer.user(user, 6)
  const known = { email: `${word('mail')}@example.com`, attributes: { likes: word('attribute') } }
  await ask('PATCH', `/users/${user}`, known)
  // Operators act on the publisher's behalf, which the audit log records.
  const acting = { 'Laurel-Publisher': encodeId('pub', redeemer.publisher.id) }
  assert.equal((await app.operator('PATCH', `/users/${user}`, known, acting)).status, 200)
  const said = { agreed: true, wording: `${word('wording')}, may we write to you?`, language: 'en' }
  await ask('POST', `/users/${user}/marketing-choices`, said)
  await signUp()
  await linkCard()
  await buyThroughNetwork()
  const codeOfUser = await ask('POST', `/offers/${POOL}/voucher-code`, { publisher_user_id: user })
  assert.equal(codeOfUser.voucher_code, words.get('CODE'))
  const cards = { offer_uid: 'offer-gadgets-gift', items: [{ denomination: 25, quantity: 1 }] }
  const body = { publisher_user_id: user, external_ref: word('basket'), ...cards }
  const ordered = await ask('POST', '/gift-cards/orders', body, { 'Idempotency-Key': word('key') })
  await redeemer.days(1)
  await ask('POST', `/gift-cards/${ordered.cards[0].card_id}/reveal`)
  const account = { ...CHECKING, holder_name: word('Holder'), account_number: '440012300' }
  await ask('PUT', `/users/${user}/payout-destination`, account)
  redemptionId = (
    await ask('POST', '/redemptions', {
      publisher_user_id: user,
      method: 'simulated',
      amount: 4,
      external_ref: word('payout'),
    })
  ).redemption_id
  const given = { publisher_id: encodeId('pub', redeemer.publisher.id), publisher_user_id: user, kind: 'goodwill' }
  const adjusted = { ...given, amount: 5, reason: word('reason'), external_ref: word('ticket') }
  assert.equal((await app.operator('POST', '/operator/adjustments', adjusted)).status, 200)
  await reportPurchases()
  const claim = await ask('POST', '/claims', {
    publisher_user_id: user,
    external_ref: word('claim'),
    kind: 'missing',
    opened_by: 'user',
    amount: 50,
    brand_uid: 'brand-gadgets',
    order_id: word('claimed'),
    merchant: word('Seller'),
    evidence: word('Evidence'),
  })
  await contradict(redemptionId, 'Said', 'wire')
  const { content } = (await app.operator('GET', '/operator/contradictions')).body
  const seen = { note: word('Note') }
  const path = `/operator/contradictions/${content[0].contradiction_id}/acknowledge`
  assert.equal((await app.operator('POST', path, seen)).status, 200)
  await auditDecisions()
  await dismissRefund()
  const declined = { reason: 'no_purchase_found', text: word('Declined') }
  assert.equal((await app.operator('POST', `/operator/claims/${claim.claim_id}/decline`, declined)).status, 200)
}

/** Makes the bank report a contradictory payout status. */
async function contradict(redemptionUid: string, said: string, wire: string): Promise<void> {
  const report = { redemptionId: parseRedemptionId(redemptionUid), outcome: 'returned', code: 'R03' } as const
  await app.service.db.transaction((tx) =>
    applyOutcomes(tx, redeemer.publisher, [{ ...report, text: word(said), reference: word(wire) }], 'bank', new Date()),
  )
}

/** Records operators' decisions and their reasons the way the commands do. */
async function auditDecisions(): Promise<void> {
  const { reader } = app.owner
  const userId = toUserId(redeemer.publisher.id, user)
  const [[order_], [refund]] = [
    await reader<{ id: string }[]>`select order_id as id from gift_card_orders where user_id = ${userId}`,
    await reader<{ id: string }[]>`select transaction_id as id from transactions where user_id = ${userId}`,
  ]
  const by = toLocalActor('somebody')
  await app.service.db.transaction(async (tx) => {
    const ended = { subject: encodeId('gco', order_?.id ?? ''), after: { reason: word('Ended') } }
    await audit(tx, { actor: by, action: 'gift_card_order.ended', ...ended }, new Date())
    const dismissed = { subject: encodeId('txn', refund?.id ?? ''), after: { reason: word('Dismissed') } }
    await audit(tx, { actor: by, action: 'refund.dismissed', ...dismissed }, new Date())
  })
}

/** Dismisses an unmatched refund on a linked card, identified by the provider's ID. */
async function dismissRefund(): Promise<void> {
  const row = word('refund')
  await app.owner.reader`
    insert into feed_rows (user_id, row_id, publisher_id, link_id, generation, external_id, handed_as, amount, peak_amount,
      currency, bought_on, occurred_at, content_hash, is_orphan)
    select user_id, ${row}, publisher_id, link_id, 1, ${row}, 'REFUND', 500, 500, 'USD', current_date, now(), '', true
    from links where user_id = ${toUserId(redeemer.publisher.id, user)}`
  const dismissed = await app.operator('POST', `/operator/refunds/${row}/dismiss`, { reason: word('Unmatched') })
  assert.equal(dismissed.status, 200, JSON.stringify(dismissed.body))
}

async function atSimulator(path: string, body: object) {
  const answer = await fetch(`${app.simulatorUrl}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'PLAID-CLIENT-ID': 'laurel', 'PLAID-SECRET': 'laurel' },
    body: JSON.stringify(body),
  })
  const said = await answer.text()
  assert.equal(answer.status, 200, said)
  return JSON.parse(said)
}

async function linkCard(): Promise<void> {
  const { public_token } = await atSimulator('/sandbox/public_token/create', {
    institution_id: 'ins_109508',
    initial_products: ['transactions'],
    options: { override_username: 'user_plain', override_password: 'pass_good' },
  })
  const body = { public_token, institution_id: 'ins_109508', institution_name: 'Bank' }
  const { linked_cards } = await ask('POST', `/linker/public-token/${user}`, body)
  words.set('account', linked_cards[0].account_id)
  const answer = await fetch(`${app.simulatorUrl}/_sim/items`)
  const { items } = (await answer.json()) as { items: { item_id: string }[] }
  const item_id = items.at(-1)?.item_id
  await redeemer.days(1)
  const merchant = `Corner Market ${word('till')}`
  const bought = await atSimulator('/_sim/purchases', { item_id, merchant, amount: 40 })
  words.set('row', bought.transaction_id ?? bought.transactions?.[0]?.transaction_id ?? word('row'))
  await redeemer.days(3)
}

const purchase = (external: string, amount: number) => ({
  publisher_user_id: user,
  source: 'GIFT_CARD',
  external_id: external,
  amount,
  offer_uid: 'offer-gadgets-gift',
})

async function reportPurchases(): Promise<void> {
  await ask('POST', '/transactions', {
    ...purchase(word('held'), 50),
    kind: 'AUTHORIZATION',
    merchant_descriptor: `CRNR MKT ${word('DESCRIPTOR')}`,
    merchant_name: word('Merchant'),
    street: word('Street'),
    city: word('City'),
    store_number: word('s'),
    order_id: word('order'),
    account_id: word('acct'),
    website: `https://${word('site').toLowerCase()}.example`,
  })
  await ask('POST', '/transactions', { ...purchase(word('bought'), 25), kind: 'CLEARING' })
}

const post = (report: object) =>
  app.call('POST', '/postbacks/default', report, { 'X-Postback-Secret': SECRET, Authorization: '' })

async function buyThroughNetwork(): Promise<void> {
  const [brand] = await ask('GET', `/publishers/brands/brand-gadgets?publisher_user_id=${user}`)
  const offer = brand.offers.find((one: { offer_types: string }) => one.offer_types === 'AFFILIATE')
  const { headers } = await fetchPatiently(offer.tracking_url, { redirect: 'manual' })
  subId = new URL(headers.get('location') ?? '').searchParams.get('sub') ?? ''
  order = word('sale')
  const { status, body } = await post(sale('pending', 100))
  assert.equal(status, 200, JSON.stringify(body))
  await redeemer.days(1)
}

const sale = (status: string, amount: number) => ({
  sub_id: subId,
  order_id: order,
  amount: String(amount),
  currency: 'USD',
  status,
})

/** Dumps every row of the database as text, prefixed with the name of its table. */
async function dump(): Promise<string[]> {
  const { reader } = app.owner
  const tables = await reader<{ name: string }[]>`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by relname`
  const lines: string[] = []
  for (const { name } of tables) {
    const rows = await reader<{ line: string }[]>`select t::text as line from ${reader(name)} t`
    lines.push(...rows.map(({ line }) => `${name} ${line}`))
  }
  return lines
}

async function found(): Promise<string[]> {
  const lines = await dump()
  return [...words].flatMap(([what, mark]) => {
    const hex = Buffer.from(mark).toString('hex')
    const places = lines.filter((line) => line.toLowerCase().includes(mark.toLowerCase()) || line.includes(hex))
    return places.map((line) => `${what} in ${line.slice(0, 200)}`)
  })
}

async function feed(): Promise<{ sequence: number; type: string; data: Record<string, unknown>; previous: unknown }[]> {
  const events = []
  for (let next = 0; ; ) {
    const page = await ask('GET', `/events?after=${next}&limit=100`)
    if (page.content.length === 0) return events
    events.push(...page.content)
    next = page.next_after
  }
}

const svcUserId = () => encodeId('usr', toUserId(redeemer.publisher.id, user))

/** Lists the differences found in the books. */
async function differences() {
  return [
    ...(await differencesIn(app.service.db, [redeemer.publisher])),
    ...(await app.service.db.snapshot(verifyStatements)).differences,
  ]
}

test('an archive has the data of the user, but no codes or account numbers, as JSON or as CSV', async () => {
  const { sections } = await ask('GET', `/users/${user}/archive`)
  const empty = Object.keys(sections).filter((name) => sections[name].length === 0)
  assert.deepEqual(empty, ['deactivations', 'activations'])
  const archived = JSON.stringify(sections)
  for (const what of [
    'mail',
    'attribute',
    'wording',
    'DESCRIPTOR',
    'Street',
    'sale',
    'basket',
    'payout',
    'reason',
    'ticket',
  ])
    assert(archived.includes(word(what)), what)
  for (const what of ['CODE', 'Holder', '440012300']) assert(!archived.includes(words.get(what) ?? what), what)
  const csv = await redeemer.call('GET', `/users/${user}/archive?format=csv`)
  assert.match(csv.headers.get('content-type') ?? '', /^text\/csv/)
  assert.match(csv.body, new RegExp(`\r\nsection,user\r\n[a-z_,]+\r\n[^\r]*${word('mail')}@example.com`))
  const { call } = await app.tenant()
  assert.equal((await call('GET', `/users/${user}/archive`)).status, 404)
})

test('an erasure must be confirmed with the identifier and is rejected if redemptions or orders are open', async () => {
  const unsure = await redeemer.call('POST', `/users/${user}/erase`, { confirm: 'somebody' })
  assert.deepEqual([unsure.status, unsure.body.code], [400, 'erasure_unconfirmed'])
  const early = await redeemer.call('POST', `/users/${user}/erase`, { confirm: user })
  assert.deepEqual([early.status, early.body.code], [409, 'redemption_under_way'])
  assert.equal((await ask('GET', `/users/${user}`)).account_status, 'ACTIVE')
  await redeemer.days(5)
  assert.equal(await redeemer.readStatus(redemptionId), 'paid')
  // The supplier takes a day to deliver this denomination.
  const order_ = { offer_uid: 'offer-gadgets-gift', items: [{ denomination: 25.03, quantity: 1 }] }
  await redeemer.user('other', 0)
  await ask('POST', '/gift-cards/orders', { publisher_user_id: 'other', external_ref: 'x', ...order_ })
  const waiting = await redeemer.call('POST', '/users/other/erase', { confirm: 'other' })
  assert.deepEqual([waiting.status, waiting.body.code], [409, 'order_under_way'])
  await redeemer.days(1)
})

test('an erasure leaves no trace of the user in the database and keeps the books and the feed intact', async () => {
  await close(app, new Date().toISOString().slice(0, 7), redeemer)
  assert.deepEqual(await differences(), [])
  before_ = { balances: await redeemer.balances(user), feed: (await feed()).length }
  const places = new Set((await found()).map((place) => place.split(' in ')[0]))
  const sealed = ['CODE', 'Holder']
  assert.deepEqual(
    [...words.keys()].filter((what) => !places.has(what)),
    sealed,
    'the search finds what is there',
  )
  // Listing brands caches the user in memory. The erasure must clear that cache too.
  assert.equal((await redeemer.call('GET', `/publishers/brands?publisher_user_id=${user}`)).status, 200)
  const { headers, ...asked } = await redeemer.call('POST', `/users/${user}/erase`, { confirm: user })
  assert.equal(asked.status, 200, JSON.stringify(asked.body))
  assert.equal(asked.body.remaining.available_cashback, (before_.balances as { available: number }).available)
  await eventually(async () => {
    await ask('POST', '/sandbox/clock', { advance_seconds: 1 })
    erasure = await ask('GET', `/erasures/${asked.body.erasure_id}`)
    return erasure.status === 'done'
  })
  // Responses to idempotent requests are stored for a day.
  await dropOld(app.service.db, retainedAnswers, new Date(Date.now() + 2 * 86_400_000))
  assert.deepEqual(await found(), [])
  assert.deepEqual(await differences(), [])
  const [kept] = (await app.owner.reader`
    select available::float8 / 100 as available from user_balances where user_id = ${toUserId(redeemer.publisher.id, user)}
  `) as unknown as { available: number }[]
  assert.equal(kept?.available, (before_.balances as { available: number }).available)
})

test('events about an erased user keep their sequence numbers but no data except the user ID', async () => {
  const events = await feed()
  assert(events.length > before_.feed)
  assert.deepEqual(
    events.map(({ sequence }) => sequence),
    events.map((_, index) => index + 1),
  )
  const id = svcUserId()
  const own = events.filter(({ data }) => data['svc_user_id'] === id)
  assert(own.length > 10)
  const told = own.filter(({ type }) => type !== 'user.erased')
  for (const { data, previous } of told) assert.deepEqual([data, previous], [{ svc_user_id: id, erased: true }, null])
  assert.equal(own.length - told.length, 1)
})

test('the proof of an erasure can be recomputed and is visible only to its publisher', async () => {
  const { erasure_id, svc_user_id, pseudonym, requested_at, requested_by, done_at, counts, sha256 } = erasure
  const proof = toCanonicalJson({ erasure_id, svc_user_id, pseudonym, requested_at, requested_by, done_at, counts })
  assert.equal(createHash('sha256').update(proof).digest('hex'), sha256)
  for (const table of [
    'users',
    'source_events',
    'transactions',
    'cards',
    'postbacks',
    'events',
    'adjustments',
    'audit_log',
  ])
    assert(counts[table] > 0, table)
  const { call } = await app.tenant()
  assert.equal((await call('GET', `/erasures/${erasure_id}`)).body.code, 'erasure_not_found')
  assert.equal((await call('POST', `/users/${user}/erase`, { confirm: user })).body.code, 'user_not_found')
  assert.equal((await redeemer.call('GET', '/erasures/era_nothing')).status, 404)
})

test('a repeated erasure request returns the first erasure, and the identifier cannot be used again', async () => {
  const again = await ask('POST', `/users/${user}/erase`, { confirm: user })
  assert.deepEqual(again, erasure)
  const brands = `/publishers/brands?publisher_user_id=${user}`
  for (const path of [brands, `/users/${user}`, `/users/${user}/archive`, `/users/${erasure.pseudonym}`])
    assert.equal((await redeemer.call('GET', path)).body.code, 'user_not_found', path)
  const anew = await redeemer.call('POST', '/users', { publisher_user_id: user })
  assert.deepEqual([anew.status, anew.body.code], [409, 'user_erased'])
  assert.equal((await redeemer.call('POST', `/users/${user}/reactivate`)).status, 404)
})

test('late reports are booked without storing anything that identifies the erased user', async () => {
  const cleared = { ...purchase(word('late'), 25), kind: 'CLEARING', original_external_id: words.get('held') }
  const booked = await ask('POST', '/transactions', { ...cleared, merchant_name: word('LateShop') })
  assert.deepEqual(await ask('POST', '/transactions', { ...cleared, merchant_name: 'Another' }), booked)
  assert.equal((await post(sale('approved', 80))).status, 200)
  assert.equal((await post(sale('approved', 80))).status, 200)
  await contradict(redemptionId, 'Back', 'back_wire')
  assert.equal(await redeemer.readStatus(redemptionId), 'returned')
  await redeemer.days(1)
  const { reader } = app.owner
  const userId = toUserId(redeemer.publisher.id, user)
  const rows = await reader<{ source: string; amount: number; cashback: number; merchant: string | null }[]>`
    select source, amount::float8 as amount, user_amount::float8 as cashback, merchant_name as merchant
    from transactions where user_id = ${userId} and adjusts is null and order_id is not null
    order by amount`
  assert.deepEqual(
    [...rows],
    [
      { source: 'GIFT_CARD', amount: 2500, cashback: 100, merchant: null },
      { source: 'AFFILIATE', amount: 8000, cashback: 640, merchant: null },
    ],
  )
  await dropOld(app.service.db, retainedAnswers, new Date(Date.now() + 2 * 86_400_000))
  assert.deepEqual(await found(), [])
  assert.deepEqual(await differences(), [])
})

test('a purchase first reported after the erasure is booked and earns nothing', async () => {
  const fresh = { ...purchase(word('fresh'), 50), kind: 'CLEARING', merchant_name: word('Fresh') }
  const { user_cashback } = await ask('POST', '/transactions', fresh)
  assert.equal(user_cashback, 0)
  assert.deepEqual(await found(), [])
  assert.deepEqual(await differences(), [])
})

test('the proof of an erasure requested by an operator includes that operator', async () => {
  assert.equal((await redeemer.call('POST', '/users', { publisher_user_id: 'another' })).status, 200)
  const acting = { 'Laurel-Publisher': encodeId('pub', redeemer.publisher.id) }
  const { body } = await app.operator('POST', '/users/another/erase', { confirm: 'another' }, acting)
  assert.match(body.requested_by, /^opr_/)
})
