import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { verifyAll } from '../../cli/commands/ledger.ts'
import { importCodes } from '../../src/catalog/allowances/index.ts'
import { setNetworkSecret } from '../../src/sources/affiliate/index.ts'
import { CATALOG, startTestApp, type TestApp } from '../support/app.ts'
import { eventually } from '../support/eventually.ts'
import { completeLinkPage } from '../support/link-page.ts'
import { openRedeemer, type Redeemer } from '../support/redemptions.ts'
import { runs, SEED } from '../support/runs.ts'

// Takes every offer type from the first click to the payout over HTTP, with a full refund in each phase of the reward
// and its redemption. All users advance together, because they share the sandbox clock.

/** The phases in which a walker, one of the test's users, returns everything they bought. */
const PHASES = ['never', 'pending', 'available', 'requested', 'sent', 'paid', 'returned'] as const
type Phase = (typeof PHASES)[number]
const TYPES = ['CARD_LINKED', 'AFFILIATE', 'GIFT_CARD', 'VOUCHER_CODE'] as const
type Type = (typeof TYPES)[number]

/**
 * Covers every other combination unless the run is a long one; another seed may cover the rest. Each phase covers at
 * least two types, and each type at least four phases.
 */
const isWalked = (type: Type, phase: Phase): boolean =>
  runs(1) > 1 || phase === 'never' || (TYPES.indexOf(type) + PHASES.indexOf(phase) + SEED) % 2 === 0

const REWARD = 5
const SECRET = 'a-secret-of-the-network'
const BANK = { institution_id: 'ins_109508', institution_name: 'First Platypus Bank' }

type Walker = {
  readonly name: string
  readonly type: Type
  readonly phase: Phase
  /** Refunds the full purchase. */
  refund: () => Promise<void>
  redemptionId: string
}

let app: TestApp
let redeemer: Redeemer
let walkers: Walker[]

before(async () => {
  app = await startTestApp()
  await app.catalog(catalog())
  redeemer = await openRedeemer(app, { redemptionReviewAbove: 0n, redemptionMinimum: 1n })
  await app.service.db.transaction(async (tx) => {
    const { vault } = app.service
    const codes = PHASES.map((phase) => ({ code: `CODE-${phase}`, expiresOn: null }))
    await setNetworkSecret(tx, vault, 'default', SECRET, new Date())
    await importCodes(tx, vault, { offerUid: 'VOUCHER_CODE', environment: 'sandbox' }, codes, new Date())
  })
  walkers = TYPES.flatMap((type) =>
    PHASES.filter((phase) => isWalked(type, phase)).map((phase) => {
      return { name: `${type}-${phase}`, type, phase, refund: () => Promise.resolve(), redemptionId: '' }
    }),
  )
  for (const { name } of walkers) await redeemer.user(name, 0)
})

after(() => app.close())

/** One brand per offer type, each with an offer of 10% cashback. */
function catalog(): object {
  const more: Readonly<Record<Type, object>> = {
    CARD_LINKED: {},
    AFFILIATE: { tracking_url: 'https://shop.example/?sub={sub_id}' },
    GIFT_CARD: { denominations: [50] },
    VOUCHER_CODE: { unique_codes: true },
  }
  const brands = TYPES.map((type, index) => ({
    brand_uid: `brand-${type}`,
    category_id: 1,
    name: BRANDS[index],
    website: `https://brand-${index}.example`,
    offers: [
      {
        offer_uid: type,
        name: type,
        description: type,
        offer_type: type,
        reward_type: 'CASHBACK_PERCENTAGE',
        commission: { rate: 10 },
        refund_period_days: 14,
        terms_and_conditions: 'Sample.',
        ...more[type],
      },
    ],
  }))
  return { categories: CATALOG.categories, brands }
}
const BRANDS = ['Corner Market', 'Gadget Barn', 'Paper Lantern', 'Tin Whistle']

async function done(method: string, path: string, body?: object, headers: Record<string, string> = {}) {
  const answer = await redeemer.call(method, path, body, headers)
  assert.equal(answer.status, 200, `${method} ${path}: ${JSON.stringify(answer.body)}`)
  return answer.body
}

async function simulate(path: string, body: object) {
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(`${app.simulatorUrl}/_sim/${path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  })
  assert.equal(answer.status, 200, await answer.clone().text())
  return (await answer.json()) as { transaction_id: string }
}

/** Makes a purchase of 50, and returns a function that refunds it. */
const BUY: Readonly<Record<Type, (user: string) => Promise<() => Promise<void>>>> = {
  CARD_LINKED: async (user) => {
    const { link_token } = await done('GET', `/linker/link-token/${user}`)
    const public_token = await completeLinkPage(app.simulatorUrl, link_token, {
      username: user,
      bank: BANK.institution_id,
      choose: () => true,
    })
    await done('POST', `/linker/public-token/${user}`, { public_token, ...BANK })
    const { svc_user_id } = await done('GET', `/users/${user}`)
    const { now } = await done('GET', '/sandbox/clock')
    const bought = {
      client_user_id: svc_user_id,
      merchant: BRANDS[0],
      amount: 50,
      date: now.slice(0, 10),
      datetime: now,
    }
    const { transaction_id } = await simulate('purchases', bought)
    return async () => {
      const present = (await done('GET', '/sandbox/clock')).now.slice(0, 10)
      await simulate(`purchases/${transaction_id}/refund`, { date: present })
    }
  },
  AFFILIATE: async (user) => {
    const [brand] = await done('GET', `/publishers/brands/brand-AFFILIATE?publisher_user_id=${user}`)
    const click = await fetch(brand.offers[0].tracking_url, { redirect: 'manual' })
    const sub_id = new URL(click.headers.get('location') ?? '').searchParams.get('sub')
    const report = (status: string) =>
      done(
        'POST',
        '/postbacks/default',
        { sub_id, order_id: user, amount: '50', currency: 'USD', status, date: new Date().toISOString() },
        {
          'X-Postback-Secret': SECRET,
          Authorization: '',
        },
      )
    await report('approved')
    return () => report('reversed')
  },
  GIFT_CARD: async (user) => {
    const items = [{ denomination: 50, quantity: 1 }]
    const order = { publisher_user_id: user, offer_uid: 'GIFT_CARD', external_ref: 'one', items }
    const { order_id } = await done('POST', '/gift-cards/orders', order)
    return async () => {
      const { cards } = await done('GET', `/gift-cards/orders/${order_id}`)
      await done('POST', `/gift-cards/${cards[0].card_id}/refund`, {})
      await redeemer.days(1)
    }
  },
  VOUCHER_CODE: async (user) => {
    const { voucher_code } = await done('POST', '/offers/VOUCHER_CODE/voucher-code', { publisher_user_id: user })
    const event = { publisher_user_id: user, source: 'VOUCHER', amount: 50, external_id: user }
    await done('POST', '/transactions', { ...event, voucher_code, offer_uid: 'VOUCHER_CODE' })
    return () =>
      done('POST', '/transactions', {
        ...event,
        external_id: `${user} back`,
        original_external_id: user,
        kind: 'REFUND',
      })
  },
}

async function readShown(name: string) {
  const { body } = await redeemer.call('GET', `/rewards/summary/${name}`)
  const { pending_cashback, available_cashback, redeemed_cashback, debt } = body
  return { pending: pending_cashback, available: available_cashback, redeemed: redeemed_cashback, debt }
}

const NOTHING = { pending: 0, available: 0, redeemed: 0, debt: 0 }

/** Waits for the expected balances, because feeds and networks deliver refunds with a delay. */
async function assertShown(walker: Walker, expected: Partial<typeof NOTHING>): Promise<void> {
  const wanted = { ...NOTHING, ...expected }
  const shown = await eventually(async () => {
    const now = await readShown(walker.name)
    return JSON.stringify(now) === JSON.stringify(wanted) ? now : null
  }).catch(() => readShown(walker.name))
  assert.deepEqual(shown, wanted, walker.name)
}

async function refundIn(phase: Phase, expected: Partial<typeof NOTHING>): Promise<void> {
  for (const walker of walkers.filter((one) => one.phase === phase)) {
    await walker.refund()
    await assertShown(walker, expected)
  }
}

/** The walkers that have not returned anything by the end of this phase. */
const keeping = (phase: Phase) =>
  walkers.filter((one) => one.phase === 'never' || PHASES.indexOf(one.phase) > PHASES.indexOf(phase))

async function report(walker: Walker, status: 'paid' | 'failed' | 'returned', expected: Partial<typeof NOTHING>) {
  await done('POST', `/redemptions/${walker.redemptionId}/outcome`, { status })
  await assertShown(walker, expected)
}

test('a purchase earns a pending reward, and a refund takes it back', async () => {
  await Promise.all(
    walkers.map(async (walker) => {
      walker.refund = await BUY[walker.type](walker.name)
    }),
  )
  await redeemer.days(1)
  for (const walker of walkers) await assertShown(walker, { pending: REWARD })
  await refundIn('pending', {})
})

test('the reward is available after the refund period, and a refund takes it back', async () => {
  await redeemer.days(20)
  for (const walker of keeping('pending')) await assertShown(walker, { available: REWARD })
  await refundIn('available', {})
})

test('a redemption holds the reward; a later refund leaves a debt that canceling the redemption repays', async () => {
  for (const walker of keeping('available')) {
    const { status, body } = await redeemer.redeem(walker.name)
    assert.deepEqual([status, body.status, body.amount], [200, 'requested', REWARD], walker.name)
    walker.redemptionId = body.redemption_id
    await assertShown(walker, {})
  }
  await refundIn('requested', { debt: REWARD })
  for (const walker of walkers.filter(({ phase }) => phase === 'requested')) {
    await done('POST', `/redemptions/${walker.redemptionId}/cancel`, {})
    await assertShown(walker, {})
  }
})

test('an approved redemption is sent; a refund leaves a debt that a failed payout repays', async () => {
  const finance = await app.staff('finance')
  for (const { redemptionId } of keeping('requested')) {
    assert.equal((await finance('POST', `/operator/redemptions/${redemptionId}/approve`, {})).body.status, 'sent')
  }
  await refundIn('sent', { debt: REWARD })
  for (const walker of walkers.filter(({ phase }) => phase === 'sent')) await report(walker, 'failed', {})
})

test('a paid redemption counts as redeemed; a refund leaves a debt that a returned payout repays', async () => {
  for (const walker of keeping('sent')) await report(walker, 'paid', { redeemed: REWARD })
  await refundIn('paid', { redeemed: REWARD, debt: REWARD })
  for (const walker of walkers.filter(({ phase }) => phase === 'paid')) await report(walker, 'returned', {})
})

test('a returned payout makes the reward available again, and a refund takes it back', async () => {
  for (const walker of walkers.filter(({ phase }) => phase === 'returned'))
    await report(walker, 'returned', { available: REWARD })
  await refundIn('returned', {})
})

test('users without refunds have been paid, and the books balance', async () => {
  for (const walker of keeping('returned')) await assertShown(walker, { redeemed: REWARD })
  assert.deepEqual((await verifyAll(app.service.db)).differences, [])
})
