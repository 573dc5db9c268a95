import assert from 'node:assert/strict'
import { encodeId } from '../../src/platform/ids.ts'
import { createCarrier } from '../../src/platform/vault/index.ts'
import { CATALOG, type Call, fetchPatiently, type Tenant, type TestApp } from './app.ts'
import { eventually } from './eventually.ts'
import { CHECKING, type Redeemer } from './redemptions.ts'

// User activity at a publisher that is about to be moved.

export const SECRET = 'a-secret-of-the-network'
export const POOL = 'offer-gadgets-pool'
const pool = {
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
}
export const WITH_POOL = {
  ...CATALOG,
  brands: CATALOG.brands.map((brand) =>
    brand.brand_uid === 'brand-gadgets' ? { ...brand, offers: [...brand.offers, pool] } : brand,
  ),
}
/** The catalog of the other installation, with a different version of one offer and without gadgets. */
export const THEIR_CATALOG = {
  ...CATALOG,
  brands: CATALOG.brands
    .filter(({ brand_uid }) => brand_uid === 'brand-market')
    .map((brand) => ({ ...brand, offers: brand.offers.map((offer) => ({ ...offer, name: 'Their 5%' })) })),
}

export async function ask(call: Call, method: string, path: string, body?: object) {
  const answer = await call(method, path, body)
  assert.equal(answer.status, 200, `${path} ${JSON.stringify(answer.body)}`)
  return answer.body
}

export async function atSimulator({ simulatorUrl }: TestApp, path: string, body: object) {
  const answer = await fetch(`${simulatorUrl}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'PLAID-CLIENT-ID': 'laurel', 'PLAID-SECRET': 'laurel' },
    body: JSON.stringify(body),
  })
  const said = await answer.text()
  assert.equal(answer.status, 200, said)
  return JSON.parse(said)
}

async function newestItem({ simulatorUrl }: TestApp): Promise<string> {
  const answer = await fetch(`${simulatorUrl}/_sim/items`)
  const { items } = (await answer.json()) as { items: { item_id: string }[] }
  return items.at(-1)?.item_id ?? ''
}

/** Links the user's card and buys with it. Returns the login on the simulator. */
export async function linkCard(app: TestApp, redeemer: Redeemer, user: string): Promise<string> {
  const { public_token } = await atSimulator(app, '/sandbox/public_token/create', {
    institution_id: 'ins_109508',
    initial_products: ['transactions'],
    options: { override_username: 'user_plain', override_password: 'pass_good' },
  })
  const body = { public_token, institution_id: 'ins_109508', institution_name: 'Bank' }
  await ask(redeemer.call, 'POST', `/linker/public-token/${user}`, body)
  const item_id = await newestItem(app)
  await redeemer.days(1)
  await atSimulator(app, '/_sim/purchases', { item_id, merchant: 'Corner Market 12', amount: 40 })
  await redeemer.days(3)
  return item_id
}

/** Follows the user's tracking link and makes the network report a sale. */
export async function buyThroughNetwork(app: TestApp, redeemer: Redeemer, user: string): Promise<void> {
  const [brand] = await ask(redeemer.call, 'GET', `/publishers/brands/brand-gadgets?publisher_user_id=${user}`)
  const offer = brand.offers.find((one: { offer_types: string }) => one.offer_types === 'AFFILIATE')
  const { headers } = await fetchPatiently(offer.tracking_url, { redirect: 'manual' })
  const sub_id = new URL(headers.get('location') ?? '').searchParams.get('sub') ?? ''
  const report = { sub_id, order_id: 'sale-1', amount: '100', currency: 'USD', status: 'pending' }
  const secret = { 'X-Postback-Secret': SECRET, Authorization: '' }
  assert.equal((await app.call('POST', '/postbacks/default', report, secret)).status, 200)
  await redeemer.days(1)
}

/** Creates redemptions in every state for a user who has 8 to redeem. */
export async function redeemInAllStates(app: TestApp, { call, publisher }: Redeemer): Promise<void> {
  await ask(call, 'PUT', '/users/bob/payout-destination', CHECKING)
  const redeem = async (amount: number, more = {}) =>
    (await ask(call, 'POST', '/redemptions', { publisher_user_id: 'bob', method: 'publisher', amount, ...more }))
      .redemption_id
  const outcome = (id: string, status: string) => ask(call, 'POST', `/redemptions/${id}/outcome`, { status })
  await outcome(await redeem(1), 'paid')
  await outcome(await redeem(1), 'failed')
  const returned = await redeem(1)
  await outcome(returned, 'paid')
  await outcome(returned, 'returned')
  await redeem(1, { external_ref: 'sent' })
  await redeem(1, { method: 'file', external_ref: 'approved' })
  await redeem(2, { external_ref: 'requested' })
  const cancelled = await redeem(2)
  await ask(call, 'POST', `/redemptions/${cancelled}/cancel`)
  const rows = await app.owner.reader<{ status: string }[]>`
    select distinct status from redemptions where publisher_id = ${publisher.id} order by status`
  assert.deepEqual(
    rows.map(({ status }) => status),
    ['approved', 'cancelled', 'failed', 'paid', 'requested', 'returned', 'sent'],
  )
}

/** Returns an archive with these lines, sealed the way anyone with its key could seal it. */
export function sealedArchive(lines: readonly string[], key: string): string {
  const seal = createCarrier({ sealing: () => assert.fail(), find: () => null }, key).seal()
  for (const line of lines) seal.update(`${line}\n`)
  return `${lines.join('\n')}\n${JSON.stringify({ end: { lines: lines.length, seal: seal.digest('hex') } })}\n`
}

export function monthAfter(month: string): string {
  const first = new Date(`${month}-01T00:00:00Z`)
  first.setUTCMonth(first.getUTCMonth() + 1)
  return first.toISOString().slice(0, 7)
}

/** Returns the money by state, as the overview shows it once all bookings are totaled. */
export async function moneyByState(app: Pick<TestApp, 'operator'>, { publisher }: Pick<Tenant, 'publisher'>) {
  const query = `publisher_id=${encodeId('pub', publisher.id)}`
  return eventually(async () => {
    const { money } = (await app.operator('GET', `/operator/overview?${query}`)).body
    const { content } = (await app.operator('GET', `/operator/trial-balance?${query}`)).body
    const isAddedUp = ({ account, currency, balance }: { account: string; currency: string; balance: number }) => {
      const own = money.find((one: { currency: string }) => one.currency === currency)
      return own?.[account.slice('user_'.length)] === -balance
    }
    const booked = content.filter(({ account }: { account: string }) => /^user_(pending|available|held)$/.test(account))
    return booked.length > 0 && booked.every(isAddedUp) && money
  })
}
