import assert from 'node:assert/strict'
import { changeSettings } from '../../src/tenants/publishers/index.ts'
import type { Answer, Call, Tenant, TestApp } from './app.ts'

/** A publisher for redemption tests, with its own sandbox clock. */
export type Redeemer = Tenant & {
  /** Creates a user with this much available, earned with gift cards of 50 that pay 2 each. */
  user(name: string, available: number): Promise<string>
  /** Redeems everything available unless an amount is given. */
  redeem(user: string, more?: object): Promise<Answer>
  balances(user: string): Promise<{ available: number; redeemed: number; debt: number }>
  /** Advances the clock by this many days and does everything that becomes due. */
  days(count: number): Promise<void>
  readStatus(redemptionId: string): Promise<string>
}

export const CHECKING = {
  type: 'us_bank_account',
  holder_name: 'Ann Example',
  routing_number: '021000021',
  account_number: '4400123456789',
}

type Settings = Parameters<typeof changeSettings>[2]

export async function openRedeemer(app: TestApp, settings: Settings = {}): Promise<Redeemer> {
  const tenant = await app.tenant()
  if (Object.keys(settings).length > 0)
    await app.service.db.transaction((tx) => changeSettings(tx, tenant.publisher.id, settings))
  const { call } = tenant
  return {
    ...tenant,
    user: async (name, available) => {
      await done(call, 'POST', '/users', { publisher_user_id: name })
      await done(call, 'POST', '/terms/accept', { publisher_user_id: name, tnc_id: app.tncId })
      if (available > 0) await earn(call, name, available)
      return name
    },
    redeem: (publisher_user_id, more = {}) =>
      call('POST', '/redemptions', {
        publisher_user_id,
        method: 'publisher',
        ...('amount' in more ? {} : { all: true }),
        ...more,
      }),
    balances: async (user) => {
      const { body } = await call('GET', `/rewards/summary/${user}`)
      return { available: body.available_cashback, redeemed: body.redeemed_cashback, debt: body.debt }
    },
    days: (count) => advance(call, count),
    readStatus: async (redemptionId) => (await call('GET', `/redemptions/${redemptionId}`)).body.status,
  }
}

/** Buys gift cards that earn this much in total, and waits until it is available. */
async function earn(call: Call, user: string, amount: number): Promise<void> {
  const purchase = { publisher_user_id: user, source: 'GIFT_CARD', offer_uid: 'offer-gadgets-gift', amount: 50 }
  for (let nth = 0; nth < amount / 2; nth++)
    await done(call, 'POST', '/transactions', { ...purchase, external_id: toPurchaseId(user, nth) })
  await advance(call, 60)
}

/** Returns the external ID of a user's nth gift card. */
export function toPurchaseId(user: string, nth: number): string {
  return `${user} bought ${nth}`
}

async function advance(call: Call, days: number): Promise<void> {
  await done(call, 'POST', '/sandbox/clock', { advance_days: days })
}

async function done(call: Call, method: string, path: string, body: object): Promise<void> {
  const answer = await call(method, path, body)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
}
