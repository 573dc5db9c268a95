import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { verifyLedger } from '../../../src/ledger/index.ts'
import { verifyRewards, verifyTransactions } from '../../../src/purchases/transactions/index.ts'
import type { Tenant, TestApp } from '../../support/app.ts'
import { completeLinkPage } from '../../support/link-page.ts'

/** A person with a linked login, and the publisher they belong to, which is a separate sandbox with its own clock. */
export type Person = {
  readonly app: TestApp
  readonly tenant: Tenant
  readonly user: string
  readonly bank: string
  /** The simulator's ID for the login. It changes when the person relinks. */
  itemId: string
}
type Row = { readonly transaction_id: string; readonly date: string }
type Card = {
  readonly account_id: string
  readonly name: string
  readonly mask: string
  readonly error: unknown
}
type Shown = {
  readonly transaction_uid: string
  readonly status: string
  readonly status_reason: string | null
  readonly amount: number
  readonly refunded_amount: number
  readonly user_cashback: number
}

export const BANK = 'ins_109508'
export const CLIENT = { id: 'laurel', secret: 'laurel' }
const GOOD_PASSWORD = 'pass_good'
// By then every refund period in the catalog has ended, and every hold has lapsed.
const LONG_AFTER_DAYS = 50
// Long enough for a slow and busy machine.
const WAIT_MAX_MS = 300_000
const REST_MS = 100

type Wish = {
  readonly tenant?: Tenant
  readonly bank?: string
  readonly username?: string
  readonly password?: string
  /**
   * Links through the link page with a token from the service, rather than in a single call. The bank then knows the
   * user by the service's ID.
   */
  readonly onPage?: boolean
  /** The credentials that the service uses at the provider. */
  readonly client?: typeof CLIENT
}

/** Registers a user, accepts the terms and links a login. Pass `tenant` to share a publisher with others. */
export async function personIn(app: TestApp, user: string, { tenant, bank = BANK, ...login }: Wish = {}) {
  const person = { app, tenant: tenant ?? (await app.tenant()), user, bank, itemId: '' }
  const { call } = person.tenant
  assert.equal((await call('POST', '/users', { publisher_user_id: user })).status, 200)
  const accepted = await call('POST', '/terms/accept', { publisher_user_id: user, tnc_id: app.tncId })
  assert.equal(accepted.status, 200)
  await linkAgain(person, login)
  return person
}

/** Links the person's login again, or for the first time. */
export async function linkAgain(person: Person, { onPage = false, ...login }: Wish = {}): Promise<Card[]> {
  if (onPage) return signIn(person, `link-token/${person.user}`)
  return handOver(person, await publicToken(person.app, { bank: person.bank, username: person.user, ...login }))
}

/** Returns the public token of a finished link, for the service's client ID or a different one. */
export async function publicToken(app: TestApp, { bank = BANK, username, password, client = CLIENT }: Wish) {
  const replied = await provider(app, '/sandbox/public_token/create', client, {
    institution_id: bank,
    initial_products: ['transactions'],
    options: { override_username: username, override_password: password ?? GOOD_PASSWORD },
  })
  return String(replied['public_token'])
}

export async function provider(app: TestApp, path: string, client: typeof CLIENT, body: object) {
  const answer = await fetch(`${app.simulatorUrl}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'PLAID-CLIENT-ID': client.id, 'PLAID-SECRET': client.secret },
    body: JSON.stringify(body),
  })
  const replied = (await answer.json()) as Record<string, unknown>
  assert.equal(answer.status, 200, JSON.stringify(replied))
  return replied
}

/** Passes the link page's public token to the service, and records the resulting login as the person's. */
export async function handOver(person: Person, token: string): Promise<Card[]> {
  const { tenant, user, bank } = person
  const body = { public_token: token, institution_id: bank, institution_name: 'Bank' }
  const linked = await tenant.call('POST', `/linker/public-token/${user}`, body)
  assert.equal(linked.status, 200, JSON.stringify(linked.body))
  const cards: Card[] = linked.body.linked_cards
  const { items } = await ask(person.app, `items?account_id=${cards.at(-1)?.account_id}`)
  person.itemId = items[0].item_id
  return cards
}

/**
 * Takes the person through the link page with the service's repair token, or with a plain link token if no login needs
 * repair.
 */
export function signInAgain(person: Person): Promise<Card[]> {
  return signIn(person, `auth-token/${person.bank}/${person.user}`)
}

async function signIn(person: Person, path: string): Promise<Card[]> {
  const { status, body } = await person.tenant.call('GET', `/linker/${path}`)
  assert.equal(status, 200, JSON.stringify(body))
  const walk = { username: person.user, bank: person.bank, choose: () => true }
  return handOver(person, await completeLinkPage(person.app.simulatorUrl, body.link_token, walk))
}

/** Buys something, by default at Corner Market, which pays 5% back. */
export function buy(person: Person, amount: number, more: object = {}): Promise<Row> {
  return control(person.app, 'purchases', { item_id: person.itemId, merchant: 'Corner Market', amount, ...more })
}

export function bank({ app }: Person, row: Row, verb: string, body: object = {}): Promise<Row> {
  return control(app, `purchases/${row.transaction_id}/${verb}`, body)
}

export function login({ app, itemId }: Person, verb: string, body: object = {}) {
  return control(app, `items/${itemId}/${verb}`, body)
}

// biome-ignore lint/suspicious/noExplicitAny: the test states the shape of the simulator's response
export async function control(app: TestApp, path: string, body: object = {}): Promise<any> {
  return ask(app, path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
}

// biome-ignore lint/suspicious/noExplicitAny: as above
export async function ask(app: TestApp, path: string, init: RequestInit = {}): Promise<any> {
  const answer = await fetch(`${app.simulatorUrl}/_sim/${path}`, init)
  const replied = await answer.json()
  assert.equal(answer.status, 200, `${path}: ${JSON.stringify(replied)}`)
  return replied
}

/** Removes all faults, so calls succeed and webhooks arrive from now on. */
export async function behave(app: TestApp): Promise<void> {
  for (const path of ['faults', 'webhooks']) await ask(app, path, { method: 'DELETE' })
}

/** Makes the worker read every feed and login of the publisher, now or after advancing the clock by this many days. */
export async function look({ tenant }: Person, days = 0): Promise<void> {
  const moved = days === 0 ? { advance_seconds: 1 } : { advance_days: days }
  assert.equal((await tenant.call('POST', '/sandbox/clock', moved)).status, 200)
}

export async function readCards({ tenant, user }: Person): Promise<Card[]> {
  const { body } = await tenant.call('GET', `/linker/linked-cards/${user}`)
  return body.linked_institutions.flatMap((one: { linked_cards: Card[] }) => one.linked_cards)
}

export async function readTransactions({ tenant, user }: Person): Promise<Shown[]> {
  const { body } = await tenant.call('GET', `/transactions?publisher_user_id=${user}&size=100`)
  return body.content
}

/** Counts this person's events by type in the publisher's event feed. */
export async function countEvents({ tenant, user }: Person): Promise<Readonly<Record<string, number>>> {
  const { body } = await tenant.call('GET', '/events?after=0&limit=100')
  const types = (body.content as { type: string; data: { publisher_user_id: string } }[])
    .filter(({ data }) => data.publisher_user_id === user)
    .map(({ type }) => type)
  return Object.fromEntries([...new Set(types)].map((type) => [type, types.filter((one) => one === type).length]))
}

/**
 * Describes each purchase as the publisher sees it, by its status, amount after refunds, and reward. Sorts the
 * descriptions.
 */
export async function standings(person: Person): Promise<string[]> {
  const shown = await readTransactions(person)
  const words = shown.map((one) => `${one.status} ${one.amount - one.refunded_amount} ${one.user_cashback}`)
  return words.toSorted()
}

/** Waits until the publisher sees exactly these purchases. */
export async function expectRows(person: Person, ...wanted: string[]): Promise<void> {
  await expectValue(() => standings(person), wanted.toSorted())
}

/** Polls until the publisher sees exactly these purchases. Use it if no webhook announces them. */
export async function expectRowsPolling(person: Person, ...wanted: string[]): Promise<void> {
  const see = async () => {
    await look(person)
    return standings(person)
  }
  await expectValue(see, wanted.toSorted())
}

/** Waits until all of the person's cards show this error, or no error. */
export async function expectError(person: Person, error: 'NEED_AUTHENTICATION' | 'UNKNOWN' | null): Promise<void> {
  const count = (await readCards(person)).length
  assert(count > 0)
  await expectValue(async () => (await readCards(person)).map((card) => card.error), Array(count).fill(error))
}

/** Waits for this value. A failure reports the last value seen. */
export async function expectValue<T>(see: () => Promise<T>, wanted: T): Promise<void> {
  const deadline = Date.now() + WAIT_MAX_MS
  for (;;) {
    const seen = await see()
    if (isDeepStrictEqual(seen, wanted)) return
    if (Date.now() > deadline) assert.deepEqual(seen, wanted)
    await pause(REST_MS)
  }
}

/**
 * Ends a story long after all rewards are due. Asserts that the person has exactly this amount, that no cent was
 * promised twice or taken back except as stated, and that the books balance.
 */
export async function expectEnd(person: Person, got: number, { takenBack = 0 }: { readonly takenBack?: number } = {}) {
  const { app, tenant, user } = person
  await behave(app)
  await look(person)
  await look(person, LONG_AFTER_DAYS)
  await look(person)
  const { body } = await tenant.call('GET', `/users/status/${user}`)
  const { pending_cashback, available_cashback, total_earned_cashback } = body
  assert.deepEqual([pending_cashback, available_cashback, total_earned_cashback], [0, got, got])
  assert.equal((await countEvents(person))['reward.reversed'] ?? 0, takenBack, 'rewards that were taken back')
  await booksBalance(person)
}

async function booksBalance({ app, tenant }: Person): Promise<void> {
  const { reader } = app.service.db
  const found = [
    ...(await verifyLedger(reader)),
    ...(await verifyRewards(reader)),
    ...(await verifyTransactions(reader, tenant.publisher)),
  ]
  assert.deepEqual(found, [])
}
