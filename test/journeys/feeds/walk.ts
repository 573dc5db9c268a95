import assert from 'node:assert/strict'
import type { Call, Tenant, TestApp } from '../../support/app.ts'
import { type Bought, nextMerchant } from './model.ts'
import type { Step } from './steps.ts'

/** A user during a history: what the model records about them, and their item on the simulator. */
export type Walk = {
  readonly user: string
  readonly bought: Bought[]
  itemId: string
}
type Row = {
  readonly transaction_id: string
  readonly name: string
  readonly amount: number
  readonly pending: boolean
}

const BANK = 'ins_109508'
const LINK_TRIES = 12
// Faults that fail a call immediately. Calls that hang would slow this test down.
const FAULTS = [
  'rate_limited',
  'server_error',
  'bad_gateway',
  'html',
  'truncated',
  'dropped',
  'lost_answer',
  'mutation',
]
const PATHS = ['/transactions/sync', '/transactions/sync', '/item/get', '/accounts/get', '/item/remove']

type Sandbox = { readonly app: TestApp; readonly tenant: Tenant }

export async function beginWalk(sandbox: Sandbox, user: string): Promise<Walk> {
  const { call } = sandbox.tenant
  assert.equal((await call('POST', '/users', { publisher_user_id: user })).status, 200)
  const accepted = await call('POST', '/terms/accept', { publisher_user_id: user, tnc_id: sandbox.app.tncId })
  assert.equal(accepted.status, 200)
  const itemId = await linkLogin(sandbox, user)
  // Predates the link and earns nothing, but without it the bank's history would begin today.
  const past = { item_id: itemId, merchant: 'Quince Pharmacy', amount: 12, date: daysAgo(60) }
  assert.ok(await done(sandbox.app, 'purchases', past))
  return { user, bought: [], itemId }
}

function daysAgo(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
}

/** Retries until the login is linked, like a user whose app shows an error. Returns the simulator's item ID. */
async function linkLogin({ app, tenant }: Sandbox, user: string): Promise<string> {
  for (let tries = 0; tries < LINK_TRIES; tries++) {
    const made = await fetch(`${app.simulatorUrl}/sandbox/public_token/create`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'PLAID-CLIENT-ID': 'laurel', 'PLAID-SECRET': 'laurel' },
      body: JSON.stringify({
        institution_id: BANK,
        initial_products: ['transactions'],
        options: {
          override_username: user,
          override_password: 'pass_good',
          transactions: { days_requested: 730 },
        },
      }),
    })
    if (made.status !== 200) continue
    const { public_token } = (await made.json()) as { public_token: string }
    const body = { public_token, institution_id: BANK, institution_name: 'Bank' }
    const linked = await tenant.call('POST', `/linker/public-token/${user}`, body)
    if (linked.status !== 200) continue
    const account = linked.body.linked_cards[0].account_id
    const { items } = (await simulator(app, 'GET', `items?account_id=${account}`)).body
    assert.equal(items.length, 1)
    return items[0].item_id
  }
  throw new Error(`${user} could not be linked`)
}

/** Takes a step, or skips it if it is currently impossible (a posting without anything to post, for example). */
export async function take(sandbox: Sandbox, walk: Walk, step: Step): Promise<void> {
  await (purchaseActs[step.act] ?? loginActs[step.act])?.(sandbox, walk, step)
}

type Verb = (sandbox: Sandbox, walk: Walk, step: Step) => Promise<unknown>

const purchaseActs: Readonly<Record<string, Verb>> = {
  buy: (sandbox, walk, step) => buy(sandbox, walk, step, 'posted'),
  hold: (sandbox, walk, step) => buy(sandbox, walk, step, 'pending'),
  post: (sandbox, walk, step) => post(sandbox, walk, step, {}),
  'post with a tip': (sandbox, walk, step) => post(sandbox, walk, step, { tip: true }),
  'post unlinked': (sandbox, walk, step) => post(sandbox, walk, step, { linked: false }),
  'post unlinked with a tip': (sandbox, walk, step) => post(sandbox, walk, step, { linked: false, tip: true }),
  'post before the hold goes': (sandbox, walk, step) => post(sandbox, walk, step, { late_removal: true }),
  'drop the hold': async ({ app }, walk, { pick }) => {
    const one = chosen(walk, pick, ({ state }) => state === 'pending')
    const row = one && (await findRow(app, walk, one))
    if (!one || !row) return
    if (await done(app, `purchases/${row.transaction_id}/post`, { early_removal: true }))
      Object.assign(one, { state: 'held', lastId: row.transaction_id })
  },
  'post what was dropped': async ({ app }, walk, { pick }) => {
    const one = chosen(walk, pick, ({ state }) => state === 'held')
    if (one) await postDropped(app, one)
  },
  void: async ({ app }, walk, { pick }) => {
    const one = chosen(walk, pick, ({ state }) => state === 'pending')
    const row = one && (await findRow(app, walk, one))
    if (!one || !row) return
    if (await done(app, `purchases/${row.transaction_id}/void`)) one.state = 'gone'
  },
  refund: (sandbox, walk, step) => refund(sandbox, walk, step, 1),
  'refund in part': (sandbox, walk, step) => refund(sandbox, walk, step, 3),
  remove: async ({ app }, walk, { pick }) => {
    const one = chosen(walk, pick, ({ state, refundedCents }) => state === 'posted' && refundedCents === 0)
    const row = one && (await findRow(app, walk, one))
    if (!one || !row) return
    if (await done(app, `purchases/${row.transaction_id}/remove`))
      Object.assign(one, { state: 'gone', lastId: row.transaction_id })
  },
  'bring back': async ({ app }, walk, { pick }) => {
    const one = chosen(walk, pick, ({ state, lastId }) => state === 'gone' && lastId !== null)
    if (!one) return
    const { status } = await simulator(app, 'POST', `purchases/${one.lastId}/bring-back`)
    Object.assign(one, status === 200 ? { state: 'posted', lastId: null } : { lastId: null })
  },
  change: async ({ app }, walk, { pick, size }) => {
    const one = chosen(walk, pick, ({ state, refundedCents }) => state === 'posted' && refundedCents === 0)
    const row = one && (await findRow(app, walk, one))
    if (!one || !row) return
    const cents = toCents(size)
    if (await done(app, `purchases/${row.transaction_id}/change`, { amount: cents / 100 }))
      Object.assign(one, { cents, formerCents: one.formerCents + one.cents })
  },
}

const loginActs: Readonly<Record<string, Verb>> = {
  'break the login': ({ app }, { itemId }, { pick }) => done(app, `items/${itemId}/break`, { silent: pick % 2 === 0 }),
  'repair the login': ({ app }, { itemId }, { pick }) =>
    done(app, `items/${itemId}/repair`, { silent: pick % 2 === 0 }),
  revoke: ({ app }, { itemId }, { pick }) => done(app, `items/${itemId}/revoke`, { silent: pick % 2 === 0 }),
  'link again': async (sandbox, walk) => {
    walk.itemId = await linkLogin(sandbox, walk.user)
    forgetIds(walk)
  },
  'change all ids': async ({ app }, walk) => {
    if (await done(app, `items/${walk.itemId}/change-ids`)) forgetIds(walk)
  },
  'forget the cursors': ({ app }, { itemId }) => done(app, `items/${itemId}/forget-cursors`),
  freeze: ({ app }, { itemId }) => done(app, `items/${itemId}/freeze`, { frozen: true }),
  thaw: ({ app }, { itemId }) => done(app, `items/${itemId}/freeze`, { frozen: false }),
  fail: ({ app }, { itemId }, { pick, size }) =>
    done(app, 'faults', {
      kind: FAULTS[pick % FAULTS.length],
      path: PATHS[size % PATHS.length],
      item_id: itemId,
      times: 1 + (size % 3),
    }),
  'tell again': ({ app }, { itemId }) => done(app, 'webhooks/replay', { item_id: itemId, count: 3 }),
  read: async ({ tenant }) => {
    assert.equal((await tenant.call('POST', '/sandbox/clock', { advance_seconds: 1 })).status, 200)
  },
}

/**
 * A new item, or one whose IDs have changed, returns only what the bank still has. Rows that it dropped or removed
 * earlier cannot be recovered.
 */
function forgetIds(walk: Walk): void {
  for (const one of walk.bought) {
    if (one.state === 'held') one.state = 'gone'
    one.lastId = null
  }
}

/** Removes whatever keeps the feed incomplete, and posts purchases whose hold was dropped. */
export async function mend(sandbox: Sandbox, walk: Walk): Promise<void> {
  const { app } = sandbox
  for (const one of walk.bought) if (one.state === 'held') await postDropped(app, one)
  await done(app, `items/${walk.itemId}/freeze`, { frozen: false })
  await done(app, `items/${walk.itemId}/repair`)
}

async function buy({ app }: Sandbox, walk: Walk, { pick, size }: Step, state: 'posted' | 'pending'): Promise<void> {
  const place = nextMerchant(walk.bought, pick)
  if (place === null) return
  const cents = toCents(size)
  const category = place.isRestaurant ? 'FOOD_AND_DRINK' : 'GENERAL_MERCHANDISE'
  const pending = state === 'pending'
  const purchase = { item_id: walk.itemId, merchant: place.merchant, amount: cents / 100, category, pending }
  if (await done(app, 'purchases', purchase))
    walk.bought.push({ ...place, cents, refundedCents: 0, formerCents: 0, state, hasLapsed: false, lastId: null })
}

type Posting = { readonly tip?: true; readonly linked?: false; readonly late_removal?: true }

async function post({ app }: Sandbox, walk: Walk, { pick }: Step, { tip, ...how }: Posting): Promise<void> {
  const one = chosen(walk, pick, ({ state, isRestaurant }) => state === 'pending' && (!tip || isRestaurant))
  const row = one && (await findRow(app, walk, one))
  if (!one || !row) return
  // With a tip of one fifth, the amount stays in whole cents.
  const cents = tip ? (one.cents * 6) / 5 : one.cents
  if (await done(app, `purchases/${row.transaction_id}/post`, { ...how, amount: cents / 100 }))
    Object.assign(one, { state: 'posted', cents })
}

async function postDropped(app: TestApp, one: Bought): Promise<void> {
  const { status } = await simulator(app, 'POST', `purchases/${one.lastId}/post`, {})
  Object.assign(one, { state: status === 200 ? 'posted' : 'gone', lastId: null })
}

async function refund({ app }: Sandbox, walk: Walk, { pick }: Step, parts: number): Promise<void> {
  const one = chosen(walk, pick, ({ state, cents, refundedCents }) => state === 'posted' && cents > refundedCents)
  const row = one && (await findRow(app, walk, one))
  if (!one || !row) return
  const left = one.cents - one.refundedCents
  const cents = parts === 1 ? left : Math.max(20, Math.floor(left / parts / 20) * 20)
  const { status } = await simulator(app, 'POST', `purchases/${row.transaction_id}/refund`, { amount: cents / 100 })
  if (status === 200) one.refundedCents += cents
}

function chosen(walk: Walk, pick: number, fits: (one: Bought) => boolean): Bought | undefined {
  const fitting = walk.bought.filter(fits)
  return fitting[pick % Math.max(1, fitting.length)]
}

/** Finds a purchase by its merchant, because row IDs change. */
async function findRow(app: TestApp, { itemId }: Walk, { merchant, state }: Bought): Promise<Row | undefined> {
  const { purchases } = (await simulator(app, 'GET', `purchases?item_id=${itemId}`)).body
  return (purchases as Row[]).find(
    (row) => row.name === merchant && row.amount > 0 && row.pending === (state === 'pending'),
  )
}

/** Returns an amount whose 5% is a whole number of cents, even after a tip of 20% and refunds in steps of 20 cents. */
function toCents(size: number): number {
  return 1_000 + size * 100
}

async function simulator(app: TestApp, method: string, path: string, body?: object): ReturnType<Call> {
  const answer = await fetch(`${app.simulatorUrl}/_sim/${path}`, {
    method,
    headers: body === undefined ? {} : { 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: answer.status, body: await answer.json(), headers: answer.headers }
}

/** Returns false if the simulator cannot currently take this action. For example, a frozen bank changes no IDs. */
export async function done(app: TestApp, path: string, body: object = {}): Promise<boolean> {
  const { status, body: replied } = await simulator(app, 'POST', path, body)
  assert.ok(status === 200 || status === 409, `${path}: ${JSON.stringify(replied)}`)
  return status === 200
}
