import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { listPostingsByCause } from '../../src/ledger/index.ts'
import { DAY_MS, type Day, toDay } from '../../src/platform/calendar.ts'
import { decodeId, encodeId, toUserId } from '../../src/platform/ids.ts'
import { listPublishers } from '../../src/tenants/publishers/index.ts'
import { UserError } from '../errors.ts'
import { answer, styled } from '../terminal.ts'
import { type Caller, createCaller, showCall } from './caller.ts'
import { AMOUNT, type ChosenOffer, chooseOffer } from './choose.ts'
import { completeLinkPage } from './link-page.ts'
import { redeem, showStatement } from './redeem.ts'
import type { Shopper, Stage } from './stage.ts'
import { formatArithmetic, formatDecision, formatPostings, type ShownDecision } from './tables.ts'

type StoryTransaction = {
  transaction_uid: string
  status: string
  status_reason: string | null
  user_cashback: number
  available_on: Day
  currency: string
}

const BANK = { id: 'ins_109508', name: 'First Platypus Bank' }
// The simulator announces a purchase immediately and the worker normally fetches it within a second, so waiting this
// long means that something failed.
const ARRIVAL_LIMIT_MS = 12_000
const ASK_EVERY_MS = 150

/**
 * Walks a new user through one purchase, end to end, and returns the user.
 * @throws UserError if a step does not end as expected
 */
export async function walk(stage: Stage): Promise<Shopper> {
  const api = createCaller(stage.url, { authorization: `Bearer ${stage.apiKey}` })
  const simulator = createCaller(stage.simulatorUrl, {}, 'simulator')
  heading(1, 'A user registers and accepts the terms')
  const shopper = await register(api, stage)
  heading(2, `The user links a card at ${BANK.name}, a simulated bank`)
  await linkCard(api, stage, shopper)
  heading(3, 'The user browses the offers and makes a purchase')
  const chosen = await chooseOffer(api, shopper.name)
  await buy(api, simulator, shopper, chosen)
  heading(4, 'The purchase arrives from the bank and is decided')
  const pending = await awaitTransaction(api, shopper)
  await explain(api, stage, shopper, pending)
  heading(5, "The refund period passes: the sandbox's clock is advanced")
  const earned = await passRefundPeriod(api, shopper, pending)
  await showPostings(stage, shopper, earned)
  heading(6, 'The reward is available')
  await showBalance(api, shopper, earned)
  await payOut(api, stage, shopper)
  return shopper
}

/** Pays out through the simulated bank, unless the sandbox's settings disable it. */
async function payOut(api: Caller, stage: Stage, shopper: Shopper): Promise<void> {
  if (!shopper.publisher.redemptionMethods.includes('simulated')) return
  heading(7, 'The user redeems it, and the simulated bank pays')
  const { paid, table } = await redeem(api, stage, shopper)
  indented(table)
  heading(8, "The user's statement")
  indented(await showStatement(api, shopper))
  answer('')
  answer(styled(['bold', 'green'], `  paid out ${paid.amount.toFixed(2)} ${paid.currency}`))
}

async function register(api: Caller, stage: Stage): Promise<Shopper> {
  const name = `demo-${randomBytes(3).toString('hex')}`
  const created = await api.call<{ svc_user_id: string; account_status: string }>('POST', '/users', {
    body: { publisher_user_id: name, email: `${name}@example.com`, primary_zip_code: '78701' },
    details: ({ account_status }) => ({ account_status }),
  })
  const terms = await api.call<{ id: number; revision: string }>('GET', '/terms', {
    details: ({ id, revision }) => ({ id, revision }),
  })
  await api.call<{ account_status: string }>('POST', '/terms/accept', {
    body: { publisher_user_id: name, tnc_id: terms.id },
    details: ({ account_status }) => ({ account_status }),
  })
  // A key does not reveal its publisher, so the publisher is found through the user's derived id.
  const publisher = (await listPublishers(stage.db.reader)).find(
    ({ id }) => encodeId('usr', toUserId(id, name)) === created.svc_user_id,
  )
  if (publisher === undefined)
    throw new UserError(
      `${stage.url} uses a different database than this command. Check DATABASE_URL and LAUREL_DATA_DIR.`,
    )
  return { name, svcUserId: created.svc_user_id, publisher }
}

async function linkCard(api: Caller, { simulatorUrl }: Stage, { name }: Shopper): Promise<void> {
  const { link_token } = await api.call<{ link_token: string }>('GET', `/linker/link-token/${name}`, {
    details: ({ link_token }) => ({ link_token: `${link_token.slice(0, 13)}…` }),
  })
  const linked = await completeLinkPage(`${simulatorUrl}/link?token=${link_token}`, BANK, name)
  await api.call<{ linked_cards?: readonly unknown[] }>('POST', `/linker/public-token/${name}`, {
    body: linked,
    details: ({ linked_cards }) => ({ cards: linked_cards?.length ?? 0 }),
  })
}

async function buy(api: Caller, simulator: Caller, shopper: Shopper, { brand }: ChosenOffer): Promise<void> {
  const { now } = await api.ask<{ now: string }>('/sandbox/clock').then(({ body }) => body)
  const date = now.slice(0, 10)
  await simulator.call<{ name: string; amount: number }>('POST', '/_sim/purchases', {
    body: {
      client_user_id: shopper.svcUserId,
      merchant: brand.name,
      website: brand.website ?? undefined,
      amount: AMOUNT,
      currency: 'USD',
      // The bank uses the sandbox clock, which may be ahead of real time.
      date,
      datetime: now,
      authorized_date: date,
      authorized_datetime: now,
    },
    details: () => ({ paid: `${AMOUNT.toFixed(2)} at ${brand.name}` }),
  })
}

async function awaitTransaction(api: Caller, shopper: Shopper): Promise<StoryTransaction> {
  const path = `/transactions?publisher_user_id=${shopper.name}`
  for (let waitedMs = 0; waitedMs < ARRIVAL_LIMIT_MS; waitedMs += ASK_EVERY_MS) {
    const { body, ms } = await api.ask<{ content: readonly StoryTransaction[] }>(path)
    const [transaction] = body.content
    if (transaction !== undefined) {
      showCall('GET', path, ms, { status: transaction.status })
      return transaction
    }
    await wait(ASK_EVERY_MS)
  }
  throw new UserError(
    `The purchase did not arrive within ${ARRIVAL_LIMIT_MS / 1000} s. Run \`laurel doctor\` to find out why.`,
  )
}

async function explain(api: Caller, stage: Stage, shopper: Shopper, transaction: StoryTransaction): Promise<void> {
  const decision = await api.call<ShownDecision>('GET', `/transactions/${transaction.transaction_uid}/decision`, {
    details: ({ matching }) => ({ matched_by: matching.method }),
  })
  indented(formatDecision(decision))
  indented([formatArithmetic(decision)])
  if (transaction.user_cashback <= 0) throw new UserError(`The purchase earned nothing (${transaction.status_reason}).`)
  await showPostings(stage, shopper, transaction)
}

async function showPostings(
  { db }: Stage,
  { publisher, name }: Shopper,
  { transaction_uid }: StoryTransaction,
): Promise<void> {
  const id = decodeId('txn', transaction_uid)
  indented(
    formatPostings(
      await listPostingsByCause(db.reader, publisher.id, toUserId(publisher.id, name), id === null ? [] : [id]),
    ),
  )
}

async function passRefundPeriod(
  api: Caller,
  { publisher }: Shopper,
  { transaction_uid, available_on }: StoryTransaction,
): Promise<StoryTransaction> {
  const { body } = await api.ask<{ now: string }>('/sandbox/clock')
  const today = toDay(new Date(body.now), publisher.timeZone)
  const days = Math.max(1, Math.round((Date.parse(available_on) - Date.parse(today)) / DAY_MS))
  await api.call<{ now: string }>('POST', '/sandbox/clock', {
    body: { advance_days: days },
    details: ({ now }) => ({ advance_days: days, now: now.slice(0, 10) }),
  })
  return api.call<StoryTransaction>('GET', `/transactions/${transaction_uid}`, {
    details: ({ status }) => ({ status }),
  })
}

async function showBalance(api: Caller, { name }: Shopper, earned: StoryTransaction): Promise<void> {
  const balance = await api.call<{ pending_cashback: number; available_cashback: number }>(
    'GET',
    `/users/status/${name}`,
    {
      details: ({ pending_cashback }) => ({ pending_cashback }),
    },
  )
  if (earned.status !== 'EARNED' || balance.available_cashback !== earned.user_cashback) {
    throw new UserError(
      `The transaction is ${earned.status} and available_cashback is ${balance.available_cashback}. No reward ` +
        'arrived.',
    )
  }
  answer('')
  answer(styled(['bold', 'green'], `  available_cashback ${balance.available_cashback.toFixed(2)} ${earned.currency}`))
}

function heading(number: number, title: string): void {
  answer('')
  answer(styled('bold', `${number}. ${title}`))
}

function indented(lines: readonly string[]): void {
  answer('')
  for (const line of lines) answer(`     ${line}`)
}
